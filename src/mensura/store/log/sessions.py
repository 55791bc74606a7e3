"""Sessions: what a store knows of sessions besides their events."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from mensura.dialogue import Address
from mensura.errors import Conflict
from mensura.heap import sweep
from mensura.store import text
from mensura.store.database import Database
from mensura.store.head import RunHead, SessionHead
from mensura.store.log.row import JOINED, of_run, session_address, session_head, session_row
from mensura.store.log.runs import RunLedger
from mensura.store.schema import events, runs, sessions
from mensura.store.sealed.chain import begin_entries, bound_run, next_head, register_of, status_entry, write_entries
from mensura.store.sealed.custody import ADD_LINK, SETTLE, Custodies
from mensura.store.sealed.opening import can_go_on

ADDED_AT_ONCE = 2000
READ_AT_ONCE = 500
ENDED = "SELECT status, last_words FROM sessions WHERE number = ? AND ended IS NOT NULL"


@dataclass(eq=False, repr=False)
class Sessions:
    """The sessions of a store."""

    database: Database
    custodies: Custodies
    runs: RunLedger

    def add(self, head: SessionHead) -> None:
        """Write down a session; the same one twice is not an error, another run's under its id is."""
        self.add_many([head])

    def add_many(self, heads: Iterable[SessionHead]) -> None:
        """Write down many sessions, each with a secret and the beginning of its chain.

        Up to two thousand are one transaction, so that they are all written down or none is.
        """
        waiting, bound = iter(heads), dict[str, list[Any]]()
        while some := list(islice(waiting, ADDED_AT_ONCE)):
            self._add(some, bound)
            if len(some) == ADDED_AT_ONCE:
                sweep()

    def _add(self, heads: Sequence[SessionHead], bound: dict[str, list[Any]]) -> None:
        """Write down sessions in one transaction; `bound` keeps of each run what binds them to it."""
        numbers = {run: self.runs.number(run) for run in {head.run for head in heads}}
        # A run of a hundred thousand items takes long to read, and is the same for all its sessions.
        bound |= {run: bound_run(self.runs.find(run)) for run in numbers if run not in bound}
        rows = [session_row(head, run=numbers[head.run]) for head in heads]
        fresh = {row["id"]: row for row in rows}
        sealers = {}
        for name, row in fresh.items():
            sealers[name], row["secret"] = self.custodies.new_secret(name)
        with self.database.writing() as connection:
            opened = select(runs.c.id).where(runs.c.number.in_(list(numbers.values())), runs.c.opened.is_not(None))
            again = [self.runs.find(run) for run in connection.execute(opened).scalars()]
            self.runs.opening.keep_back_again(connection, again)
            connection.execute(self.database.insert(sessions).on_conflict_do_nothing(), rows)
            begun: list[Row[Any]] = []
            for begin in range(0, len(heads), 500):
                wanted = {head.id: head for head in heads[begin : begin + 500]}
                for there in connection.execute(JOINED.where(sessions.c.id.in_(list(wanted)))):
                    head = wanted[there.id]
                    if (there.run_id, session_address(there)) != (head.run, head.address):
                        raise Conflict(f"There is already another session called {head.id!r}; nothing was changed.")
                    begun.append(there)
            # Of sessions that were there already, the secret is another.
            new = [one for one in begun if one.secret == fresh[one.id]["secret"]]
            links = [_first_link(one, fresh[one.id], sealers[one.id].salt, bound[one.run_id]) for one in new]
            if links:
                connection.exec_driver_sql(self.database.sql(ADD_LINK), links)
                connection.exec_driver_sql(self.database.sql(SETTLE), [(head, number) for number, _, _, head in links])
            for run in numbers:
                self._register(connection, run, [one.id for one in new if one.run_id == run])

    def _register(self, connection: Connection, run_id: str, begun: list[str]) -> None:
        """Write down which sessions a run has, so that none is taken out unseen."""
        own = runs.c.id == run_id
        before = connection.execute(select(runs.c.register).where(own).with_for_update(key_share=True)).scalar_one()
        if before:
            now = register_of(begun, before)
        else:
            mine = select(sessions.c.id).join(runs, runs.c.number == sessions.c.run).where(own)
            now = register_of(connection.execute(mine).scalars())
        connection.execute(update(runs).where(own).values(register=now))

    def find(self, session_id: str) -> SessionHead:
        """Find a session by its id."""
        with self.database.reading() as connection:
            row = connection.execute(JOINED.where(sessions.c.id == session_id)).first()
        if row is None:
            raise self.custodies.unknown_session(session_id)
        return session_head(row)

    def known(self, session_id: str) -> bool:
        """Return whether there is a session of this id."""
        with self.database.reading() as connection:
            return connection.execute(select(sessions.c.number).where(sessions.c.id == session_id)).first() is not None

    def of(self, run_id: str) -> list[SessionHead]:
        """List the sessions of a run in the order of their addresses."""
        with self.database.reading() as connection:
            return [session_head(row) for row in connection.execute(of_run(run_id))]

    def addresses(self, run_id: str) -> Iterator[Address]:
        """Go through the addresses of a run's sessions in their order."""
        with self.database.reading() as connection:
            yield from map(
                session_address, connection.execution_options(yield_per=READ_AT_ONCE).execute(of_run(run_id))
            )

    def standing(self, session_ids: Sequence[str]) -> dict[str, str]:
        """Return the status of those sessions, a few hundred at most, that are there."""
        wanted = select(sessions.c.id, sessions.c.status).where(sessions.c.id.in_(session_ids))
        with self.database.reading() as connection:
            return {row.id: row.status for row in connection.execute(wanted)}

    def last_words(self, run_id: str) -> dict[str, str]:
        """Return the last words of the sessions of a run that had some."""
        with self.database.reading() as connection:
            found = connection.execute(of_run(run_id).where(sessions.c.last_words != ""))
            return {row.id: row.last_words for row in found}

    def page(self, run_id: str, *, limit: int, offset: int, status: str = "") -> list[SessionHead]:
        """List some sessions of a run in the order of their addresses."""
        wanted = of_run(run_id).limit(limit).offset(offset)
        if status:
            wanted = wanted.where(sessions.c.status == status)
        with self.database.reading() as connection:
            return [session_head(row) for row in connection.execute(wanted)]

    def under_way(self, run_id: str) -> list[str]:
        """List the sessions of a run that were begun and are still open."""
        begun = select(events.c.session).where(events.c.session == sessions.c.number).exists()
        mine = select(runs.c.number).where(runs.c.id == run_id).scalar_subquery()
        wanted = select(sessions.c.id).where(sessions.c.run == mine, sessions.c.status == "open", begun)
        with self.database.reading() as connection:
            return list(connection.execute(wanted.order_by(sessions.c.number)).scalars())

    def withdrawn(self) -> list[str]:
        """List the sessions from which people withdrew."""
        with self.database.reading() as connection:
            wanted = select(sessions.c.id).where(sessions.c.status == "withdrawn").order_by(sessions.c.number)
            return list(connection.execute(wanted).scalars())

    def open_addresses(self, run: RunHead, *, of_test: bool) -> set[Address]:
        """List the addresses at which someone can still be asked the same as in a run.

        Runs of one test with one seed ask the same at the same address; with `of_test` all runs of the test do.
        """
        place = sessions.c.course, sessions.c.phase, sessions.c.session, sessions.c.item
        wanted = select(*place).join(runs, sessions.c.run == runs.c.number).where(can_go_on()).distinct()
        if of_test:
            wanted = wanted.where(runs.c.test == run.test)
        elif not run.seed_mark:
            wanted = wanted.where(runs.c.id == run.id)
        else:
            wanted = wanted.where(runs.c.test == run.test, runs.c.seed_mark == run.seed_mark)
        with self.database.reading() as connection:
            return {Address(*row) for row in connection.execute(wanted)}

    def end(
        self,
        session_id: str,
        *,
        status: str,
        last_words: str = "",
        ended: float | None = None,
        unless_over: bool = False,
    ) -> None:
        """Store how a session ended, where its events do not, or will not, show it.

        With `unless_over` nothing is changed where the session is over already.
        """
        custody = self.custodies.find(session_id)
        sealer, words, now = custody.sealer, text.clean(last_words), time.time() if ended is None else ended
        if self.database.glance(ENDED, (custody.number,)) == [(status, words)] and status != "lost" and ended is None:
            # Its events said so already, as in every session of a run.
            return
        here = sessions.c.number == custody.number
        with self.database.writing() as connection:
            known = connection.execute(select(sessions.c.status, sessions.c.last_words, sessions.c.ended).where(here))
            before = known.one()
            # A lost session is not over: it can be resumed.
            when = None if status == "lost" else before.ended if before.ended is not None else now
            if (unless_over and before.status != "open") or tuple(before) == (status, words, when):
                return
            connection.execute(update(sessions).where(here).values(status=status, last_words=words, ended=when))
            if sealer is not None:
                self.custodies.link(connection, custody, [status_entry(sealer.salt, status, words, when)])

    def reopen(self, session_id: str) -> None:
        """Let a session that was lost be open again while it is taken: a kill is then seen as what it is."""
        custody = self.custodies.find(session_id)
        lost = (sessions.c.number == custody.number) & (sessions.c.status == "lost")
        with self.database.writing() as connection:
            reopened = connection.execute(update(sessions).where(lost).values(status="open", last_words=""))
            if reopened.rowcount and custody.sealer is not None:
                self.custodies.link(connection, custody, [status_entry(custody.sealer.salt, "open", "", None)])

    def counts(self) -> dict[str, dict[str, int]]:
        """Count the sessions of every run by status, in one query."""
        return self._counts(None)

    def count(self, run_id: str) -> dict[str, int]:
        """Count the sessions of one run by status."""
        return self._counts(run_id).get(run_id, {})

    def not_begun(self) -> dict[str, int]:
        """Count the sessions of every run that are open and in which nothing has happened, such as unopened links."""
        begun = select(events.c.session).where(events.c.session == sessions.c.number).exists()
        # A run that stores scores only has no event either while it is under way.
        wanted = select(runs.c.id, func.count().label("many")).join(runs, runs.c.number == sessions.c.run)
        wanted = wanted.where(sessions.c.status == "open", runs.c.trace != "none", ~begun).group_by(runs.c.id)
        with self.database.reading() as connection:
            return {row.id: row.many for row in connection.execute(wanted)}

    def _counts(self, run_id: str | None) -> dict[str, dict[str, int]]:
        counted = select(sessions.c.run, sessions.c.status, func.count().label("many"))
        counted = counted.group_by(sessions.c.run, sessions.c.status)
        if run_id is not None:
            counted = counted.where(
                sessions.c.run == select(runs.c.number).where(runs.c.id == run_id).scalar_subquery()
            )
        table = counted.subquery()
        counts: dict[str, dict[str, int]] = {}
        with self.database.reading() as connection:
            for row in connection.execute(
                select(runs.c.id, table.c.status, table.c.many).join(table, table.c.run == runs.c.number)
            ):
                counts.setdefault(row.id, {})[row.status] = row.many
        return counts


def _first_link(row: Row[Any], written: dict[str, Any], salt: bytes, run: list[Any]) -> tuple[Any, ...]:
    listed = write_entries(begin_entries(salt, run, written))
    return row.number, 1, listed, next_head("", listed)
