"""Learned: what the assistant has picked up in training, with where it came from and its checksum."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from mensura.errors import BadFile, BadParameter, unknown
from mensura.json_file import loads
from mensura.once import once

LEARNERS = ("classifier", "extractor", "elicitor", "room_finder", "workflow", "drafter")
Ablated = Annotated[
    str, f"Which learners of the assistant are left out, separated by commas: {', '.join(LEARNERS)}; none: all stay."
]
FORM = "crisis-learned-1"


@dataclass(frozen=True)
class LearnedFrom:
    """A session that was learned from."""

    package: str
    purpose: str
    hash: str
    seed: int
    campus: str


@dataclass
class Learned:
    """Counts that the learners read; empty where nothing was learned, and then the assistant is as it was built."""

    classifier: dict[str, Any] = field(default_factory=dict)
    """{"vocabulary": [word, ...], "mails": [[[word, ...], [label, ...]], ...], "weights": {label: {word: weight}}}."""
    extractor: dict[str, list[int]] = field(default_factory=dict)
    """Pattern → [parts accepted, parts proposed]."""
    elicitor: dict[str, Any] = field(default_factory=dict)
    """{"seats": {class: [true/assumed, ...]}, "built_in": {class: {item: [there, looked]}},
    "campus": {campus: {"seats": {room: {layout: [n, ...]}}, "built_in": {room: [[item, ...], ...]}}}}; one value for
    each session in which the fact was entered or looked up."""
    room_finder: list[list[Any]] = field(default_factory=list)
    """[[feature, ...], whether the slot was given up] of every request."""
    workflow: dict[str, dict[str, int]] = field(default_factory=dict)
    """Field of an announcement → way to write it → how many edits by hand agree."""
    drafter: dict[str, list[int]] = field(default_factory=dict)
    """Kind of item → [kept in the briefing that was sent, drafted]."""
    sources: list[LearnedFrom] = field(default_factory=list)

    def parts(self) -> dict[str, Any]:
        """Return it as JSON, without the checksum."""
        return {
            "form": FORM,
            **{name: getattr(self, name) for name in LEARNERS},
            "sources": [vars(source) for source in self.sources],
        }

    @property
    def sha256(self) -> str:
        """The checksum of all of it."""
        return sha256(json.dumps(self.parts(), sort_keys=True, ensure_ascii=False).encode()).hexdigest()

    def without(self, ablated: Iterable[str]) -> "Learned":
        """Leave some learners out; the others are shared, not copied.

        >>> Learned(drafter={"moved": [3, 4]}).without(["drafter"]).drafter
        {}
        """
        names = list(ablated)
        for name in names:
            if name not in LEARNERS:
                raise unknown("learner", name, known=LEARNERS, see=f"Learners are {', '.join(LEARNERS)}.")
        empty = Learned()
        return replace(self, **{name: getattr(empty, name) for name in names})

    def write(self, path: str | Path) -> None:
        """Write it to a file, with its checksum."""
        said = {**self.parts(), "sha256": self.sha256}
        lines = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(said[name], sort_keys=True, ensure_ascii=False)}" for name in sorted(said)
        )
        Path(path).write_text(f"{{{lines}}}\n", encoding="utf-8")


def read_learned(name_or_path: str) -> Learned:
    """Read what was learned: "" is nothing, "default" what comes with the test, or a file.

    A file is read once and the same object given to all, who only read it.

    Raises
    ------
    BadFile
        When the file is damaged or was changed by hand.
    """
    if not name_or_path:
        return Learned()
    return _read(str(_path(name_or_path)))


def check_apart(learned: Learned, *, package: str, purpose: str, seed: int | None = None, hash: str = "") -> None:
    """Refuse what was learned from a test, or from the very world in which it would now be used.

    Raises
    ------
    BadParameter
        With the source that may not be used here.
    """
    for source in learned.sources:
        if source.purpose != "training":
            raise BadParameter(
                f"What was learned comes from {source.package}, a {source.purpose} package; only training packages may "
                "be learned from. Train again: mensura generate crisis-learning"
            )
        same = source.package == package or (seed is not None and source.seed == seed) or (hash and source.hash == hash)
        if same and purpose != "training":
            raise BadParameter(
                f"What was learned comes from {source.package} (seed {source.seed}), the world of this session; take "
                "another package, or a condition without learning, such as radar-l."
            )


def _path(name: str) -> Path:
    shipped = Path(__file__).parent / "learned" / "default.json" if name == "default" else Path(name)
    if not shipped.is_file():
        raise BadFile(
            f"There is no file {name!r} of what the assistant learned; make one with "
            "`mensura generate crisis-learning --out FILE`."
        )
    return shipped


@once(most=8)
def _read(path: str) -> Learned:
    try:
        said = loads(Path(path).read_text(encoding="utf-8"))
    except ValueError:
        raise BadFile(f"{path} is not JSON; make it again with `mensura generate crisis-learning`.") from None
    if not isinstance(said, Mapping) or said.get("form") != FORM:
        raise BadFile(f"{path} holds nothing that the assistant learned: its form is not {FORM}.")
    try:
        sources = [LearnedFrom(**source) for source in said["sources"]]
        learned = Learned(**{name: said[name] for name in LEARNERS}, sources=sources)
    except (KeyError, TypeError):
        raise BadFile(f"{path} is incomplete; make it again with `mensura generate crisis-learning`.") from None
    if learned.sha256 != said.get("sha256"):
        raise BadFile(f"{path} was changed after it was written: its checksum is wrong. Make it again by training.")
    return learned
