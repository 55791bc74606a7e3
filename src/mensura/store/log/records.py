"""Records: what sessions leave for scoring, put together from their events and truths."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Event, Record, make_record
from mensura.errors import StoreError
from mensura.store import text
from mensura.store.head import RunHead, SessionHead
from mensura.store.log.contents import ContentLoader
from mensura.store.log.events import read_reward
from mensura.store.log.row import of_run, session_head
from mensura.store.log.truths import read_truth
from mensura.store.sealed.custody import Custody

if TYPE_CHECKING:
    from mensura.store.store import Store

CHUNK = 100
"""Sessions read at once: few enough to hold, many enough that questions cost nothing."""
SCORING = "session, number, kind, role, key, tick, value, reward, notes, content, time, sealed"


@dataclass(eq=False, repr=False)
class Records:
    """The records of a store's sessions."""

    store: "Store"

    def find(self, session_id: str, *, run: RunHead | None = None) -> Record:
        """Return what a session leaves for scoring; prompts are loaded when `record.content` asks for them.

        Who knows its run gives it, so that it is not read for each of many sessions.
        """
        session = self.store.sessions.find(session_id)
        run = run or self.store.runs.find(session.run)
        return next(self._read_records([(self.store.custodies.find(session_id), session)], run))[0]

    def of(self, run_id: str) -> Iterator[Record]:
        """Return the records of a run one after the other, in the order of the sessions."""
        return (record for record, truths in self.with_truths(run_id))

    def with_truths(self, run_id: str) -> Iterator[tuple[Record, dict[str, Any]]]:
        """Return the records of a run with their truths: all that scoring needs, in few questions and no prompts."""
        run = self.store.runs.find(run_id)
        with self.store.database.reading() as connection:
            rows = connection.execute(of_run(run.id))
            heads = [(self.store.custodies.of_row(row), session_head(row)) for row in rows]
        for begin in range(0, len(heads), CHUNK):
            yield from self._read_records(heads[begin : begin + CHUNK], run)

    def _read_records(
        self, heads: list[tuple[Custody, SessionHead]], run: RunHead
    ) -> Iterator[tuple[Record, dict[str, Any]]]:
        """Read some sessions; the connection is given back before the first record leaves."""
        custodies = {custody.number: custody for custody, _ in heads}
        numbers = tuple(custodies)
        marks = ", ".join("?" * len(numbers))
        records: dict[int, Record] = {}
        truths: dict[int, dict[str, Any]] = {number: {} for number in numbers}
        by_number = {custody.number: head for custody, head in heads}
        database = self.store.database
        with database.reading() as connection:
            connection.execution_options(stream_results=True)
            events = f"SELECT {SCORING} FROM events WHERE session IN ({marks}) ORDER BY session, number"
            rows = connection.exec_driver_sql(database.sql(events), numbers)
            try:
                for number, group in groupby(rows, key=itemgetter(0)):
                    made = (_scoring_event(custodies[number], row) for row in group)
                    records[number] = self._make(by_number[number], run, made)
            except (KeyError, TypeError) as error:
                raise StoreError(
                    f"The store {database.place.shown} is damaged: the events of a session of run {run.id!r} do not "
                    "follow from one another. Restore it from a copy or an export."
                ) from error
            known = f"SELECT session, key, version, value FROM truths WHERE session IN ({marks}) ORDER BY version"
            for row in connection.exec_driver_sql(database.sql(known), numbers):
                truths[row.session][row.key] = read_truth(custodies[row.session], row)
        for custody, head in heads:
            yield records.get(custody.number) or self._make(head, run, iter(())), truths[custody.number]

    def _make(self, session: SessionHead, run: RunHead, events: Iterator[Event]) -> Record:
        return make_record(
            events,
            test=run.test,
            parameters=run.parameters,
            cast=session.cast,
            status=session.status,
            last_words=session.last_words,
            session=session.id,
            item=session.address.item,
            content=ContentLoader(self.store, session.id),
        )


_kinds: dict[str, str] = {}


def _scoring_event(custody: Custody, row: Any) -> Event:
    _, number, kind, role, key, tick, value, reward, notes, address, when, sealed = row
    if kind == "ask" or kind == "tell":
        # The few kinds of spaces are read once, not once for each ask.
        if value is not None:
            value = _kinds.get(value) or _kinds.setdefault(value, text.read(value))
    elif kind == "save":
        # No scoring looks at it.
        value = None
    elif value is not None:
        value = text.read(value)
    if sealed is not None:
        reward = read_reward(custody, number, sealed, ended=value if kind == "end" else None)
    if notes is not None:
        notes = text.read(notes)
    return Event(number, kind, role, key, tick, value, reward, None, None, notes, None, address, when)
