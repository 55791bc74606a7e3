"""The audit trail: who did what, when. Lines are only ever added; what they tell of someone who withdrew is erased."""

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, insert, select

from mensura.dialogue.canonical import canonical
from mensura.store import text
from mensura.store.database import Database
from mensura.store.schema import audit

OBSERVED = "observed: "
"""How the deeds of observers begin."""


@dataclass(frozen=True)
class AuditLine:
    """One thing that someone did."""

    number: int
    time: float
    who: str
    did: str
    what: str
    details: dict[str, Any]


@dataclass(eq=False, repr=False)
class AuditTrail:
    """The audit trail of a store."""

    database: Database

    def note(self, who: str, did: str, what: str = "", **details: Any) -> None:
        """Add a line."""
        row = {"time": time.time(), "who": who, "did": did, "what": what, "details": canonical(details)}
        with self.database.writing() as connection:
            connection.execute(insert(audit).values(row))

    def about(self, what: str | None = None, *, beginning: str = "") -> list[AuditLine]:
        """Return the lines about one thing or all, the oldest first; only deeds that begin so, where that is said."""
        wanted = select(audit).order_by(audit.c.number)
        if what is not None:
            wanted = wanted.where(audit.c.what == what)
        if beginning:
            wanted = wanted.where(audit.c.did.startswith(beginning, autoescape=True))
        return self._read(wanted)

    def lines(self, *, limit: int = 500, before: int | None = None) -> list[AuditLine]:
        """Return the newest lines first."""
        wanted = select(audit).order_by(audit.c.number.desc()).limit(limit)
        if before is not None:
            wanted = wanted.where(audit.c.number < before)
        return self._read(wanted)

    def _read(self, wanted: Select[Any]) -> list[AuditLine]:
        with self.database.reading() as connection:
            return [
                AuditLine(row.number, row.time, row.who, row.did, row.what, text.read(row.details))
                for row in connection.execute(wanted)
            ]
