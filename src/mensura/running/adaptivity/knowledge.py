"""Knowledge: how much a subject knows, as it says itself or by the size of what its snapshot adds."""

import lzma
from math import isfinite
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Noted
from mensura.dialogue.canonical import canonical
from mensura.subjects import Subject
from mensura.subjects import subject as parts
from mensura.subjects.group import Around, Work, unnoted

OWN, PROXY = "knowledge()", "compressed bytes of the snapshot's difference (a proxy)"
"""How knowledge was found: what the subject says, or how many bytes it takes to tell what its first state lacks."""


def snapshot_of(subject: Any) -> Any:
    """Return what a subject has learned; None where it cannot say."""
    return subject.snapshot() if hasattr(subject, "snapshot") else None


def knowledge_of(subject: Any, *, first: Any) -> tuple[float, str] | None:
    """Return how much a subject knows and how that was found; None where nobody can say.

    Parameters
    ----------
    first
        Its snapshot when the course began.
    """
    if hasattr(subject, "knowledge"):
        return float(subject.knowledge()), OWN
    if not hasattr(subject, "snapshot"):
        return None
    before, now = _bytes(first), _bytes(subject.snapshot())
    return float(max(0, _size(before + now) - _size(before + before))), PROXY


def _bytes(state: Any) -> bytes:
    try:
        return canonical(state).encode()
    except (TypeError, ValueError):
        return repr(state).encode()


def _size(data: bytes) -> int:
    # The plain format: others are filled up to whole words, which hides small differences.
    return len(lzma.compress(data, format=lzma.FORMAT_ALONE, preset=1))


class Weighed(Around):
    """Notes with the first answer of each session how much the subject knew when it was given."""

    def __init__(self, subject: Subject, *, first: Any) -> None:
        super().__init__(subject, name=parts.name_of(subject))
        self._first = first
        self._opening = False

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Weigh what is known before the session teaches anything."""
        super().begin(rng, role)
        self._opening = True

    def work(self, ask: Ask) -> Work:
        found = knowledge_of(self.member, first=self._first) if self._opening else None
        self._opening = False
        (reply,) = yield [(self.member, ask)]
        if found is None or not isfinite(found[0]):
            return reply
        value, notes = unnoted(reply)
        return Noted(value, {**notes, "knowledge": found[0], "knowledge_by": found[1]})
