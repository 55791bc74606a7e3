"""Knowledge: how much a subject knows, as it says itself or by the size of what its snapshot adds."""

from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Ask, Noted
from mensura.errors import BadData
from mensura.stats.adaptivity.knowledge import knowledge_gained
from mensura.subjects import Subject
from mensura.subjects import subject as parts
from mensura.subjects.group import Around, Work, unnoted

OWN = "knowledge(), as the subject states it"


def snapshot_of(subject: Any) -> Any:
    """Return what a subject has learned; None where it cannot say."""
    return subject.snapshot() if hasattr(subject, "snapshot") else None


def knowledge_of(subject: Any, *, first: Any) -> dict[str, Any]:
    """Return how much a subject knows and how that was found, as notes; empty where nobody can say.

    Parameters
    ----------
    first
        Its snapshot when the course began.
    """
    if hasattr(subject, "knowledge"):
        return {"knowledge": float(subject.knowledge()), "knowledge_by": OWN}
    if not hasattr(subject, "snapshot"):
        return {}
    try:
        found = knowledge_gained(before=first, after=subject.snapshot())
    except BadData:
        return {}
    return {"knowledge": found.amount, "knowledge_by": found.measure}


class Weighed(Around):
    """Notes with the first answer of each session how much the subject knew when it was asked."""

    def __init__(self, subject: Subject, *, first: Any) -> None:
        super().__init__(subject, name=parts.name_of(subject))
        self._first = first
        self._opening = False

    def begin(self, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
        """Weigh what is known before the session teaches anything."""
        super().begin(rng, role, address)
        self._opening = True

    def work(self, ask: Ask) -> Work:
        found = knowledge_of(self.member, first=self._first) if self._opening else {}
        self._opening = False
        (reply,) = yield [(self.member, ask)]
        if not found:
            return reply
        value, notes = unnoted(reply)
        return Noted(value, {**notes, **found})
