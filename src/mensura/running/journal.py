"""Journals: where a driver writes events before the next ask is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from mensura.dialogue import Event

if TYPE_CHECKING:
    from mensura.store import Store


class Journal(Protocol):
    """Where a driver writes events before the next ask is shown."""

    def commit(self, events: list[Event], truths: Mapping[str, Any]) -> None:
        """Write events and truths, all or none; they are safe when this returns."""


@dataclass
class Collected:
    """A journal in memory."""

    events: list[Event] = field(default_factory=list)
    truths: dict[str, Any] = field(default_factory=dict)

    def commit(self, events: list[Event], truths: Mapping[str, Any]) -> None:
        """Keep events and truths."""
        self.events += events
        self.truths.update(truths)


class Stored(Collected):
    """A journal in a store that also keeps the whole session at hand, stored part included, for scoring."""

    def __init__(self, store: "Store", session: str) -> None:
        super().__init__(store.events(session), store.truths(session))
        self.store = store
        self.session = session

    def commit(self, events: list[Event], truths: Mapping[str, Any]) -> None:
        """Store events and truths in one transaction, then keep them."""
        self.store.append(self.session, events, truths=truths)
        super().commit(events, truths)


@cache
def shared_store(url: str) -> "Store":
    """Open a store once per process: a worker takes many sessions."""
    from mensura.store import open_store

    return open_store(url)
