"""Deeds: what the laboratory did about a session besides excluding it: an invitation, a panel, an analysis.

A ledger that is only ever added to. Each deed is bound by the chain of its session, and travels with it.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, false, insert, or_, select

from mensura.dialogue.canonical import canonical
from mensura.store import text
from mensura.store.database import Database
from mensura.store.schema import deeds
from mensura.store.sealed.chain import deed_entry
from mensura.store.sealed.custody import Custodies

INVITED, CLOSED, EXTENDED, REPLACED = "invited", "link closed", "link extended", "replaced"
RATED, JUDGED = "put before a panel", "judged by a panel"
ANALYSED, ARCHIVED = "analysed", "archived with its study"
LOOKED_AT = "looked at by the stop rule"
ASKED_AGAIN = "asked again after a stop"
"""A request was on its way when the process was stopped: it may be paid twice."""
BATCHED = "handed in with a batch"
SPENT = "spent on an answer"
"""The cost of an answer before it was given: calls that led to others."""
UNANSWERED = "paid without an answer"
"""The cost of an answer that never came, since its session was lost or killed before."""


@dataclass(frozen=True)
class SessionDeed:
    """One thing that was done about a session."""

    session: str
    kind: str
    body: Mapping[str, Any]
    who: str
    time: float


@dataclass(eq=False, repr=False)
class Deeds:
    """The deeds of a store."""

    database: Database
    custodies: Custodies

    def note(self, session: str, kind: str, *, who: str = "", **body: Any) -> None:
        """Write down what was done about a session."""
        self.note_all({session: body}, kind, who=who)

    def note_all(self, told: Mapping[str, Mapping[str, Any]], kind: str, *, who: str = "") -> None:
        """Write down what was done about many sessions at once, all or none; of those that were erased nothing is."""
        now = time.time()
        found = [(self.custodies.find(session), body) for session, body in told.items()]
        with self.database.writing() as connection:
            for custody, body in found:
                if custody.sealer is None:
                    continue
                row = {"session": custody.session, "kind": kind, "body": canonical(dict(body)), "who": who, "time": now}
                connection.execute(insert(deeds).values(row))
                self.custodies.link(connection, custody, [deed_entry(custody.sealer.salt, row)])

    def of_session(self, session: str, *, kind: str) -> list[SessionDeed]:
        """List the deeds of one kind about a session, the oldest first."""
        wanted = select(deeds).where(deeds.c.session == session, deeds.c.kind == kind).order_by(deeds.c.number)
        with self.database.reading() as connection:
            return [_deed(row) for row in connection.execute(wanted)]

    def of_runs(self, runs: Iterable[str], *, kind: str = "") -> list[SessionDeed]:
        """List the deeds about the sessions of some runs, the oldest first; all, or those of one kind."""
        mine = [deeds.c.session.startswith(f"{run}/", autoescape=True) for run in runs]
        wanted = select(deeds).where(or_(false(), *mine)).order_by(deeds.c.time, deeds.c.number)
        wanted = wanted.where(deeds.c.kind == kind) if kind else wanted
        with self.database.reading() as connection:
            return [_deed(row) for row in connection.execute(wanted)]


def _deed(row: Row[Any]) -> SessionDeed:
    return SessionDeed(row.session, row.kind, text.read(row.body), row.who, row.time)
