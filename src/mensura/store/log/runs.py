"""Runs: what a store knows of runs, and the ways to name one."""

import re
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.dialects import postgresql, sqlite

from mensura.errors import Conflict, MissingKey, UnknownName, unknown
from mensura.store import text
from mensura.store.head import RunHead
from mensura.store.schema import runs, sessions
from mensura.store.sealed.custody import Custodies
from mensura.store.sealed.sealing import is_sealed

SHOWN = 1000
"""How many ids are searched for near misses of a misspelt one."""
SECRET = ("seed", "instance_hash")
"""What of a run is sealed with the store's key until it is over."""


class Runs(Custodies):
    """The part of a store that keeps runs."""

    def create_run(self, head: RunHead) -> None:
        """Write down a run; the same one twice is no error, another one under its id is."""
        kind = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        row = run_row(head) if head.opened else self._kept_back(run_row(head))
        with self.writing() as connection:
            connection.execute(kind.insert(runs).values(row).on_conflict_do_nothing())
            known = connection.execute(select(runs).where(runs.c.id == head.id)).one()
            if run_row(self._run_head(known)) != run_row(head):
                raise Conflict(f"There is already another run called {head.id!r}; nothing was changed.")

    def _kept_back(self, row: dict[str, Any]) -> dict[str, Any]:
        """Seal of a run's row what tells its questions: a secret seed, and the hash of its items with their answers."""
        sealer, sealed = self.keyring.sealer, {}
        for name in SECRET:
            value = row[name]
            if value and not is_sealed(value) and not (name == "seed" and row["seed_public"]):
                sealed[name] = sealer.seal(value, about=f"{name} of {row['id']}")
        return {**row, **sealed}

    def _run_head(self, row: Row[Any]) -> RunHead:
        """Read a run from a row; without the key what is kept back is unknown."""
        read: dict[str, str | None] = {}
        for name in SECRET:
            value = getattr(row, name)
            try:
                opened = self.keyring.sealer.open(value, about=f"{name} of {row.id}") if is_sealed(value) else value
            except MissingKey:
                opened = None
            read[name] = opened
        seed = read["seed"]
        return RunHead(
            id=row.id,
            test=row.test,
            parameters=text.read_mapping(row.parameters),
            cast=text.read_mapping(row.cast),
            condition=row.condition,
            instance_hash=read["instance_hash"] or "",
            environment_hash=row.environment_hash,
            seed=None if seed is None else int(seed),
            seed_public=row.seed_public,
            trace=row.trace,
            created=row.created,
            details=text.read_mapping(row.details),
            seed_mark=row.seed_mark,
            opened=row.opened,
            kept_back=any(read[name] is None and getattr(row, name) is not None for name in SECRET),
        )

    def run(self, name: str) -> RunHead:
        """Find a run by its id, the beginning of it, or as `last`, `last~1` and so on.

        Raises
        ------
        UnknownName
            If there is no such run, or several whose ids begin so.
        """
        back = re.fullmatch(r"last(?:~(\d{1,9}))?", name)
        with self.reading() as connection:
            if back:
                newest = select(runs).order_by(runs.c.created.desc(), runs.c.number.desc())
                row = connection.execute(newest.offset(int(back[1] or 0)).limit(1)).first()
                if row is None:
                    count = connection.execute(select(func.count()).select_from(runs)).scalar_one()
                    raise UnknownName(f"There is no run {name}: the store {self.place.shown} holds {count} runs.")
                return self._run_head(row)
            row = connection.execute(select(runs).where(runs.c.id == name)).first()
            if row is not None:
                return self._run_head(row)
            begins = func.substr(runs.c.id, 1, len(name)) == name
            rows = connection.execute(select(runs).where(begins).limit(4)).all() if name else []
            if len(rows) == 1:
                return self._run_head(rows[0])
            if rows:
                some = ", ".join(row.id for row in rows[:3])
                raise UnknownName(f"Several runs begin with {name!r} ({some} ...); give more of the id.")
            ids = connection.execute(select(runs.c.id).order_by(runs.c.number.desc()).limit(SHOWN)).scalars().all()
        see = f"The newest is {ids[0]}." if ids else f"The store {self.place.shown} is empty."
        raise unknown("run", name, known=ids, see=see)

    def runs(self, test: str | None = None, *, limit: int | None = None) -> list[RunHead]:
        """List runs, the newest last; `limit` keeps the newest."""
        wanted = select(runs).order_by(runs.c.created.desc(), runs.c.number.desc()).limit(limit)
        if test is not None:
            wanted = wanted.where(runs.c.test == test)
        with self.reading() as connection:
            return [self._run_head(row) for row in reversed(connection.execute(wanted).all())]

    def counts(self) -> dict[str, dict[str, int]]:
        """Count the sessions of every run by status, in one query."""
        return self._counts(None)

    def count_sessions(self, run_id: str) -> dict[str, int]:
        """Count the sessions of one run by status."""
        return self._counts(run_id).get(run_id, {})

    def _counts(self, run_id: str | None) -> dict[str, dict[str, int]]:
        counted = select(sessions.c.run, sessions.c.status, func.count().label("many"))
        counted = counted.group_by(sessions.c.run, sessions.c.status)
        if run_id is not None:
            counted = counted.where(
                sessions.c.run == select(runs.c.number).where(runs.c.id == run_id).scalar_subquery()
            )
        table = counted.subquery()
        counts: dict[str, dict[str, int]] = {}
        with self.reading() as connection:
            for row in connection.execute(
                select(runs.c.id, table.c.status, table.c.many).join(table, table.c.run == runs.c.number)
            ):
                counts.setdefault(row.id, {})[row.status] = row.many
        return counts


def run_row(head: RunHead) -> dict[str, Any]:
    """Write a run as a row."""
    return {
        "id": head.id,
        "test": head.test,
        "parameters": text.write(head.parameters),
        "cast": text.write(head.cast),
        "condition": head.condition,
        "instance_hash": head.instance_hash,
        "environment_hash": head.environment_hash,
        # As text: 128 bits are more than a database's integers hold.
        "seed": None if head.seed is None else str(head.seed),
        "seed_mark": head.seed_mark,
        "seed_public": head.seed_public,
        "trace": head.trace,
        "created": head.created,
        "details": text.write(head.details),
    }
