"""Group: several subjects that are one; what both a team and an assisted subject have in common."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Noted, Outcome
from mensura.dialogue.streams import part
from mensura.subjects import subject as parts
from mensura.subjects.subject import Subject


class Several:
    """Several subjects that are one: each has its own chance, all are told everything, all learn or none."""

    def __init__(self, members: Sequence[Subject], *, name: str) -> None:
        self.members = list(members)
        self.name = name

    @property
    def recomputes(self) -> bool:
        """Whether all members do."""
        return all(getattr(member, "recomputes", False) for member in self.members)

    @property
    def learning(self) -> bool:
        """Whether any member learns; there only where a member has that switch."""
        switches = [member.learning for member in self.members if hasattr(member, "learning")]
        if not switches:
            raise AttributeError("learning")
        return any(switches)

    @learning.setter
    def learning(self, value: bool) -> None:
        for member in self.members:
            if hasattr(member, "learning"):
                member.learning = value

    @property
    def snapshot(self) -> Any:
        """The method that gives what all have learned; there only where every learner can say it."""
        can = [hasattr(member, "snapshot") for member in self.members]
        must = [hasattr(member, "learning") for member in self.members]
        if not any(can) or any(learns and not says for learns, says in zip(must, can, strict=True)):
            raise AttributeError("snapshot")
        return lambda: [member.snapshot() if hasattr(member, "snapshot") else None for member in self.members]

    def restore(self, states: Sequence[Any]) -> None:
        """Give every member back what it had learned."""
        for member, state in zip(self.members, states, strict=True):
            if hasattr(member, "restore"):
                member.restore(state)

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Begin a session, each member with a generator of its own."""
        for member, own in zip(self.members, part(rng, len(self.members)), strict=True):
            parts.begin(member, own, role)

    @property
    def knows(self) -> str:
        """ "truth" where any member is declared to know it; the others are not told."""
        return "truth" if any(map(parts.knows, self.members)) else ""

    def feedback(self, told: Ask) -> None:
        """Tell everyone."""
        for member in self.members:
            parts.feedback(member, for_member(member, told))

    def end(self, outcome: Outcome) -> None:
        """End the session for everyone."""
        for member in self.members:
            parts.end(member, outcome)

    def close(self) -> None:
        """Let go of everyone."""
        for member in self.members:
            parts.close(member)


def for_member(member: Subject, ask: Ask) -> Ask:
    """Return an ask as one member may see it: what is true is for those who are declared to know it."""
    bare = ask.truth is None and ask.aside is None
    return ask if bare or parts.knows(member) else ask.without_truth()


def unnoted(reply: Any) -> tuple[Any, dict[str, Any]]:
    """Take the notes off a reply."""
    return (reply.value, reply.notes) if isinstance(reply, Noted) else (reply, {})


def added(notes: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Add up what members counted: tokens, cost, seconds.

    >>> added([{"tokens_in": 3, "model": "a"}, {"tokens_in": 4}])
    {'tokens_in': 7}
    """
    sums: dict[str, float] = {}
    for each in notes:
        for name, value in each.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                sums[name] = sums.get(name, 0) + value
    return sums
