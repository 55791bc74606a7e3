"""Artefact: what is rated, with the condition that raters must not learn."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Judged
from mensura.errors import BadFile, BadParameter, MensuraError
from mensura.running.panel.transcript import transcript

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead

PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
LARGEST = 5_000_000
"""Bytes of one artefact: each rater's session carries all of theirs."""


@dataclass(frozen=True)
class Artefact:
    """A text or a picture, the condition it was made under, and where it comes from; raters see neither of these.

    >>> Artefact.from_text("Ice floats.", condition="trained", source="person 7").content
    {'kind': 'text', 'text': 'Ice floats.'}
    """

    content: Mapping[str, Any]
    condition: str = field(repr=False)
    source: str = field(default="", repr=False)
    about: Mapping[str, Any] | None = field(default=None, repr=False)
    """Facts that the laboratory keeps with its code, as for a judged answer; raters do not see them."""

    def __post_init__(self) -> None:
        size = len(self.content.get("text", "")) + len(self.content.get("data", ""))
        if size > LARGEST:
            raise BadParameter(
                f"The artefact {self.source or '(without source)'} has {size} bytes; at most {LARGEST} can be rated."
            )

    @classmethod
    def from_text(cls, text: str, *, condition: str, source: str = "") -> "Artefact":
        """Take a text; raters see it as Markdown."""
        return cls({"kind": "text", "text": text}, condition, source)

    @classmethod
    def from_picture(cls, picture: bytes, *, media_type: str, condition: str, source: str = "") -> "Artefact":
        """Take a drawing: PNG, JPEG or SVG."""
        if media_type not in PICTURES.values():
            raise BadParameter(f"A picture is PNG, JPEG or SVG; got {media_type!r}.")
        content = {"kind": "image", "media_type": media_type, "data": b64encode(picture).decode()}
        return cls(content, condition, source)

    @classmethod
    def from_file(cls, path: str | Path, *, condition: str, source: str | None = None) -> "Artefact":
        """Read a picture (.png, .jpg, .svg) or a text (anything else)."""
        file = Path(path)
        named = str(file) if source is None else source
        try:
            if file.suffix.lower() in PICTURES:
                kind = PICTURES[file.suffix.lower()]
                return cls.from_picture(file.read_bytes(), media_type=kind, condition=condition, source=named)
            return cls.from_text(file.read_text(encoding="utf-8"), condition=condition, source=named)
        except OSError as error:
            raise BadFile(f"The artefact {path} cannot be read: {error.strerror}. Check the path.") from None
        except UnicodeDecodeError:
            raise BadFile(f"The artefact {path} is neither a picture that is known nor a text in UTF-8.") from None


def session_artefacts(run: str, *, store: "Store", condition: str | None = None) -> list[Artefact]:
    """Make an artefact of each finished session of a run, under the run's condition.

    It is what the test says is judged, or the whole transcript; sessions that left nothing to be judged have none.
    """
    head = store.runs.find(run)
    named = head.condition if condition is None else condition
    finished = [session.id for session in store.sessions.of(head.id) if session.status == "finished"]
    if not finished:
        raise BadParameter(f"The run {head.id} has no finished session to be rated.")
    judged = _judged(head)
    if judged is None:
        texts = {session: transcript(session, store=store) for session in finished}
    else:
        records = {record.session: record for record in store.records.of(head.id) if record.session in finished}
        texts = {session: judged.artefact(records[session]) for session in finished}
    return [
        Artefact.from_text(text, condition=named, source=session) for session, text in texts.items() if text.strip()
    ]


def _judged(head: "RunHead") -> Judged | None:
    from mensura.running.reference import definition_of

    try:
        return definition_of(head).judged
    except MensuraError:
        # The test of an imported run need not be installed; its transcript can be judged all the same.
        return None


def judged_in(runs: Sequence[str], *, store: "Store") -> Judged | None:
    """Return what is judged in some runs, if they agree on it."""
    found = [_judged(store.runs.find(run)) for run in runs]
    return found[0] if found and all(one is found[0] for one in found) else None


def names_behind(sessions: Sequence[str], *, store: "Store") -> list[str]:
    """Return the names of the people who took these sessions, to be masked; the book says who they are."""

    book = store.invitations
    wanted = set(sessions)
    mine = {one.number for one in book.all() if any(step.session in wanted for step in one.steps)}
    words: list[str] = []
    for row in book.identities():
        if row["invitation"] in mine:
            name = str(row["name"]).strip()
            words += [name, *(part for part in name.split() if len(part) > 2)]
    return list(dict.fromkeys(word for word in words if word))
