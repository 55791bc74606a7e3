"""Adopting: sessions get a secret and a chain from what there is of them: old ones, and what an erasure left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Table, select, update

from mensura.errors import StoreError
from mensura.store import text
from mensura.store.database import Database
from mensura.store.log.results import seal_result
from mensura.store.log.row import SECRET, kept_back, run_head
from mensura.store.log.saves import Saves
from mensura.store.log.truths import seal_truth
from mensura.store.schema import deeds, events, exclusions, links, results, runs, sessions, truths
from mensura.store.sealed.chain import (
    Entry,
    begin_entries,
    bound_run,
    deed_entry,
    event_entries,
    exclusion_entry,
    result_entry,
    truth_entry,
)
from mensura.store.sealed.custody import Custodies, Custody
from mensura.store.sealed.opening import can_go_on
from mensura.store.sealed.sealing import is_sealed, write_secret


@dataclass(eq=False, repr=False)
class Adoption:
    """Takes sessions of the first release, and what an erasure left of others, into custody."""

    database: Database
    custodies: Custodies
    saves: Saves

    def adopt(self, custody: Custody) -> Custody:
        """Bind a session that was recorded before there were chains."""
        with self.database.writing() as connection:
            session = connection.execute(select(sessions).where(sessions.c.number == custody.number)).one()
            if session.secret is not None:
                # Another process was first.
                return self.custodies.of_row(session)
            if connection.execute(select(links.c.place).where(links.c.session == custody.number)).first():
                raise StoreError(f"The session {custody.session!r} was erased; nothing can be added to it.")
            adopted = self.bind(connection, custody)
        return self.custodies.keep(adopted)

    def bind(self, connection: Connection, custody: Custody, before: Sequence[Entry] = ()) -> Custody:
        """Give a session a new secret, seal what of it must not be read early, and bind all of it as it is now."""
        sealer, secret = self.custodies.new_secret(custody.session)
        run = run_head(
            connection.execute(select(runs).where(runs.c.number == custody.run)).one(), self.custodies.keyring
        )
        if run.opened:
            secret = write_secret(sealer.secret)
        mine = sessions.c.number == custody.number
        connection.execute(update(sessions).where(mine).values(secret=secret))
        bound = Custody(custody.number, custody.session, custody.run, secret, self.custodies.keyring)
        self._seal_saves(connection, bound)
        _seal_truths(connection, bound)
        _seal_results(connection, bound)
        self.list_anew(connection, bound, before)
        return bound

    def list_anew(self, connection: Connection, custody: Custody, before: Sequence[Entry] = ()) -> None:
        """Bind all of a session as it is now; the deed `before` comes first."""
        salt, number = custody.sealer.salt, custody.number  # type: ignore[union-attr]

        def rows(table: Table, mine: Any, *order: str) -> Sequence[Row[Any]]:
            return connection.execute(select(table).where(mine).order_by(*(table.c[name] for name in order))).all()

        run = connection.execute(select(runs).where(runs.c.number == custody.run)).one()
        [session] = rows(sessions, sessions.c.number == number)
        bound = bound_run(run_head(run, self.custodies.keyring))
        found = [*before, *begin_entries(salt, bound, dict(session._mapping))]
        found += event_entries(salt, map(tuple, rows(events, events.c.session == number, "number")))
        found += [
            truth_entry(salt, tuple(row)[1:]) for row in rows(truths, truths.c.session == number, "version", "key")
        ]
        scored = rows(results, results.c.session == number, "number")
        found += [result_entry(salt, dict(row._mapping)) for row in scored]
        decided = rows(exclusions, exclusions.c.session == custody.session, "number")
        found += [exclusion_entry(salt, dict(row._mapping)) for row in decided]
        done = rows(deeds, deeds.c.session == custody.session, "number")
        found += [deed_entry(salt, dict(row._mapping)) for row in done]
        self.custodies.link(connection, custody, found)

    def adopt_unfinished(self) -> None:
        """Adopt every session that can still go on, and keep back the seeds of their runs."""
        going = select(sessions).where(can_go_on(), sessions.c.secret.is_(None))
        with self.database.reading() as connection:
            found = connection.execute(going).all()
            unfinished = {row.run for row in found}
            kept = {row.number: row for row in connection.execute(select(runs)) if row.number in unfinished}
        if not found:
            return
        sealed = {number: kept_back(dict(row._mapping), self.custodies.keyring) for number, row in kept.items()}
        for row in found:
            self.adopt(self.custodies.of_row(row))
        with self.database.writing() as connection:
            for number, values in sealed.items():
                secret = {name: values[name] for name in SECRET}
                connection.execute(update(runs).where(runs.c.number == number).values(secret))

    def _seal_saves(self, connection: Connection, custody: Custody) -> None:
        """Seal the saves of a session; rewards stay, since the subject was shown them."""
        mine = events.c.session == custody.number
        for row in connection.execute(select(events).where(mine, events.c.kind == "save")).all():
            stored = self.saves.seal(custody, row.number, text.read(row.value))
            connection.execute(update(events).where(mine, events.c.number == row.number).values(value=stored))


def _seal_truths(connection: Connection, custody: Custody) -> None:
    mine = truths.c.session == custody.number
    for row in connection.execute(select(truths).where(mine)).all():
        if not is_sealed(row.value):
            here = mine & (truths.c.key == row.key) & (truths.c.version == row.version)
            stored = seal_truth(custody, row.key, row.version, text.read(row.value))
            connection.execute(update(truths).where(here).values(value=stored))


def _seal_results(connection: Connection, custody: Custody) -> None:
    mine = results.c.session == custody.number
    for row in connection.execute(select(results).where(mine)).all():
        sealed = seal_result(custody, dict(row._mapping))
        connection.execute(update(results).where(results.c.number == row.number).values(sealed))
