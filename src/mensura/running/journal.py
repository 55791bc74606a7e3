"""Journals of runs: what is new in a session is stored, and kept at hand for scoring."""

import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Event, Session
from mensura.store import Journal, MemoryJournal, open_store

if TYPE_CHECKING:
    from mensura.store import Store


class Stored(MemoryJournal):
    """A journal in a store that also keeps the whole session at hand, the stored part included.

    Parameters
    ----------
    durable
        Whether what is committed shall survive a power cut, as answers that cost money.
    beside
        Whether other sessions are driven by the same thread: a commit does not wait for the disk then, `settled` does.
    """

    def __init__(self, store: "Store", session: str, *, durable: bool = False, beside: bool = False) -> None:
        begun = store.events.last_number(session) > 0
        super().__init__(
            store.events.of(session, content=True) if begun else [], store.truths.of(session) if begun else {}
        )
        self.store = store
        self.session = session
        self.durable = durable
        self.beside = beside

    def commit(self, events: Sequence[Event], truths: Mapping[str, Any]) -> None:
        """Store events and truths in one transaction, then keep them."""
        self.store.events.append(self.session, events, truths=truths)
        if self.durable and not self.beside:
            self.store.database.flush()
        super().commit(events, truths)

    async def settled(self) -> None:
        """Return once what was committed beside others is on the disk."""
        if self.durable and self.beside:
            await self.store.database.flushed()


@cache
def shared_store(url: str, key: bytes | None = None) -> "Store":
    """Open a store once per process: a worker takes many sessions."""
    return open_store(url, key=key)


def commit(session: Session, journal: Journal, *, began: float | None = None) -> None:
    """Store what is new in a session; its first event was when it began, however late that is stored."""
    events = session.drain()
    truths = session.drain_truths()
    if events or truths:
        now = time.time()
        for event in events:
            event.time = began if began is not None and event.number == 1 else now
        journal.commit(events, truths)
