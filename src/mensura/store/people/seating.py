"""Seating: who is invited to which place, while nothing has begun there: waiting, changing places, leaving in time."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import Connection, select, update

from mensura.dialogue.canonical import canonical
from mensura.store.database import Database
from mensura.store.people.invitations import Invitation, Step, read_invitation
from mensura.store.schema import events, invitations, sessions


@dataclass(frozen=True)
class Chair:
    """A place in a session: the role that someone is invited to."""

    session: str
    role: str

    def is_of(self, step: Step) -> bool:
        """Return whether a step leads to this place."""
        return (step.session, step.role) == (self.session, self.role)


@dataclass(eq=False, repr=False)
class Seating:
    """The places of a store's people."""

    database: Database

    def of_run(self, run_id: str) -> list[Invitation]:
        """List the invitations that lead to a session of a run, the oldest first."""
        named = invitations.c.steps.contains(f'"{run_id}/', autoescape=True)
        with self.database.reading() as connection:
            rows = connection.execute(select(invitations).where(named).order_by(invitations.c.number))
            return [read_invitation(row) for row in rows]

    def note(self, number: int, name: str, value: Any) -> None:
        """Keep a detail of an invitation that is not there yet."""
        with self.database.writing() as connection:
            one = _read(connection, number)
            _write(connection, number, details=canonical({name: value, **one.details}))

    def release(self, number: int, *, from_step: int, given: Mapping[str, Any]) -> bool:
        """End the way of someone who is still at a step, and keep with what; False if they are no longer there."""
        with self.database.writing() as connection:
            one = _read(connection, number)
            if one.status != "open" or one.step != from_step or _begun(connection, one.current.session):
                return False
            details = canonical({**one.details, **given})
            _write(connection, number, status="finished", finished=time.time(), step=len(one.steps), details=details)
        return True

    def exchange(self, number: int, mine: Chair, wanted: Chair) -> bool:
        """Give someone another place; who was invited to it gets theirs. False where a place is not as it was."""
        with self.database.writing() as connection:
            one = _read(connection, number)
            if not mine.is_of(one.current) or _begun(connection, mine.session, wanted.session):
                return False
            named = invitations.c.steps.contains(wanted.session, autoescape=True)
            others = [read_invitation(row) for row in connection.execute(select(invitations).where(named))]
            for other in others:
                if other.number != number and any(wanted.is_of(step) for step in other.steps):
                    _write(connection, other.number, steps=_moved(other, wanted, mine))
            _write(connection, number, steps=_moved(one, mine, wanted))
        return True


def _read(connection: Connection, number: int) -> Invitation:
    return read_invitation(connection.execute(select(invitations).where(invitations.c.number == number)).one())


def _write(connection: Connection, number: int, **values: Any) -> None:
    connection.execute(update(invitations).where(invitations.c.number == number).values(values))


def _begun(connection: Connection, *names: str) -> bool:
    logged = select(events.c.number).join(sessions, sessions.c.number == events.c.session)
    return connection.execute(logged.where(sessions.c.id.in_(names)).limit(1)).first() is not None


def _moved(one: Invitation, old: Chair, new: Chair) -> str:
    return canonical(
        [asdict(replace(step, session=new.session, role=new.role) if old.is_of(step) else step) for step in one.steps]
    )
