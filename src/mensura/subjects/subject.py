"""Subject: who takes a test. Anything that maps an ask to an answer, with optional methods around it."""

from typing import Any, Protocol

import numpy as np

from mensura.dialogue import Ask, Outcome
from mensura.dialogue.prompts import PromptLike


class Subject(Protocol):
    """Anything that maps an ask to an answer.

    It returns a plain answer, `Noted(answer, notes)`, `Refused(reason)` or `Wait()`. All else is optional and is left
    out by subjects that do not need it:

    - `begin(rng)`: a session begins; all chance comes from this generator
    - `feedback(told)`: it is told something, an ask without a space
    - `rest(prompt)`: the test takes a break; it goes on when this returns
    - `end(outcome)`: the session is over
    - `remember(ask, answer)`: a session goes on that was interrupted; this is what it was asked and answered before
    - `snapshot()`, `restore(state)`: what was learned, as JSON, for courses that branch
    - `close()`: nothing more will be asked
    - `learning`: whether it may learn, set by courses
    - `knows`: "truth" where it is meant to know it, an oracle or a scripted participant; its asks then keep their
      `truth` and `aside`, and every record and table says so
    - `recomputes`: True where the same generator gives the same answers again, so that a session which was cut off
      can be taken again and need not be stored answer by answer
    """

    def __call__(self, ask: Ask, /) -> Any:
        """Answer."""


def begin(subject: Any, rng: np.random.Generator) -> None:
    """Begin a session, if the subject cares."""
    if hasattr(subject, "begin"):
        subject.begin(rng)


def feedback(subject: Any, told: Ask) -> None:
    """Tell something, if the subject listens."""
    if hasattr(subject, "feedback"):
        subject.feedback(told)


def remember(subject: Any, exchange: tuple[Ask, Any]) -> None:
    """Bring an earlier answer back to mind, if the subject cares."""
    if hasattr(subject, "remember"):
        subject.remember(*exchange)


def rest(subject: Any, prompt: PromptLike) -> None:
    """Take a break, if the subject needs one."""
    if hasattr(subject, "rest"):
        subject.rest(prompt)


def end(subject: Any, outcome: Outcome) -> None:
    """End a session, if the subject cares."""
    if hasattr(subject, "end"):
        subject.end(outcome)


def close(subject: Any) -> None:
    """Let go of what the subject holds, if it holds anything."""
    if hasattr(subject, "close"):
        subject.close()


def knows(subject: Any) -> bool:
    """Return whether a subject, or what makes it, is declared to know the truth.

    Programs and files are strangers and are never told, whatever they say of themselves.
    """
    return getattr(subject, "knows", "") == "truth"


def name_of(subject: Any) -> str:
    """Name a subject for the record."""
    return str(getattr(subject, "name", None) or getattr(subject, "__name__", None) or type(subject).__name__)
