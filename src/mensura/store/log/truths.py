"""Truths: apart from the events, versioned, since some are known only later or are put right."""

import time as clock
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select

from mensura.errors import Conflict
from mensura.store import text
from mensura.store.database import Database
from mensura.store.schema import truths
from mensura.store.sealed.chain import truth_entry
from mensura.store.sealed.custody import Custodies, Custody

ATTEMPTS = 20


@dataclass(frozen=True)
class Truth:
    """One version of the truth about a key, with who said so and when."""

    key: str
    version: int
    value: Any
    source: str
    time: float | None


@dataclass(eq=False, repr=False)
class TruthLedger:
    """The truths of a store."""

    database: Database
    custodies: Custodies

    def of(self, session_id: str) -> dict[str, Any]:
        """Return the latest truth of each key."""
        return {truth.key: truth.value for truth in self.history(session_id)}

    def history(self, session_id: str, key: str | None = None) -> list[Truth]:
        """Return every version of every truth (or those of one key), the latest of a key after the earlier ones."""
        custody = self.custodies.find(session_id)
        wanted = select(truths).where(truths.c.session == custody.number).order_by(truths.c.version, truths.c.key)
        if key is not None:
            wanted = wanted.where(truths.c.key == key)
        with self.database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [Truth(row.key, row.version, read_truth(custody, row), row.source, row.time) for row in rows]

    def resolve(self, session_id: str, key: str, value: Any, *, source: str, time: float | None = None) -> int:
        """Add a later truth of a key and give its version; the earlier ones are kept.

        Parameters
        ----------
        source
            Who or what says so.
        time
            When it became known, in seconds since 1970; None: now.
        """
        custody = self.custodies.find(session_id)
        number, sealer, known = custody.number, custody.sealer, clock.time() if time is None else time
        newest = select(func.max(truths.c.version)).where(truths.c.session == number, truths.c.key == key)
        for attempt in range(ATTEMPTS):
            try:
                with self.database.writing() as connection:
                    version = int(connection.execute(newest).scalar() or 0) + 1
                    row = (key, version, seal_truth(custody, key, version, value), source, known)
                    connection.execute(insert(truths).values((number, *row)))
                    if sealer is not None:
                        self.custodies.link(connection, custody, [truth_entry(sealer.salt, row)])
                return version
            except Conflict:
                # PostgreSQL lets two writers read the same newest version; one of them comes again.
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError


def seal_truth(custody: Custody, key: str, version: int, value: Any) -> str:
    """Write a truth as it is stored."""
    return custody.seal(text.write(value), f"truth {version} of {key}")


def read_truth(custody: Custody, row: Any) -> Any:
    """Read a truth from its row."""
    return text.read(custody.open(row.value, f"truth {row.version} of {row.key}"))
