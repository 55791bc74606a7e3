"""Events: the logs of sessions, append-only. Two unique keys decide every race."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, case, func, select

from mensura.dialogue import Event
from mensura.dialogue.canonical import content_address
from mensura.errors import Conflict
from mensura.store import text
from mensura.store.database import Database
from mensura.store.log.deeds import UNANSWERED
from mensura.store.log.saves import Saves
from mensura.store.log.truths import seal_truth
from mensura.store.schema import contents, events, sessions
from mensura.store.sealed.adoption import Adoption
from mensura.store.sealed.chain import event_entries, status_entry, truth_entry
from mensura.store.sealed.custody import Custodies, Custody

COLUMNS = [column.name for column in events.columns]
ADD_EVENT = f"INSERT INTO events ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
ADD_CONTENT = "INSERT INTO contents (address, body) VALUES (?, ?) ON CONFLICT DO NOTHING"
ADD_TRUTH = (
    "INSERT INTO truths (session, key, version, value, source, time) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
KNOWN_TRUTHS = "SELECT key FROM truths WHERE session = ? AND version = 1"
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
LAST_NUMBERS = f"SELECT sessions.number, ({LAST_NUMBER.replace('?', 'sessions.number')}) FROM sessions"
STANDING = f"SELECT ({LAST_NUMBER}), secret, status FROM sessions WHERE number = ?"
SPENT = ("tokens_in", "tokens_out", "cost")
NOTED = (
    "SELECT notes FROM events JOIN sessions ON sessions.number = events.session "
    "JOIN runs ON runs.number = sessions.run WHERE runs.id = ? AND notes IS NOT NULL AND notes LIKE ?"
)
NOTES = '%"tokens_in"%'
TAKEN_IN_VAIN = "SELECT body FROM deeds WHERE kind = ? AND session LIKE ?"
DECLINED = (
    f"SELECT id, {', '.join('NULL' if name == 'NULL' else f'events.{name}' for name in BARE.split(', '))} FROM events "
    "JOIN sessions ON sessions.number = events.session WHERE sessions.run = (SELECT number FROM runs WHERE id = ?) "
    "AND kind = 'refuse' ORDER BY events.session, events.number LIMIT ?"
)


@dataclass(eq=False, repr=False)
class Events:
    """The events of a store.

    Their statements go to the driver as they are: an append is on the path of every answer.
    """

    database: Database
    custodies: Custodies
    saves: Saves
    adoption: Adoption

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
        custody = self.custodies.find(session_id)
        if custody.secret is None:
            custody = self.adoption.adopt(custody)
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
            with self.database.appending() as connection:
                turn = self.custodies.take_turn(connection, custody)
                if bodies:
                    # Sorted, or two writers of the same contents could wait for one another.
                    self.database.at_once(connection, ADD_CONTENT, sorted(bodies.items()))
                if rows:
                    self.database.at_once(connection, ADD_EVENT, rows)
                if known:
                    entries += [truth_entry(sealer.salt, row) for row in self._add_truths(connection, session, known)]
                if end is not None:
                    self.database.at_once(connection, END, (*end, session))
                self.custodies.link(connection, custody, entries, turn=turn, settled=end is not None)
        except Conflict as conflict:
            if not rows:
                raise
            raise Conflict(
                f"Session {session_id!r} already has one of the events {rows[0][1]} to {rows[-1][1]}, or an answer "
                "with the same nonce: another writer was first, or this is a retry. Nothing was changed; read the "
                "session again."
            ) from conflict

    def of(self, session_id: str, *, content: bool = False, after: int = 0) -> list[Event]:
        """Return the events of a session after a number; with prompts and spaces only where `content` is asked for."""
        custody = self.custodies.find(session_id)
        with self.database.reading() as connection:
            wanted = self.database.sql(SELECT_FULL if content else SELECT)
            rows = connection.exec_driver_sql(wanted, (custody.number, after)).all()
        return [self.make_event(custody, row) for row in rows]

    def since_save(self, session_id: str, *, content: bool = False) -> list[Event]:
        """Return what a resume needs: the last save and all after it, or everything where there is no save."""
        session = self.custodies.find(session_id).number
        with self.database.reading() as connection:
            save = connection.exec_driver_sql(self.database.sql(LAST_SAVE), (session,)).scalar()
        # A save that comes in between is no harm: it lies after this one.
        return self.of(session_id, content=content, after=0 if save is None else save - 1)

    def with_nonce(self, session_id: str, nonce: str) -> Event | None:
        """Return the event that carries a nonce: a retry of it is answered with what was stored."""
        custody = self.custodies.find(session_id)
        rows = self.database.glance(SELECT_NONCE, (custody.number, nonce))
        return self.make_event(custody, rows[0]) if rows else None

    def last_number(self, session_id: str) -> int:
        """Return the number of the last event of a session; 0 where it has none."""
        session = self.custodies.find(session_id).number
        ((last,),) = self.database.glance(LAST_NUMBER, (session,))
        return int(last or 0)

    def last_numbers(self, session_ids: Sequence[str]) -> dict[str, int]:
        """Return the number of the last event of each of some sessions."""
        names = {self.custodies.find(name).number: name for name in session_ids}
        marks = ", ".join("?" * len(names))
        rows = self.database.glance(f"{LAST_NUMBERS} WHERE sessions.number IN ({marks})", tuple(names))
        return {names[number]: int(last or 0) for number, last in rows}

    def standing(self, session_id: str) -> tuple[int, str | None, str]:
        """Return the last event's number, the session's secret, which an erasure changes, and its status."""
        session = self.custodies.find(session_id).number
        ((last, secret, status),) = self.database.glance(STANDING, (session, session))
        return int(last or 0), secret, status

    def of_kinds(self, session_id: str, kinds: Sequence[str], *, first: bool = False) -> list[Event]:
        """Return the events of some kinds without prompts, and with `first` the first of all."""
        custody = self.custodies.find(session_id)
        wanted = f"kind IN ({', '.join('?' * len(kinds))}){' OR number = 1' if first else ''}"
        statement = f"SELECT {BARE} FROM events WHERE session = ? AND ({wanted}) ORDER BY number"
        return [self.make_event(custody, row) for row in self.database.glance(statement, (custody.number, *kinds))]

    def told_first(self, session_id: str, *, role: str) -> list[Event]:
        """Return what a role was told before its first question, with prompts."""
        custody = self.custodies.find(session_id)
        mine = events.c.session == custody.number, events.c.role == role
        first = select(func.min(events.c.number)).where(*mine, events.c.kind == "ask").scalar_subquery()
        told = select(*event_columns(contents.c.body)).outerjoin(contents, events.c.content == contents.c.address)
        return self.read(
            custody, told.where(*mine, events.c.kind == "tell", events.c.number < first).order_by(events.c.number)
        )

    def last_of_kinds(self, session_id: str, kinds: Sequence[str], *, role: str) -> int | None:
        """Return the number of a role's last event of some kinds; None where it has none."""
        statement = f"{LAST_NUMBER} AND role = ? AND kind IN ({', '.join('?' * len(kinds))})"
        ((last,),) = self.database.glance(statement, (self.custodies.find(session_id).number, role, *kinds))
        return None if last is None else int(last)

    def times(self, session_id: str) -> tuple[float | None, float | None]:
        """Return when the first and the last event of a session were."""
        mine = events.c.session == self.custodies.find(session_id).number
        with self.database.reading() as connection:
            first, last = connection.execute(select(func.min(events.c.time), func.max(events.c.time)).where(mine)).one()
        return first, last

    def contents(self, session_id: str) -> list[tuple[str, str]]:
        """Return what a session showed: prompts and spaces by their addresses, as they are stored."""
        used = select(contents.c.address, contents.c.body).join(events, events.c.content == contents.c.address)
        mine = events.c.session == self.custodies.find(session_id).number
        with self.database.reading() as connection:
            return [(row.address, row.body) for row in connection.execute(used.where(mine).distinct())]

    def counted(self, session_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Count the answers of some sessions, valid and invalid, and say when the first and last event of each were."""
        answers, invalid = (func.sum(case((events.c.kind == kind, 1), else_=0)) for kind in ("answer", "invalid"))
        found = select(sessions.c.id, answers, invalid, func.min(events.c.time), func.max(events.c.time))
        found = found.join(events, events.c.session == sessions.c.number).group_by(sessions.c.id)
        with self.database.reading() as connection:
            rows = connection.execute(found.where(sessions.c.id.in_(list(session_ids)))).all()
        names = ("answers", "invalid", "first", "last")
        return {row[0]: dict(zip(names, row[1:], strict=True)) for row in rows}

    def spent(self, run_id: str) -> dict[str, float | None]:
        """Add up the tokens and the cost that subjects noted beside their answers; None where one is not known.

        Answers from a cache took nothing; `cached` says how many they are.
        """
        sums: dict[str, float | None] = {}
        for notes in self._noted(run_id):
            for name in SPENT:
                if name in notes:
                    sum_, value = sums.get(name, 0.0), 0.0 if notes.get("cached") is True else notes[name]
                    known = _number(value)
                    sums[name] = None if sum_ is None or known is None else sum_ + known
            if notes.get("cached") is True:
                sums["cached"] = (sums.get("cached") or 0.0) + 1
        return sums

    def paid(self, run_id: str) -> tuple[float, int]:
        """Return what a run has cost at most, as far as that is known, and how many answers it is not known of."""
        total, unknown = 0.0, 0
        for notes in self._noted(run_id):
            cost, doubtful = _number(notes.get("cost")), _number(notes.get("cost_doubtful"))
            total += (cost or 0.0) + (doubtful or 0.0)
            unknown += cost is None and doubtful is None
        return total, unknown

    def _noted(self, run_id: str) -> Iterator[dict[str, Any]]:
        """Read the notes of a run that say what an answer took."""
        with self.database.reading() as connection:
            rows = connection.execution_options(stream_results=True).exec_driver_sql(
                self.database.sql(NOTED), (run_id, NOTES)
            )
            for (noted,) in rows:
                notes = text.read(noted)
                yield notes
                if isinstance(summary := notes.get("summary"), dict):
                    # A request of its own.
                    yield summary
            # The ids of sessions begin with that of their run, which holds no sign that LIKE reads otherwise but "_".
            in_vain = connection.exec_driver_sql(self.database.sql(TAKEN_IN_VAIN), (UNANSWERED, f"{run_id}/%"))
            yield from (text.read(body) for (body,) in in_vain)

    def declined(self, run_id: str, *, limit: int) -> list[tuple[str, Event]]:
        """Return the first refusals of a run, each with its session."""
        with self.database.reading() as connection:
            rows = connection.exec_driver_sql(self.database.sql(DECLINED), (run_id, limit)).all()
        return [(row[0], self.make_event(self.custodies.find(row[0]), row[1:])) for row in rows]

    def read(self, custody: Custody, wanted: Select[Any]) -> list[Event]:
        """Carry out a selection of the `event_columns` of one session's events."""
        with self.database.reading() as connection:
            return [self.make_event(custody, tuple(row)) for row in connection.execute(wanted)]

    def _add_truths(self, connection: Any, session: int, truths: Mapping[str, Any]) -> list[Any]:
        """Add truths but those that are there already, as of a key that is asked again; returns what was added."""
        at_once = self.database.at_once
        if len(truths) == 1:
            [row] = truths.values()
            return [row] if at_once(connection, f"{ADD_TRUTH} RETURNING key", (session, *row)).fetchall() else []
        there = {row[0] for row in at_once(connection, KNOWN_TRUTHS, (session,)).fetchall()}
        if fresh := [row for key, row in truths.items() if key not in there]:
            at_once(connection, ADD_TRUTH, [(session, *row) for row in fresh])
        return fresh

    def make_event(self, custody: Custody, row: Sequence[Any]) -> Event:
        """Read an event from a row, and open what of it was sealed."""
        number, kind, role, key, tick, value, reward, until, nonce, notes, body, address, when, sealed = row
        some = text.read_some
        if kind == "save":
            value = self.saves.open(custody, number, value)
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
            written = self.saves.seal(custody, event.number, value)
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


def _number(value: Any) -> float | None:
    """Read a number that a subject noted; None where it is none: notes are a stranger's."""
    return value if isinstance(value, int | float) and math.isfinite(value) else None


def event_columns(body: Any) -> list[Any]:
    """List what `make_event` reads, in its order, with the column of the prompts."""
    return [body if name == "NULL" else events.c[name] for name in BARE.split(", ")]


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
