"""Exclusions: sessions that do not count, each with its reason; a ledger that is only ever added to."""

import time
from dataclasses import dataclass

from sqlalchemy import insert, select

from mensura.errors import BadParameter
from mensura.store.database import Database
from mensura.store.schema import exclusions
from mensura.store.sealed.chain import exclusion_entry
from mensura.store.sealed.custody import Custodies


@dataclass(frozen=True)
class Exclusion:
    """One decision about a session: excluded, or included again."""

    session: str
    excluded: bool
    reason: str
    planned: bool
    """Whether the rule was written down before the data."""
    who: str
    time: float


@dataclass(eq=False, repr=False)
class Exclusions:
    """The ledger of exclusions of a store."""

    database: Database
    custodies: Custodies

    def decide(self, session: str, *, reason: str, who: str, planned: bool = False, excluded: bool = True) -> None:
        """Leave a session out, or take it in again; a reason is obligatory either way."""
        if not reason.strip():
            raise BadParameter("An exclusion needs a reason; say why.")
        custody = self.custodies.find(session)
        sealer = custody.sealer
        row = {
            "session": session,
            "excluded": excluded,
            "reason": reason.strip(),
            "planned": planned,
            "who": who,
            "time": time.time(),
        }
        with self.database.writing() as connection:
            connection.execute(insert(exclusions).values(row))
            if sealer is not None:
                self.custodies.link(connection, custody, [exclusion_entry(sealer.salt, row)])

    def ledger(self, run_id: str | None = None) -> list[Exclusion]:
        """Return every decision, the oldest first."""
        columns = [exclusions.c[name] for name in Exclusion.__dataclass_fields__]
        wanted = select(*columns).order_by(exclusions.c.time, exclusions.c.number)
        if run_id is not None:
            wanted = wanted.where(exclusions.c.session.startswith(f"{run_id}/", autoescape=True))
        with self.database.reading() as connection:
            return [Exclusion(*row) for row in connection.execute(wanted)]

    def excluded(self, run_id: str) -> dict[str, Exclusion]:
        """Return the sessions of a run that are excluded now, with the decision that did it."""
        latest = {decision.session: decision for decision in self.ledger(run_id)}
        return {session: decision for session, decision in latest.items() if decision.excluded}
