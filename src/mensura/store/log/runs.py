"""Runs: what a store knows of runs, and the ways to name one."""

import re
from dataclasses import dataclass

from sqlalchemy import func, select

from mensura.errors import Conflict, UnknownName, unknown
from mensura.store.database import Database
from mensura.store.head import RunHead
from mensura.store.log.row import kept_back, run_head, run_row
from mensura.store.schema import runs
from mensura.store.sealed.custody import SEARCHED
from mensura.store.sealed.keyring import Keyring
from mensura.store.sealed.opening import Opening


@dataclass(eq=False, repr=False)
class RunLedger:
    """The runs of a store."""

    database: Database
    keyring: Keyring
    opening: Opening

    def add(self, head: RunHead) -> None:
        """Write down a run; the same one twice is not an error, another one under its id is.

        If its secret seed served others that are open to all, those are kept back again.
        """
        row = run_row(head)
        if not head.opened:
            self.keyring.require()
            with self.database.writing() as connection:
                alike = self.opening.of_one_seed(head, connection)
                self.opening.keep_back_again(connection, [one for one in alike if one.opened and one.id != head.id])
            row = kept_back(row, self.keyring)
        with self.database.writing() as connection:
            # The row beside the statement, which SQLAlchemy keeps with all values that are in it.
            if connection.execute(self.database.insert(runs).on_conflict_do_nothing(), row).rowcount == 1:
                return
            known = connection.execute(select(runs).where(runs.c.id == head.id)).one()
            if run_row(run_head(known, self.keyring)) != run_row(head):
                raise Conflict(f"There is already another run called {head.id!r}; nothing was changed.")

    def open(self, run_id: str) -> bool:
        """Open to all what a run kept back, if no session of it can ask it any more; returns whether it is open."""
        return self.opening.open(self.find(run_id))

    def find(self, name: str) -> RunHead:
        """Find a run by its id, the beginning of it, or as `last`, `last~1` and so on.

        Raises
        ------
        UnknownName
            If there is no such run, or several whose ids begin so.
        """
        back = re.fullmatch(r"last(?:~(\d{1,9}))?", name)
        with self.database.reading() as connection:
            if back:
                newest = select(runs).order_by(runs.c.created.desc(), runs.c.number.desc())
                row = connection.execute(newest.offset(int(back[1] or 0)).limit(1)).first()
                if row is None:
                    count = connection.execute(select(func.count()).select_from(runs)).scalar_one()
                    raise UnknownName(f"There is no run {name}: {self.database.place.shown} holds {count} runs.")
                return run_head(row, self.keyring)
            row = connection.execute(select(runs).where(runs.c.id == name)).first()
            if row is not None:
                return run_head(row, self.keyring)
            begins = func.substr(runs.c.id, 1, len(name)) == name
            rows = connection.execute(select(runs).where(begins).limit(4)).all() if name else []
            if len(rows) == 1:
                return run_head(rows[0], self.keyring)
            if rows:
                some = ", ".join(row.id for row in rows[:3])
                raise UnknownName(f"Several runs begin with {name!r} ({some} ...); give more of the id.")
            ids = connection.execute(select(runs.c.id).order_by(runs.c.number.desc()).limit(SEARCHED)).scalars().all()
        see = f"The newest is {ids[0]}." if ids else f"The store {self.database.place.shown} is empty."
        raise unknown("run", name, known=ids, see=see)

    def all(self, test: str | None = None, *, limit: int | None = None) -> list[RunHead]:
        """List runs, the newest last; `limit` keeps the newest."""
        wanted = select(runs).order_by(runs.c.created.desc(), runs.c.number.desc()).limit(limit)
        if test is not None:
            wanted = wanted.where(runs.c.test == test)
        with self.database.reading() as connection:
            return [run_head(row, self.keyring) for row in reversed(connection.execute(wanted).all())]

    def unopened(self, test: str | None = None) -> list[RunHead]:
        """List the runs, all or of one test, that still keep something back: sessions of them may not have begun."""
        wanted = select(runs).where(runs.c.opened.is_(None)).order_by(runs.c.number)
        wanted = wanted if test is None else wanted.where(runs.c.test == test)
        with self.database.reading() as connection:
            return [run_head(row, self.keyring) for row in connection.execute(wanted)]

    def number(self, run_id: str) -> int:
        """Return the number of a run's row."""
        with self.database.reading() as connection:
            number = connection.execute(select(runs.c.number).where(runs.c.id == run_id)).scalar()
        # For the sentence with near names.
        return number if number is not None else self.number(self.find(run_id).id)
