"""Sessions: what a store knows of sessions besides their events."""

import time
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from mensura.dialogue import Address
from mensura.errors import Conflict, unknown
from mensura.store import text
from mensura.store.head import SessionHead
from mensura.store.runs import SHOWN, Runs
from mensura.store.schema import runs, sessions

JOINED = select(sessions, runs.c.id.label("run_id")).join(runs, sessions.c.run == runs.c.number)


class Sessions(Runs):
    """The part of a store that keeps sessions."""

    _numbers: dict[str, int]
    """Row numbers by session id: they never change, and every append needs one."""

    def create_session(self, head: SessionHead) -> None:
        """Write down a session; the same one twice is no error, another run's under its id is."""
        self.create_sessions([head])

    def create_sessions(self, heads: Iterable[SessionHead]) -> None:
        """Write down many sessions in one transaction."""
        heads = list(heads)
        if not heads:
            return
        numbers = {run: self._run_number(run) for run in {head.run for head in heads}}
        rows = [session_row(head, run=numbers[head.run]) for head in heads]
        kind = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        with self.writing() as connection:
            connection.execute(kind.insert(sessions).on_conflict_do_nothing(), rows)
            for begin in range(0, len(heads), 500):
                wanted = {head.id: head for head in heads[begin : begin + 500]}
                for row in connection.execute(JOINED.where(sessions.c.id.in_(list(wanted)))):
                    head = wanted[row.id]
                    if (row.run_id, _address(row)) != (head.run, head.address):
                        raise Conflict(f"There is already another session called {head.id!r}; nothing was changed.")

    def session(self, session_id: str) -> SessionHead:
        """Find a session by its id."""
        with self.reading() as connection:
            row = connection.execute(JOINED.where(sessions.c.id == session_id)).first()
        if row is None:
            raise self._unknown_session(session_id)
        return session_head(row)

    def sessions(self, run_id: str) -> list[SessionHead]:
        """List the sessions of a run in the order of their addresses."""
        with self.reading() as connection:
            return [session_head(row) for row in connection.execute(of_run(run_id))]

    def end_session(
        self,
        session_id: str,
        *,
        status: str,
        last_words: str = "",
        ended: float | None = None,
        unless_over: bool = False,
    ) -> None:
        """Say how a session ended, where its events do not, or will not, say it.

        With `unless_over` nothing is changed where the session is over already.
        """
        number = self._session_number(session_id)
        values = {"status": status, "last_words": text.clean(last_words)}
        # A lost session is not over: it can be resumed.
        when = None if status == "lost" else func.coalesce(sessions.c.ended, time.time() if ended is None else ended)
        change = update(sessions).where(sessions.c.number == number).values(ended=when, **values)
        with self.writing() as connection:
            connection.execute(change.where(sessions.c.status == "open") if unless_over else change)

    def _session_number(self, session_id: str) -> int:
        number = self._numbers.get(session_id)
        if number is None:
            with self.reading() as connection:
                number = connection.execute(select(sessions.c.number).where(sessions.c.id == session_id)).scalar()
            if number is None:
                raise self._unknown_session(session_id)
            if len(self._numbers) > 100_000:
                self._numbers.clear()
            self._numbers[session_id] = number
        return number

    def _run_number(self, run_id: str) -> int:
        with self.reading() as connection:
            number = connection.execute(select(runs.c.number).where(runs.c.id == run_id)).scalar()
        # For the sentence with near names.
        return number if number is not None else self._run_number(self.run(run_id).id)

    def _unknown_session(self, session_id: str) -> Exception:
        with self.reading() as connection:
            newest = select(sessions.c.id).order_by(sessions.c.number.desc()).limit(SHOWN)
            ids = connection.execute(newest).scalars().all()
        return unknown("session", session_id, known=ids, see="`mensura list` shows the runs and their sessions.")


def of_run(run_id: str) -> Any:
    """Select the sessions of a run in the order of their addresses."""
    columns = sessions.c
    return JOINED.where(runs.c.id == run_id).order_by(columns.course, columns.phase, columns.session, columns.number)


def session_row(head: SessionHead, *, run: int) -> dict[str, Any]:
    """Write a session as a row."""
    return {
        "id": head.id,
        "run": run,
        "course": head.address.course,
        "phase": head.address.phase,
        "session": head.address.session,
        "item": head.address.item,
        "cast": text.write(head.cast),
        "status": head.status,
        "created": head.created,
        "ended": head.ended,
        "last_words": text.clean(head.last_words),
    }


def session_head(row: Row[Any]) -> SessionHead:
    """Read a session from a row."""
    return SessionHead(
        id=row.id,
        run=row.run_id,
        address=_address(row),
        cast=text.read_mapping(row.cast),
        status=row.status,
        created=row.created,
        ended=row.ended,
        last_words=row.last_words,
    )


def _address(row: Row[Any]) -> Address:
    return Address(row.course, row.phase, row.session, row.item)
