"""Invalid answers: each is refused with a sentence, counted, and the question is asked again."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Instance, Session, Space
from mensura.dialogue.canonical import canonical
from mensura.errors import Invalid
from mensura.running.checks.check import Check
from mensura.running.checks.trial import Trial

NONSENSE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    10**12,
    -1e300,
    float("nan"),
    float("inf"),
    "",
    "no such answer",
    "\x00",
    b"bytes",
    [],
    ["no", "such"],
    [float("nan")] * 3,
    {},
    {"call": "no such tool"},
    {"no such": "key"},
    {1: 2},
    object(),
    np.array([]),
)
DRAWS = 10


class Collecting:
    """Passes answers on and keeps one of each space that was asked for."""

    recomputes = True

    def __init__(self, subject: Any, spaces: dict[str, Space]) -> None:
        self._subject = subject
        self._spaces = spaces

    def __call__(self, ask: Ask) -> Any:
        assert ask.space is not None
        self._spaces.setdefault(ask.space.fingerprint, ask.space)
        return self._subject(ask)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._subject, name)


def check_invalid_refused(trial: Trial) -> Check:
    """Give nonsense to every space met in a session: it is valid, or refused with a sentence, and nothing else."""
    name = "invalid answers"
    spaces: dict[str, Space] = {}
    trial.hold(lambda: Collecting(trial.chance(), spaces))
    refused = 0
    for space in list(spaces.values()):
        wrong, count = _try_space(space, np.random.default_rng(trial.seed))
        if wrong:
            return Check(name, False, wrong)
        refused += count
    if not spaces:
        return Check(name, None, "nothing is asked")
    if wrong := _session_goes_wrong(trial):
        return Check(name, False, wrong)
    kinds = ", ".join(sorted({space.kind for space in spaces.values()}))
    return Check(name, True, f"{refused} refused with a sentence over {len(spaces)} spaces ({kinds})")


def _try_space(space: Space, rng: np.random.Generator) -> tuple[str, int]:
    refused = 0
    for value in NONSENSE:
        try:
            checked = space.check(value)
            if canonical(space.check(checked)) != canonical(checked):
                return f"{space.kind} does not leave its own valid answer {checked!r} as it is.", 0
        except Invalid as invalid:
            if not is_sentence(str(invalid)):
                return f"{space.kind} refuses {value!r} with {str(invalid)!r}, which is not a sentence.", 0
            refused += 1
        except Exception as error:
            return f"{space.kind} raises {type(error).__name__} for {value!r} instead of refusing it.", 0
    if not refused:
        return f"{space.kind} takes anything, even {NONSENSE[-2]!r}.", 0
    for value in (space.draw(rng) for _ in range(DRAWS)):
        try:
            space.check(value)
        except Invalid as invalid:
            return f"{space.kind} draws {value!r} and refuses it: {invalid}", 0
    return "", refused


def is_sentence(text: str) -> bool:
    """Return whether a text begins like a sentence and ends like one."""
    return len(text.split()) >= 2 and text[:1].strip() != "" and text.rstrip().endswith((".", "?", "!"))


def _session_goes_wrong(trial: Trial) -> str:
    """Answer the first ask invalidly once: it must stay open, and be counted."""
    session = Session(Instance(trial.test, trial.parameters, trial.seed))
    session.start()
    while session.status == "open" and session.paused is not None:
        session.unpause()
    for role, ask in session.open.items():
        for value in _invalid_for(ask):
            try:
                session.answer(value, role=role)
            except Invalid:
                if session.open.get(role) is not ask:
                    return f"after an invalid answer {role} is no longer asked the same."
                return "" if any(event.kind == "invalid" for event in session.drain()) else "it is not counted."
    return ""


def _invalid_for(ask: Ask) -> Iterator[Any]:
    for value in NONSENSE:
        try:
            ask.space.check(value)  # type: ignore[union-attr]
        except Invalid:
            yield value
