"""Exchanges: each question of a run's sessions with what came back, what it cost and how long it took."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import select

from mensura.dialogue import Event
from mensura.store import text
from mensura.store.log.events import Events, event_columns
from mensura.store.schema import contents, events, runs, sessions

ASKED = ("ask", "tell", "answer", "refuse", "abstain", "lapse", "forfeit", "invalid", "revise")
CLOSED = ("answer", "refuse", "abstain", "lapse", "forfeit")
AT_ONCE = 500
"""How many values one statement names."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question of a session that is over, and what became of it; without prompts."""

    session: str
    item: str
    """The item that the session was about; "" where it was asked several."""
    status: str
    """How the session ended."""
    key: str
    content: str
    """Where prompt and space are stored; "" where nothing was asked."""
    closed: str
    """The kind of the event that ended it; "" where none did."""
    tokens_in: float
    tokens_out: float
    cost: float
    """The cost of its answers, including those that were not valid; NaN where one of them does not say."""
    seconds: float
    """How long the answer took: by the subject's own account, else from one event to the other; NaN where unknown."""
    cached: bool
    """Whether the answer was given before and only looked up."""


@dataclass(eq=False, repr=False)
class Exchanges:
    """The exchanges of a store's sessions."""

    events: Events

    def of(self, run_id: str) -> Iterator[Exchange]:
        """Return the exchanges of a run's sessions that are over, in one query; a session without any gives one."""
        met, asked = sessions.c, events.c
        columns = met.id, met.item, met.status, asked.key, asked.kind, asked.time, asked.content, asked.notes
        joined = sessions.join(runs, runs.c.number == met.run).outerjoin(
            events, (asked.session == met.number) & asked.kind.in_(ASKED) & (asked.key != "")
        )
        wanted = select(*columns).select_from(joined).where(runs.c.id == run_id)
        wanted = wanted.where(met.status.not_in(("open", "withdrawn"))).order_by(met.number, asked.number)
        with self.events.database.reading() as connection:
            rows = connection.execution_options(stream_results=True).execute(wanted)
            for _, mine in groupby(rows, key=lambda row: row.id):
                by_key: dict[str, list[Any]] = {}
                for row in mine:
                    by_key.setdefault(row.key or "", []).append(row)
                yield from (_exchange(each) for each in by_key.values())

    def bodies(self, addresses: Iterable[str]) -> dict[str, Any]:
        """Return prompts and spaces by the addresses under which they are stored."""
        wanted, found = [each for each in dict.fromkeys(addresses) if each], {}
        with self.events.database.reading() as connection:
            for begin in range(0, len(wanted), AT_ONCE):
                some = contents.c.address.in_(wanted[begin : begin + AT_ONCE])
                for address, body in connection.execute(select(contents.c.address, contents.c.body).where(some)):
                    found[address] = text.read(body)
        return found

    def logs(self, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[Event]]:
        """Return the events of some questions, given by session and key, with their prompts."""
        found: dict[tuple[str, str], list[Event]] = {one: [] for one in asked}
        keys: Mapping[str, None] = dict.fromkeys(key for _, key in asked)
        named = {self.events.custodies.find(session).number: session for session, _ in asked}
        wanted = select(events.c.session, *event_columns(contents.c.body))
        wanted = wanted.outerjoin(contents, events.c.content == contents.c.address)
        wanted = wanted.where(events.c.session.in_(list(named)), events.c.key.in_(list(keys)))
        with self.events.database.reading() as connection:
            for row in connection.execute(wanted.order_by(events.c.session, events.c.number)):
                session = named[row[0]]
                event = self.events.make_event(self.events.custodies.find(session), tuple(row)[1:])
                if (session, event.key) in found:
                    found[session, event.key].append(event)
        return found


def _exchange(rows: Sequence[Any]) -> Exchange:
    """Sum up the events of one question."""
    first, closing = rows[0], next((row for row in reversed(rows) if row.kind in CLOSED), None)
    notes = [read for row in rows if row.notes is not None and isinstance(read := text.read(row.notes), dict)]
    took = _sum(notes, "seconds")
    if math.isnan(took) and closing is not None and closing.time is not None and first.time is not None:
        took = closing.time - first.time
    return Exchange(
        session=first.id,
        item=first.item,
        status=first.status,
        key=first.key or "",
        content=next((row.content for row in rows if row.content), ""),
        closed="" if closing is None else closing.kind,
        tokens_in=_sum(notes, "tokens_in"),
        tokens_out=_sum(notes, "tokens_out"),
        cost=_sum(notes, "cost"),
        seconds=took,
        cached=bool(notes) and all(each.get("cached") is True for each in notes),
    )


def _sum(notes: Sequence[Mapping[str, Any]], name: str) -> float:
    """Add up a number that a subject noted; NaN where none is there or one is not known.

    >>> _sum([{"cost": 1}, {"cost": 2.5}, {}], "cost"), _sum([{"cost": 1}, {"cost": None}], "cost"), _sum([], "cost")
    (3.5, nan, nan)
    """
    said = [each[name] for each in notes if name in each]
    # Notes are a stranger's: what is no number is not known.
    known = all(isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one) for one in said)
    return float(sum(said)) if said and known else math.nan
