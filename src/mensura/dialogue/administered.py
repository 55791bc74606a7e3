"""Administered: what another program recorded when it put an item of a test to a subject, as our records need it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mensura.dialogue.bank import Item


@dataclass(frozen=True)
class Administered:
    """One item, put once to a subject by another program.

    Parameters
    ----------
    item
        Hash of the item.
    epoch
        Which time this item was asked, from 0.
    reply
        What the subject gave, as its call would return it: an answer, `Noted` or `Refused`; or the `SubjectFailed`
        that came instead.
    truths
        What is true of the item by its key, and what the other program's scorers said, under a key of their own.
    began, seconds
        When it began, in seconds since 1970, and how long it took; None where that is not known.
    """

    item: str
    epoch: int
    reply: Any
    truths: Mapping[str, Any] = field(default_factory=dict)
    began: float | None = None
    seconds: float | None = None


class Administrator(Protocol):
    """What lets another program put items to a subject, or reads what such a program recorded."""

    @property
    def about(self) -> Mapping[str, Any]:
        """What a record should say of the other program; never a key."""

    def __call__(self, subject: Any, *, items: Sequence[Item], epochs: Sequence[int]) -> Iterable[Administered]:
        """Return what was recorded of these items and times of asking, in any order.

        Parameters
        ----------
        subject
            Who is asked, as a `SubjectSpec`.
        """
