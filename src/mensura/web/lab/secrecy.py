"""Secrecy: when truths may leave. Not before a session is over, and not while another with the same items is open."""

from typing import TYPE_CHECKING

from sqlalchemy import select

from mensura.dialogue import Address
from mensura.store.head import RunHead, SessionHead
from mensura.store.schema import runs, sessions

if TYPE_CHECKING:
    from mensura.store import Store


def open_items(store: "Store", run: RunHead) -> set[Address]:
    """Give the addresses at which someone is still being asked the same things as in this run.

    Runs of one test with one seed meet the same items at the same address, as all casts of a study do. Parameters are
    not compared: it is better to hide too much.
    """
    wanted = select(sessions.c.course, sessions.c.phase, sessions.c.session).join(runs, sessions.c.run == runs.c.number)
    same = (runs.c.id == run.id) if run.seed is None else (runs.c.test == run.test) & (runs.c.seed == str(run.seed))
    with store.reading() as connection:
        return {Address(*row) for row in connection.execute(wanted.where(same, sessions.c.status == "open").distinct())}


def over(store: "Store", run: RunHead, found: list[SessionHead]) -> list[SessionHead]:
    """Keep the sessions of a run whose truths may be told."""
    being_asked = open_items(store, run)
    return [session for session in found if session.status != "open" and session.address not in being_asked]


def is_over(store: "Store", run: RunHead, session: SessionHead) -> bool:
    """Say whether the truths of a session may be told."""
    return bool(over(store, run, [session]))
