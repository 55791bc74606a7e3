"""Opening: what a run keeps back can be read by all once none of its sessions, open or planned, can ask it any more.

To open is to write the secrets down in plain: one small step, whole or not at all, however long the run was.
"""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select, update

from mensura.store.custody import open_secret, seal_secret
from mensura.store.head import RunHead
from mensura.store.runs import SECRET, Runs, run_row
from mensura.store.schema import runs, sessions


class Opening(Runs):
    """The part of a store that opens what was kept back."""

    def create_run(self, head: RunHead) -> None:
        """Write down a run; if its secret seed served others that are open to all, those are kept back again."""
        if not head.opened:
            again = [one for one in self._of_one_seed(head) if one.opened and one.id != head.id]
            if again and self.keyring.sealer:
                with self.writing() as connection:
                    self._keep_back_again(connection, again)
        super().create_run(head)

    def open_run(self, run_id: str) -> bool:
        """Open a run if it is over, and the runs of the same seed with it; False where someone can still be asked.

        A run is over when all sessions that were planned are there and none is open or can be resumed. Runs of one
        test with one seed ask the same, so none of them is opened before all are over.
        """
        run = self.run(run_id)
        if run.opened:
            return True
        alike = self._of_one_seed(run)
        if any(self._may_still_ask(one) for one in alike):
            return False
        plain = {one.id: run_row(one) for one in alike}
        with self.reading() as connection:
            secrets = self._secrets(connection, alike)
        written = [(open_secret(secret, name, self.keyring), number) for number, name, secret in secrets]
        with self.writing() as connection:
            # Someone may have begun a session meanwhile, or erased one.
            if any(self._may_still_ask(one, connection) for one in alike):
                return False
            if [row[0] for row in self._secrets(connection, alike)] != [row[0] for row in secrets]:
                return False
            for one in alike:
                values = {name: plain[one.id][name] for name in SECRET}
                connection.execute(update(runs).where(runs.c.id == one.id).values(opened=time.time(), **values))
            _write(self, connection, written)
        return True

    def _keep_back_again(self, connection: Connection, opened: Sequence[RunHead]) -> None:
        """Seal runs again that get further sessions, with all runs of their seed."""
        for run in opened:
            for one in self._of_one_seed(run, connection):
                values = self._kept_back(run_row(one))
                kept = {name: values[name] for name in SECRET}
                connection.execute(update(runs).where(runs.c.id == one.id).values(opened=None, **kept))
                secrets = self._secrets(connection, [one])
                sealed = [(seal_secret(secret, name, self.keyring), number) for number, name, secret in secrets]
                _write(self, connection, sealed)

    def _of_one_seed(self, run: RunHead, connection: Connection | None = None) -> list[RunHead]:
        if connection is None:
            with self.reading() as own:
                return self._of_one_seed(run, own)
        wanted = runs.c.id == run.id
        if run.seed_mark and not run.seed_public:
            wanted |= (runs.c.test == run.test) & (runs.c.seed_mark == run.seed_mark)
        return [self._run_head(row) for row in connection.execute(select(runs).where(wanted).order_by(runs.c.number))]

    def _may_still_ask(self, run: RunHead, connection: Connection | None = None) -> bool:
        if connection is None:
            with self.reading() as own:
                return self._may_still_ask(run, own)
        mine = sessions.c.run == select(runs.c.number).where(runs.c.id == run.id).scalar_subquery()
        resumable = (sessions.c.status == "lost") & sessions.c.ended.is_(None)
        going = select(func.count()).where(mine, (sessions.c.status == "open") | resumable)
        if connection.execute(going).scalar_one():
            return True
        # Details may come from an archive that a stranger made.
        sessions_each, items = run.details.get("sessions"), run.details.get("items")
        planned = sessions_each if isinstance(sessions_each, int) else 0
        planned *= len(items) if isinstance(items, list) and items else 1
        return bool(connection.execute(select(func.count()).where(mine)).scalar_one() < planned)

    def _secrets(self, connection: Connection, found: Sequence[RunHead]) -> list[Any]:
        """List the secrets of the sessions of some runs."""
        wanted = select(sessions.c.number, sessions.c.id, sessions.c.secret).join(runs, runs.c.number == sessions.c.run)
        wanted = wanted.where(runs.c.id.in_([one.id for one in found]), sessions.c.secret.is_not(None))
        return list(connection.execute(wanted.order_by(sessions.c.number)))


def _write(store: Opening, connection: Connection, secrets: Sequence[tuple[str, int]]) -> None:
    if secrets:
        connection.exec_driver_sql(store._sql("UPDATE sessions SET secret = ? WHERE number = ?"), list(secrets))
