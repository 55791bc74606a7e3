"""Adopting: sessions get a secret and a chain from what there is of them: old ones, and what an erasure left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from mensura.errors import StoreError
from mensura.store import text
from mensura.store.database import Database
from mensura.store.log.results import seal_result
from mensura.store.log.row import SECRET, kept_back, run_head
from mensura.store.log.saves import Saves
from mensura.store.log.truths import seal_truth
from mensura.store.schema import events, exclusions, links, results, runs, sessions, truths
from mensura.store.sealed.chain import (
    Entry,
    begin_entries,
    bound_run,
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
    """What takes sessions of the first release, and what an erasure left of others, into custody."""

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
        session = connection.execute(select(sessions).where(mine)).one()
        bound = Custody(custody.number, custody.session, custody.run, secret, self.custodies.keyring)
        found = [*before, *begin_entries(sealer.salt, bound_run(run), dict(session._mapping))]
        found += event_entries(sealer.salt, self._sealed_events(connection, bound))
        found += [truth_entry(sealer.salt, row) for row in _sealed_truths(connection, bound)]
        found += [result_entry(sealer.salt, row) for row in _sealed_results(connection, bound)]
        decided = select(exclusions).where(exclusions.c.session == custody.session).order_by(exclusions.c.number)
        found += [exclusion_entry(sealer.salt, dict(row._mapping)) for row in connection.execute(decided)]
        self.custodies.link(connection, bound, found)
        return bound

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

    def _sealed_events(self, connection: Connection, custody: Custody) -> list[Any]:
        """Seal the saves of a session; rewards stay, since the subject was shown them."""
        mine = events.c.session == custody.number
        for row in connection.execute(select(events).where(mine, events.c.kind == "save")).all():
            stored = self.saves.seal(custody, row.number, text.read(row.value))
            connection.execute(update(events).where(mine, events.c.number == row.number).values(value=stored))
        return [tuple(row) for row in connection.execute(select(events).where(mine).order_by(events.c.number))]


def _sealed_truths(connection: Connection, custody: Custody) -> list[Any]:
    mine = truths.c.session == custody.number
    for row in connection.execute(select(truths).where(mine)).all():
        if not is_sealed(row.value):
            here = mine & (truths.c.key == row.key) & (truths.c.version == row.version)
            stored = seal_truth(custody, row.key, row.version, text.read(row.value))
            connection.execute(update(truths).where(here).values(value=stored))
    ordered = select(truths).where(mine).order_by(truths.c.version, truths.c.key)
    return [tuple(row)[1:] for row in connection.execute(ordered)]


def _sealed_results(connection: Connection, custody: Custody) -> list[dict[str, Any]]:
    mine = results.c.session == custody.number
    for row in connection.execute(select(results).where(mine)).all():
        sealed = seal_result(custody, dict(row._mapping))
        connection.execute(update(results).where(results.c.number == row.number).values(sealed))
    return [dict(row._mapping) for row in connection.execute(select(results).where(mine).order_by(results.c.number))]
