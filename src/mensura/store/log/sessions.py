"""Sessions: what a store knows of sessions besides their events."""

import time
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.dialects import postgresql, sqlite

from mensura.dialogue import Address
from mensura.errors import Conflict, unknown
from mensura.store import text
from mensura.store.head import RunHead, SessionHead
from mensura.store.log.runs import SHOWN
from mensura.store.schema import runs, sessions
from mensura.store.sealed.chain import begin_entries, bound_run, next_head, register_of, status_entry, write_entries
from mensura.store.sealed.custody import ADD_LINK, SETTLE
from mensura.store.sealed.opening import Opening

JOINED = select(sessions, runs.c.id.label("run_id")).join(runs, sessions.c.run == runs.c.number)


class Sessions(Opening):
    """The part of a store that keeps sessions."""

    def create_session(self, head: SessionHead) -> None:
        """Write down a session; the same one twice is no error, another run's under its id is."""
        self.create_sessions([head])

    def create_sessions(self, heads: Iterable[SessionHead]) -> None:
        """Write down many sessions in one transaction, each with a secret and the beginning of its chain."""
        heads = list(heads)
        if not heads:
            return
        numbers = {run: self._run_number(run) for run in {head.run for head in heads}}
        runs_of = {run: self.run(run) for run in numbers}
        bound = {name: bound_run(run) for name, run in runs_of.items()}
        rows = [session_row(head, run=numbers[head.run]) for head in heads]
        fresh = {row["id"]: row for row in rows}
        sealers = {}
        for name, row in fresh.items():
            sealers[name], row["secret"] = self._new_secret(name)
        kind = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        with self.writing() as connection:
            self._keep_back_again(connection, [run for run in runs_of.values() if run.opened])
            connection.execute(kind.insert(sessions).on_conflict_do_nothing(), rows)
            begun: list[Row[Any]] = []
            for begin in range(0, len(heads), 500):
                wanted = {head.id: head for head in heads[begin : begin + 500]}
                for there in connection.execute(JOINED.where(sessions.c.id.in_(list(wanted)))):
                    head = wanted[there.id]
                    if (there.run_id, _address(there)) != (head.run, head.address):
                        raise Conflict(f"There is already another session called {head.id!r}; nothing was changed.")
                    begun.append(there)
            # Of sessions that were there already, the secret is another.
            new = [one for one in begun if one.secret == fresh[one.id]["secret"]]
            links = [_first_link(one, fresh[one.id], sealers[one.id].salt, bound[one.run_id]) for one in new]
            if links:
                connection.exec_driver_sql(self._sql(ADD_LINK), links)
                connection.exec_driver_sql(self._sql(SETTLE), [(head, number) for number, _, _, head in links])
            for run in runs_of.values():
                self._register(connection, run, [one.id for one in new if one.run_id == run.id])

    def _register(self, connection: Connection, run: RunHead, begun: list[str]) -> None:
        """Write down which sessions a run has, so that none is taken out unseen."""
        own = runs.c.id == run.id
        before = connection.execute(select(runs.c.register).where(own).with_for_update(key_share=True)).scalar_one()
        if before:
            now = register_of(begun, before)
        else:
            mine = select(sessions.c.id).join(runs, runs.c.number == sessions.c.run).where(own)
            now = register_of(connection.execute(mine).scalars())
        connection.execute(update(runs).where(own).values(register=now))

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
        custody = self._custody(session_id)
        sealer, words, now = custody.sealer, text.clean(last_words), time.time() if ended is None else ended
        here = sessions.c.number == custody.number
        with self.writing() as connection:
            known = connection.execute(select(sessions.c.status, sessions.c.last_words, sessions.c.ended).where(here))
            before = known.one()
            # A lost session is not over: it can be resumed.
            when = None if status == "lost" else before.ended if before.ended is not None else now
            if (unless_over and before.status != "open") or tuple(before) == (status, words, when):
                return
            connection.execute(update(sessions).where(here).values(status=status, last_words=words, ended=when))
            if sealer is not None:
                self._link(connection, custody, [status_entry(sealer.salt, status, words, when)])

    def _session_number(self, session_id: str) -> int:
        return self._custody(session_id).number

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


def _first_link(row: Row[Any], written: dict[str, Any], salt: bytes, run: list[Any]) -> tuple[Any, ...]:
    listed = write_entries(begin_entries(salt, run, written))
    return row.number, 1, listed, next_head("", listed)


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
