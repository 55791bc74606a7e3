"""A journal in a store that also keeps the whole session at hand, for scoring."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Event
from mensura.store import MemoryJournal, open_store

if TYPE_CHECKING:
    from mensura.store import Store


class Stored(MemoryJournal):
    """A journal in a store that also keeps the whole session at hand, the stored part included."""

    def __init__(self, store: "Store", session: str, *, durable: bool = False) -> None:
        begun = store.events.last_number(session) > 0
        super().__init__(
            store.events.of(session, content=True) if begun else [], store.truths.of(session) if begun else {}
        )
        self.store = store
        self.session = session
        self.durable = durable

    def commit(self, events: Sequence[Event], truths: Mapping[str, Any]) -> None:
        """Store events and truths in one transaction, then keep them; answers that cost money survive a power cut."""
        self.store.events.append(self.session, events, truths=truths)
        if self.durable:
            self.store.database.flush()
        super().commit(events, truths)


@cache
def shared_store(url: str, key: bytes | None = None) -> "Store":
    """Open a store once per process: a worker takes many sessions."""
    return open_store(url, key=key)
