"""Tally: what each agent has sent, read and done, and what of it was refused."""

from collections.abc import Sequence
from typing import Any

MOST_TOLD = 5
"""Sentences of refusal that an agent reads at once."""


class AgentTally:
    """The counts of one agent."""

    __slots__ = ("checks", "links", "nogoods", "obsolete", "received", "sent", "size", "wakings")

    def __init__(self) -> None:
        self.sent: dict[str, int] = {}
        self.received = self.size = self.checks = self.wakings = self.obsolete = self.nogoods = self.links = 0

    def note(self, call: Sequence[Any]) -> None:
        """Take the call `count`: checks and obsolete letters of this waking, nogoods kept now, links added so far."""
        _, checks, obsolete, nogoods, links = call
        self.checks += checks or 0
        self.obsolete += obsolete or 0
        self.nogoods = self.nogoods if nogoods is None else nogoods
        self.links = self.links if links is None else links


class Refusals:
    """What agents called that cannot be: counted by sort, the first of each sort in words, and told to who called."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.words: dict[str, str] = {}
        self._told: dict[str, list[str]] = {}

    def add(self, agent: str, sort: str, words: str) -> None:
        """Count a refusal."""
        self.counts[sort] = self.counts.get(sort, 0) + 1
        self.words.setdefault(sort, words)
        told = self._told.setdefault(agent, [])
        if len(told) < MOST_TOLD:
            told.append(words)

    def take(self, agent: str) -> Sequence[str]:
        """Return what an agent has not been told yet."""
        return self._told.pop(agent, ()) if self._told else ()
