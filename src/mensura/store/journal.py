"""Journals: where a driver writes events before the next ask is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mensura.dialogue import Event


class Journal(Protocol):
    """Where a driver writes events before the next ask is shown."""

    def commit(self, events: Sequence[Event], truths: Mapping[str, Any]) -> None:
        """Write events and truths, all or none; they are safe when this returns."""


@dataclass
class MemoryJournal:
    """A journal in memory: for tries, and for workers that cannot reach the store.

    >>> journal = MemoryJournal()
    >>> journal.commit([Event(1, "tell")], {"coin0": 1})
    >>> len(journal.events), journal.truths
    (1, {'coin0': 1})
    """

    events: list[Event] = field(default_factory=list)
    truths: dict[str, Any] = field(default_factory=dict)

    def commit(self, events: Sequence[Event], truths: Mapping[str, Any]) -> None:
        """Keep events and truths."""
        self.events += events
        self.truths.update(truths)

    async def settled(self) -> None:
        """Return once what was committed beside others is as safe as it will be."""
