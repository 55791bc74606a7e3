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
    """The interface to another program that puts items to a subject, or to a record of one."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Facts about the other program for the record; never a key."""

    def __call__(self, subject: Any, *, items: Sequence[Item], epochs: Sequence[int]) -> Iterable[Administered]:
        """Return what was recorded of these items and times of asking, in any order.

        Parameters
        ----------
        subject
            Who is asked, as a `SubjectSpec`.
        """
