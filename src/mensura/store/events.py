"""Events: the logs of sessions, append-only. Two unique keys decide every race."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from mensura.dialogue import Event
from mensura.dialogue.canonical import content_address
from mensura.errors import Conflict
from mensura.store import text
from mensura.store.result import Results
from mensura.store.schema import events

COLUMNS = [column.name for column in events.columns]
ADD_EVENT = f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
ADD_CONTENT = "INSERT INTO contents (address, body) VALUES (?, ?) ON CONFLICT DO NOTHING"
ADD_TRUTH = (
    "INSERT INTO truths (session, key, version, value, source, time) VALUES (?, ?, 1, ?, '', NULL) "
    "ON CONFLICT DO NOTHING"
)
END = "UPDATE sessions SET status = ?, last_words = ?, ended = ? WHERE number = ?"
BARE = "number, kind, role, key, tick, value, reward, until, nonce, notes, NULL, time"
SELECT = f"SELECT {BARE} FROM events WHERE session = ? AND number > ? ORDER BY number"
SELECT_FULL = (
    f"SELECT {BARE.replace('NULL', 'body')} FROM events LEFT JOIN contents ON content = address "
    "WHERE session = ? AND number > ? ORDER BY number"
)
SELECT_NONCE = f"SELECT {BARE} FROM events WHERE session = ? AND nonce = ?"
LAST_SAVE = "SELECT max(number) FROM events WHERE session = ? AND kind = 'save'"
LAST_NUMBER = "SELECT max(number) FROM events WHERE session = ?"


class Events(Results):
    """The part of a store that keeps events.

    Its statements go to the driver as they are: an append is on the path of every answer.
    """

    def append(
        self,
        session_id: str,
        events: Sequence[Event],
        *,
        truths: Mapping[str, Any] | None = None,
        status: str | None = None,
        last_words: str = "",
    ) -> None:
        """Add events and truths to a session, all or none; they are safe when this returns.

        An event of the kind "end" ends the session; `status` ends it where no events are written.

        Raises
        ------
        Conflict
            If one of the events' numbers or nonces is taken; nothing was changed.
        """
        session = self._session_number(session_id)
        bodies: dict[str, str] = {}
        rows = [_row(session, event, bodies) for event in events]
        known = sorted((session, key, text.write(value)) for key, value in truths.items()) if truths else []
        end = _end(events, status, last_words)
        try:
            with self.writing() as connection:
                if bodies:
                    # Sorted, or two writers of the same contents could wait for one another.
                    connection.exec_driver_sql(self._sql(ADD_CONTENT), sorted(bodies.items()))
                if rows:
                    connection.exec_driver_sql(self._sql(ADD_EVENT), rows)
                if known:
                    connection.exec_driver_sql(self._sql(ADD_TRUTH), known)
                if end is not None:
                    connection.exec_driver_sql(self._sql(END), (*end, session))
        except Conflict as conflict:
            raise Conflict(
                f"Session {session_id!r} already has one of the events {rows[0][1]} to {rows[-1][1]}, or an answer "
                "with the same nonce: another writer was first, or this is a retry. Nothing was changed; read the "
                "session again."
            ) from conflict

    def events(self, session_id: str, *, content: bool = False, after: int = 0) -> list[Event]:
        """Give the events of a session after a number; with prompts and spaces only where `content` is asked for."""
        session = self._session_number(session_id)
        with self.reading() as connection:
            rows = connection.exec_driver_sql(self._sql(SELECT_FULL if content else SELECT), (session, after))
            return [make_event(row) for row in rows]

    def events_since_save(self, session_id: str, *, content: bool = False) -> list[Event]:
        """Give what a resume needs: the last save and all after it, or everything where there is no save."""
        session = self._session_number(session_id)
        with self.reading() as connection:
            save = connection.exec_driver_sql(self._sql(LAST_SAVE), (session,)).scalar()
            after = 0 if save is None else save - 1
            rows = connection.exec_driver_sql(self._sql(SELECT_FULL if content else SELECT), (session, after))
            return [make_event(row) for row in rows]

    def event_with_nonce(self, session_id: str, nonce: str) -> Event | None:
        """Give the event that carries a nonce: a retry of it is answered with what was stored."""
        session = self._session_number(session_id)
        with self.reading() as connection:
            row = connection.exec_driver_sql(self._sql(SELECT_NONCE), (session, nonce)).first()
        return None if row is None else make_event(row)

    def last_number(self, session_id: str) -> int:
        """Give the number of the last event of a session; 0 where it has none."""
        session = self._session_number(session_id)
        with self.reading() as connection:
            return int(connection.exec_driver_sql(self._sql(LAST_NUMBER), (session,)).scalar() or 0)

    def rows(self, statement: str, session_id: str) -> list[Sequence[Any]]:
        """Ask one question about a session, whose row number stands for the question mark in it."""
        session = self._session_number(session_id)
        with self.reading() as connection:
            return list(connection.exec_driver_sql(self._sql(statement), (session,)))

    def _sql(self, statement: str) -> str:
        return statement.replace("?", "%s") if self.place.path is None else statement


def _row(session: int, event: Event, bodies: dict[str, str]) -> tuple[Any, ...]:
    address = None
    if event.content is not None:
        body = text.write(event.content)
        address = content_address(body)
        bodies[address] = body
    reward = event.reward
    return (
        session,
        event.number,
        event.kind,
        event.role,
        event.key,
        event.tick,
        None if event.value is None else text.write(event.value),
        # SQLite has no NaN: an unknown reward is NULL in every database.
        None if reward is None or reward != reward else float(reward),
        event.until,
        event.nonce,
        None if event.notes is None else text.write(event.notes),
        address,
        event.time,
    )


def make_event(row: Sequence[Any]) -> Event:
    """Read an event from a row."""
    number, kind, role, key, tick, value, reward, until, nonce, notes, body, when = row
    some = text.read_some
    return Event(number, kind, role, key, tick, some(value), reward, until, nonce, some(notes), some(body), time=when)


def _end(events: Sequence[Event], status: str | None, last_words: str) -> tuple[str, str, float] | None:
    last = events[-1] if events else None
    if last is not None and last.kind == "end":
        when = last.time if last.time is not None else time.time()
        return last.value["status"], text.clean(last.value["last_words"]), when
    if status is not None:
        return status, text.clean(last_words), time.time()
    return None
