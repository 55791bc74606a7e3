"""Tables of items, kept at hand until a session of theirs ends, is scored again or is left out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mensura.running.items.observed import ItemRun, read_items
from mensura.running.items.table import ItemTable, join
from mensura.store.head import RunHead
from mensura.web.lab.at_hand import AtHand

if TYPE_CHECKING:
    from mensura.store import Store

QUICK = 2000
"""Sessions that are read while a page waits; of more the page is sent first, and the table when it is made."""


class ItemTables:
    """The tables of items that one process has at hand."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self._runs: AtHand[ItemRun] = AtHand(12)
        self._tables: AtHand[ItemTable] = AtHand(8)
        self._states: AtHand[Any] = AtHand(64)

    def of(self, runs: Sequence[RunHead]) -> ItemTable:
        """Join the items of runs, or give the table that still holds."""
        return self._made(runs, [self._version(run) for run in runs])

    def soon(self, runs: Sequence[RunHead]) -> ItemTable | None:
        """Return the table of runs if it is at hand or quickly made; None where a page had to wait for it."""
        versions = [self._version(run) for run in runs]
        sessions = sum(sum(counts.values()) for _, counts in versions)
        if sessions > QUICK and not self._tables.has(_key(runs), versions):
            return None
        return self._made(runs, versions)

    def _made(self, runs: Sequence[RunHead], versions: list[Any]) -> ItemTable:
        def make() -> ItemTable:
            parts = zip(runs, versions, strict=True)
            return join(
                [self._runs.get(run.id, _reading(run, self.store), own) for run, own in parts], store=self.store
            )

        return self._tables.get(_key(runs), make, versions)

    def _version(self, run: RunHead) -> tuple[Any, dict[str, int]]:
        """Return which state the sessions, results and exclusions of a run are in."""
        counts = self.store.sessions.count(run.id)
        # To look through the results of a large run is not needed while no run has a new one and nobody withdrew.
        state = self._states.get(
            run.id, lambda: self.store.results.version(run.id), (self.store.results.newest(), counts)
        )
        return state, counts


def _key(runs: Sequence[RunHead]) -> tuple[str, ...]:
    return tuple(run.id for run in runs)


def _reading(run: RunHead, store: "Store") -> Any:
    return lambda: read_items(run, store=store)
