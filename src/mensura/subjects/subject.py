"""Subject: who takes a test. Anything that maps an ask to an answer, with optional methods around it."""

import inspect
from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any, Protocol

import numpy as np

from mensura.dialogue import SUBJECT, Address, Ask, Noted, Outcome, Refused
from mensura.dialogue.prompts.base import PromptLike
from mensura.errors import BadParameter


class Subject(Protocol):
    """Anything that maps an ask to an answer.

    It returns a plain answer, `Noted(answer, notes)`, `Refused(reason)` or `Wait()`. All else is optional and is left
    out by subjects that do not need it:

    - `begin(rng)`, also with `role` and `address`: a session begins; all chance comes from this generator, and the
      address says which session of the run it is
    - `feedback(told)`: it is told something, an ask without a space
    - `rest(prompt)`: the test takes a break; it goes on when this returns
    - `end(outcome)`: the session is over
    - `remember(ask, answer)`: a session goes on that was interrupted; this is what it was asked and answered before;
      one that takes `notes` too is given what was noted beside the answer, and hears of its refusals
    - `snapshot()`, `restore(state)`: what was learned, as JSON, for courses that branch
    - `knowledge()`: how much it knows, as a number that grows with what was learned
    - `pause(seconds)`: so much time passes for it between two phases of a course; what fades with time fades
    - `close()`: nothing more will be asked
    - `learning`: whether it may learn, set by courses; False in a subject that never learns
    - `knows`: "truth" where it is meant to know it, an oracle or a scripted participant; its asks then keep their
      `truth` and `aside`, and every record and table says so
    - `recomputes`: True where the same generator gives the same answers again, so that a session which was cut off
      can be taken again and need not be stored answer by answer
    - `collective`: True where one object plays all the roles that it is cast for; every other subject is made anew
      for each role, and knows nothing of the others; a function cannot be copied, so what it keeps outside its call is
      shared by its roles
    """

    def __call__(self, ask: Ask, /) -> Any:
        """Answer."""


class Unlearning:
    """The declarations of a subject that never learns: it can be frozen and branched at no cost."""

    learning = False

    def snapshot(self) -> None:
        """Return nothing: nothing is learned."""

    def restore(self, state: None) -> None:
        """Stay as it is."""


def begin(subject: Any, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
    """Begin a session, if the subject cares; one that takes `role` or `address` is told which it is."""
    if not hasattr(subject, "begin"):
        return
    told = {"role": role, "address": address}
    taken = _taken(subject.begin)
    subject.begin(rng, **{name: value for name, value in told.items() if name in taken})


def _taken(method: Any) -> Collection[str]:
    try:
        return inspect.signature(method).parameters
    except (TypeError, ValueError):
        return ()


def feedback(subject: Any, told: Ask) -> None:
    """Tell something, if the subject listens."""
    if hasattr(subject, "feedback"):
        subject.feedback(told)


def remember(subject: Any, ask: Ask, answer: Any) -> None:
    """Bring an earlier answer back to mind; a subject that recomputes its answers is asked again."""
    reply, notes = (answer.value, answer.notes) if isinstance(answer, Noted) else (answer, {})
    if hasattr(subject, "remember") and "notes" in _taken(subject.remember):
        subject.remember(ask, reply, notes=notes)
    elif isinstance(reply, Refused):
        return
    elif hasattr(subject, "remember"):
        subject.remember(ask, reply)
    elif getattr(subject, "recomputes", False):
        subject(ask)


def remembers(subject: Any) -> bool:
    """Return whether a subject must hear of its earlier answers before a session is resumed."""
    return hasattr(subject, "remember") or bool(getattr(subject, "recomputes", False))


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


def own_minds(cast: Mapping[str, Any]) -> dict[str, Any]:
    """Give every role a separate subject: an object that is cast again is copied, unless it is a collective.

    >>> class Mind:
    ...     def __call__(self, ask):
    ...         return 0.5
    >>> own = own_minds(dict.fromkeys(["first", "second"], Mind()))
    >>> own["first"] is own["second"]
    False
    """
    own: dict[str, Any] = {}
    # By identity, since there may be thousands of roles.
    seen: set[int] = set()
    for role, member in cast.items():
        own[role] = _copy(member) if id(member) in seen and not collective(member) else member
        seen.add(id(own[role]))
    return own


def _copy(member: Any) -> Any:
    try:
        return deepcopy(member)
    except Exception as error:
        raise BadParameter(
            f"{name_of(member)} plays several roles and cannot be copied ({error}). Give its class, or one object for "
            "each role."
        ) from None


def collective(subject: Any) -> bool:
    """Return whether one object plays all the roles that it is cast for."""
    return bool(getattr(subject, "collective", False))


def name_of(subject: Any) -> str:
    """Name a subject for the record."""
    return str(getattr(subject, "name", None) or getattr(subject, "__name__", None) or type(subject).__name__)
