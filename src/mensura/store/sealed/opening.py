"""Opening: what a run keeps back can be read by all once none of its sessions, open or planned, can ask it any more.

To open is to write the secrets down in plain: one small step, whole or not at all, however long the run was.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, select, update

from mensura.dialogue.packed import Names
from mensura.store.database import Database
from mensura.store.head import RunHead
from mensura.store.log.row import SECRET, kept_back, run_head, secrets_of
from mensura.store.schema import runs, sessions
from mensura.store.sealed.custody import open_secret, seal_secret
from mensura.store.sealed.keyring import Keyring

CHANGED_AT_ONCE = 2000


@dataclass(eq=False, repr=False)
class Opening:
    """Opens to all what the runs of a store kept back, and keeps it back again."""

    database: Database
    keyring: Keyring

    def open(self, run: RunHead) -> bool:
        """Open a run if it is over, and the runs of the same seed with it; False where someone can still be asked.

        A run is over when all sessions that were planned are there and none is open or can be resumed. Runs of one
        test with one seed ask the same, so none of them is opened before all are over.
        """
        if run.opened:
            return True
        with self.database.writing() as connection:
            alike = self.of_one_seed(run, connection)
            if any(self.may_still_ask(one, connection) for one in alike):
                return False
            if any(one.kept_back for one in alike):
                # What cannot be read cannot be written down in plain.
                self.keyring.require()
            for one in alike:
                values = secrets_of(one)
                connection.execute(update(runs).where(runs.c.id == one.id).values(opened=time.time(), **values))
            self._change_secrets(connection, alike, open_secret)
        return True

    def keep_back_again(self, connection: Connection, opened: Sequence[RunHead]) -> None:
        """Seal runs again that get further sessions, with all runs of their seed."""
        for run in opened:
            for one in self.of_one_seed(run, connection):
                row = {"id": one.id, "seed_public": one.seed_public, **secrets_of(one)}
                values = kept_back(row, self.keyring)
                kept = {name: values[name] for name in SECRET}
                connection.execute(update(runs).where(runs.c.id == one.id).values(opened=None, **kept))
                self._change_secrets(connection, [one], seal_secret)

    def of_one_seed(self, run: RunHead, connection: Connection) -> list[RunHead]:
        """List the runs that ask the same as a run, itself among them."""
        if not run.seed_mark or run.seed_public:
            return [run]
        # It is not read again itself: with a hundred thousand items that takes megabytes.
        others = (runs.c.test == run.test) & (runs.c.seed_mark == run.seed_mark) & (runs.c.id != run.id)
        found = connection.execute(select(runs).where(others).order_by(runs.c.number))
        return [run, *(run_head(row, self.keyring) for row in found)]

    def may_still_ask(self, run: RunHead, connection: Connection) -> bool:
        """Return whether a session of a run is open, can be resumed or is still planned."""
        mine = sessions.c.run == select(runs.c.number).where(runs.c.id == run.id).scalar_subquery()
        going = select(func.count()).where(mine, can_go_on())
        if connection.execute(going).scalar_one():
            return True
        # Details may come from an archive that a stranger made.
        sessions_each, items = run.details.get("sessions"), run.details.get("items")
        planned = sessions_each if isinstance(sessions_each, int) else 0
        planned *= len(items) if isinstance(items, Names | list) and items else 1
        return bool(connection.execute(select(func.count()).where(mine)).scalar_one() < planned)

    def _change_secrets(
        self, connection: Connection, found: Sequence[RunHead], change: Callable[[str, str, Keyring], str]
    ) -> None:
        """Seal the secrets of the sessions of some runs, or write them in plain."""
        wanted = select(sessions.c.secret, sessions.c.id, sessions.c.number)
        wanted = wanted.join(runs, runs.c.number == sessions.c.run).where(runs.c.id.in_([one.id for one in found]))
        wanted = wanted.where(sessions.c.secret.is_not(None)).order_by(sessions.c.number).limit(CHANGED_AT_ONCE)
        last = 0
        while rows := connection.execute(wanted.where(sessions.c.number > last)).all():
            changed = [(change(secret, name, self.keyring), number) for secret, name, number in rows]
            connection.exec_driver_sql(self.database.sql("UPDATE sessions SET secret = ? WHERE number = ?"), changed)
            last = rows[-1].number


def can_go_on() -> ColumnElement[bool]:
    """Select the sessions in which someone may still be asked.

    One that was lost can be resumed unless its log has an end, as where people were in it.
    """
    # Named first, so that a database finds these few by their index among the many that are over.
    either = sessions.c.status.in_(("open", "lost"))
    return either & ((sessions.c.status == "open") | sessions.c.ended.is_(None))
