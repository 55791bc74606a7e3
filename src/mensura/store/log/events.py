"""Events: the logs of sessions, append-only. Two unique keys decide every race."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from mensura.dialogue import Event
from mensura.dialogue.canonical import content_address
from mensura.errors import BadParameter, Conflict
from mensura.store import text
from mensura.store.log.results import Results
from mensura.store.log.truths import seal_truth
from mensura.store.schema import events, runs
from mensura.store.sealed.chain import event_entries, status_entry, truth_entry
from mensura.store.sealed.custody import Custody
from mensura.store.sealed.sealing import Sealer

COLUMNS = [column.name for column in events.columns]
ADD_EVENT = f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
ADD_CONTENT = "INSERT INTO contents (address, body) VALUES (?, ?) ON CONFLICT DO NOTHING"
ADD_TRUTH = (
    "INSERT INTO truths (session, key, version, value, source, time) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
KNOWN_TRUTHS = "SELECT key FROM truths WHERE session = ? AND version = 1"
KNOWN_TRUTH = f"{KNOWN_TRUTHS} AND key = ?"
END = "UPDATE sessions SET status = ?, last_words = ?, ended = ? WHERE number = ?"
BARE = "number, kind, role, key, tick, value, reward, until, nonce, notes, NULL, content, time, sealed"
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
        custody = self._custody(session_id)
        if custody.secret is None:
            custody = self._adopt(custody)
        session, sealer = custody.number, custody.sealer
        assert sealer is not None
        bodies: dict[str, str] = {}
        rows = [self._row(custody, event, bodies) for event in events]
        known = {
            key: (key, 1, seal_truth(custody, key, 1, value), "", None) for key, value in sorted((truths or {}).items())
        }
        end = _end(events, status, last_words)
        entries = event_entries(sealer.salt, rows)
        if end is not None:
            entries.append(status_entry(sealer.salt, *end))
        try:
            with self.writing() as connection:
                if bodies:
                    # Sorted, or two writers of the same contents could wait for one another.
                    self._at_once(connection, ADD_CONTENT, sorted(bodies.items()))
                if rows:
                    self._at_once(connection, ADD_EVENT, rows)
                if known:
                    fresh = self._unknown_truths(connection, session, known)
                    if fresh:
                        self._at_once(connection, ADD_TRUTH, [(session, *row) for row in fresh])
                        entries += [truth_entry(sealer.salt, row) for row in fresh]
                if end is not None:
                    self._at_once(connection, END, (*end, session))
                self._link(connection, custody, entries, settled=end is not None)
        except Conflict as conflict:
            raise Conflict(
                f"Session {session_id!r} already has one of the events {rows[0][1]} to {rows[-1][1]}, or an answer "
                "with the same nonce: another writer was first, or this is a retry. Nothing was changed; read the "
                "session again."
            ) from conflict

    def events(self, session_id: str, *, content: bool = False, after: int = 0) -> list[Event]:
        """Give the events of a session after a number; with prompts and spaces only where `content` is asked for."""
        custody = self._custody(session_id)
        with self.reading() as connection:
            wanted = self._sql(SELECT_FULL if content else SELECT)
            rows = connection.exec_driver_sql(wanted, (custody.number, after)).all()
        return [self.make_event(custody, row) for row in rows]

    def events_since_save(self, session_id: str, *, content: bool = False) -> list[Event]:
        """Give what a resume needs: the last save and all after it, or everything where there is no save."""
        session = self._session_number(session_id)
        with self.reading() as connection:
            save = connection.exec_driver_sql(self._sql(LAST_SAVE), (session,)).scalar()
        # A save that comes in between is no harm: it lies after this one.
        return self.events(session_id, content=content, after=0 if save is None else save - 1)

    def event_with_nonce(self, session_id: str, nonce: str) -> Event | None:
        """Give the event that carries a nonce: a retry of it is answered with what was stored."""
        custody = self._custody(session_id)
        with self.reading() as connection:
            row = connection.exec_driver_sql(self._sql(SELECT_NONCE), (custody.number, nonce)).first()
        return None if row is None else self.make_event(custody, row)

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

    def _unknown_truths(self, connection: Connection, session: int, truths: Mapping[str, Any]) -> list[Any]:
        """Leave out the truths that are there already, as of a key that is asked again."""
        one = next(iter(truths)) if len(truths) == 1 else None
        asked = (KNOWN_TRUTHS, (session,)) if one is None else (KNOWN_TRUTH, (session, one))
        there = {row[0] for row in self._at_once(connection, *asked).fetchall()}
        return [row for key, row in truths.items() if key not in there]

    def make_event(self, custody: Custody, row: Sequence[Any]) -> Event:
        """Read an event from a row, and open what of it was sealed."""
        number, kind, role, key, tick, value, reward, until, nonce, notes, body, address, when, sealed = row
        some = text.read_some
        if kind == "save":
            value = self._open_save(custody, number, value)
        else:
            value = some(value)
        address = address if body is None else None
        if sealed is not None:
            reward = read_reward(custody, number, sealed, ended=value if kind == "end" else None)
        return Event(number, kind, role, key, tick, value, reward, until, nonce, some(notes), some(body), address, when)

    def _row(self, custody: Custody, event: Event, bodies: dict[str, str]) -> tuple[Any, ...]:
        address = sealed = None
        if event.content is not None:
            body = text.write(event.content)
            address = content_address(body)
            bodies[address] = body
        reward, value = event.reward, event.value
        if event.kind == "end":
            outcome = value["outcome"]
            reward, value = outcome.get("reward"), {**value, "outcome": {**outcome, "reward": None}}
        # No database keeps NaN: an unknown reward is none.
        if reward is not None and reward == reward:
            sealed = custody.seal(text.write(reward), f"reward {event.number}")
        written = None if value is None else text.write(value)
        if event.kind == "save":
            written = self._seal_save(custody, event.number, value)
        return (
            custody.number,
            event.number,
            event.kind,
            event.role,
            event.key,
            event.tick,
            written,
            None,
            event.until,
            event.nonce,
            None if event.notes is None else text.write(event.notes),
            address,
            event.time,
            sealed,
        )

    def _seal_save(self, custody: Custody, number: int, value: Mapping[str, Any]) -> str:
        """Seal a save, and in it the state of the test's generator once more: it goes where the seed goes."""
        if value.get("rng") is not None:
            chance = self._seed_sealer(custody).seal(text.write(value["rng"]), about=f"chance {number}")
            value = {**value, "rng": chance}
        return custody.seal(text.write(value), f"save {number}")

    def _open_save(self, custody: Custody, number: int, stored: str) -> Any:
        value = text.read(custody.open(stored, f"save {number}"))
        if isinstance(value.get("rng"), str):
            try:
                value["rng"] = text.read(self._seed_sealer(custody).open(value["rng"], about=f"chance {number}"))
            except BadParameter:
                # The run came without its secret seed: it can be read, but not gone on with.
                value["rng"] = None
        return value

    def _seed_sealer(self, custody: Custody) -> Sealer:
        with self.reading() as connection:
            row = connection.execute(select(runs).where(runs.c.number == custody.run)).one()
        return Sealer(str(self._run_head(row).own_seed()).encode())

    def _adopt(self, custody: Custody) -> Custody:
        """Give a session of the first release a secret, and bind what there is of it, so that it can go on."""
        raise NotImplementedError


def read_reward(custody: Custody, number: int, sealed: str, *, ended: dict[str, Any] | None) -> float | None:
    """Read the reward of an event; that of the end goes back into its outcome."""
    reward = text.read(custody.open(sealed, f"reward {number}"))
    if ended is None:
        return float(reward)
    ended["outcome"]["reward"] = reward
    return None


def _end(events: Sequence[Event], status: str | None, last_words: str) -> tuple[str, str, float | None] | None:
    last = events[-1] if events else None
    if last is not None and last.kind == "end":
        when = last.time if last.time is not None else time.time()
        return last.value["status"], text.clean(last.value["last_words"]), when
    if status is not None:
        return status, text.clean(last_words), time.time()
    return None
