"""Transcript: the events of a session as a reader turns their pages, without those that nobody reads."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select

from mensura.dialogue import Event
from mensura.store.log.events import Events, event_columns
from mensura.store.schema import contents, events

HIDDEN = ("digest", "save")
"""Events that a reader has no use for; a save also holds the state of chance, which stays secret."""


@dataclass(frozen=True)
class Position:
    """Where an event stands among those of its session that can be read."""

    number: int
    place: int
    """How many events there are up to it."""
    total: int
    first: int
    last: int
    before: int | None
    after: int | None
    began: float | None
    """When the session's first event was."""


@dataclass(eq=False, repr=False)
class Transcript:
    """The pages of a store's sessions."""

    events: Events

    def page(self, session_id: str, *, after: int = 0, limit: int, up_to: int | None = None) -> list[Event]:
        """Return some events with their prompts; with `up_to` the last ones up to that number."""
        joined = events.outerjoin(contents, events.c.content == contents.c.address)
        wanted = (
            select(*event_columns(contents.c.body))
            .select_from(joined)
            .where(self._shown(session_id), events.c.number > after)
        )
        wanted = wanted.order_by(events.c.number if up_to is None else events.c.number.desc()).limit(limit)
        if up_to is not None:
            wanted = wanted.where(events.c.number <= up_to)
        found = self.events.read(self.events.custodies.find(session_id), wanted)
        return found if up_to is None else found[::-1]

    def count(self, session_id: str) -> dict[str, int]:
        """Count the events of a session by kind."""
        counted = select(events.c.kind, func.count()).where(self._shown(session_id)).group_by(events.c.kind)
        with self.events.database.reading() as connection:
            return {str(kind): int(many) for kind, many in connection.execute(counted)}

    def position(self, session_id: str, number: int | None) -> Position | None:
        """Find the event at or before a number, None for the first; None where there is nothing to read."""
        mine, each = self._shown(session_id), events.c.number
        whole = select(func.min(each), func.max(each), func.count(), func.min(events.c.time)).where(mine)
        with self.events.database.reading() as connection:
            first, last, total, began = connection.execute(whole).one()
            if not total:
                return None
            wanted = min(max(first if number is None else number, first), last)
            upto = select(func.max(each), func.count()).where(mine, each <= wanted)
            here, place = connection.execute(upto).one()
            before = connection.execute(select(func.max(each)).where(mine, each < here)).scalar()
            after = connection.execute(select(func.min(each)).where(mine, each > here)).scalar()
        return Position(here, place, total, first, last, before, after, began)

    def _shown(self, session_id: str) -> ColumnElement[bool]:
        mine = events.c.session == self.events.custodies.find(session_id).number
        return mine & events.c.kind.not_in(HIDDEN)
