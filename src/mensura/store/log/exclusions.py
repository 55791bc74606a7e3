"""Exclusions: sessions that do not count, each with its reason; a ledger that is only ever added to."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from mensura.errors import BadParameter
from mensura.store.people_schema import exclusions
from mensura.store.sealed.chain import exclusion_entry

if TYPE_CHECKING:
    from mensura.store.log.sessions import Sessions


@dataclass(frozen=True)
class Exclusion:
    """One decision about a session: left out, or taken in again."""

    session: str
    excluded: bool
    reason: str
    planned: bool
    """Whether the rule was written down before the data."""
    who: str
    time: float


class Exclusions:
    """The ledger of exclusions of a store."""

    def __init__(self, store: "Sessions") -> None:
        self.store = store

    def decide(self, session: str, *, reason: str, who: str, planned: bool = False, excluded: bool = True) -> None:
        """Leave a session out, or take it in again; a reason is obligatory either way."""
        if not reason.strip():
            raise BadParameter("An exclusion needs a reason; say why in a sentence.")
        custody = self.store._custody(session)
        sealer = custody.sealer
        row = {
            "session": session,
            "excluded": excluded,
            "reason": reason.strip(),
            "planned": planned,
            "who": who,
            "time": time.time(),
        }
        with self.store.writing() as connection:
            connection.execute(insert(exclusions).values(row))
            if sealer is not None:
                self.store._link(connection, custody, [exclusion_entry(sealer.salt, row)])

    def ledger(self, run_id: str | None = None) -> list[Exclusion]:
        """Give every decision, the oldest first."""
        columns = [exclusions.c[name] for name in Exclusion.__dataclass_fields__]
        wanted = select(*columns).order_by(exclusions.c.number)
        if run_id is not None:
            wanted = wanted.where(exclusions.c.session.startswith(f"{run_id}/", autoescape=True))
        with self.store.reading() as connection:
            return [Exclusion(*row) for row in connection.execute(wanted)]

    def excluded(self, run_id: str) -> dict[str, Exclusion]:
        """Give the sessions of a run that are left out now, with the decision that did it."""
        latest = {decision.session: decision for decision in self.ledger(run_id)}
        return {session: decision for session, decision in latest.items() if decision.excluded}


def excluded_sessions(store: "Sessions", run_id: str) -> frozenset[str]:
    """Give the ids of the sessions of a run that do not count now."""
    return frozenset(Exclusions(store).excluded(run_id))
