"""Steward: what a run does for a language model in one of its sessions: finds who approves, and keeps accounts."""

from dataclasses import dataclass
from typing import Protocol

from mensura.subjects.subject import Subject

NOBODY = "No page is open on which a person could approve."


@dataclass(frozen=True)
class Spent:
    """The part of its allowance that a model used; None where that is not known."""

    tokens: float | None = 0.0
    cost: float | None = 0.0
    seconds: float = 0.0
    turns: int = 0
    """Calls of the model for the answer that is not given yet."""
    replies: int = 0
    """How many replies of the model are stored."""
    tokens_in: float | None = 0.0
    """Of the tokens for the answer that is not given yet those that were read."""
    tokens_out: float | None = 0.0


class Steward(Protocol):
    """The services of a run for a model in one session, so that nothing of it is lost with the process."""

    def approver(self, who: str) -> Subject:
        """Make the person who approves, on a page, of what a model of some name does."""

    def replied(self, role: str) -> Spent:
        """Return what the replies took that are stored."""

    def on_the_way(self, role: str, *, replies: int) -> Spent:
        """Return what was taken after so many replies for one that is not stored."""

    def note(self, role: str, spent: Spent) -> None:
        """Store what was taken since the last reply."""
