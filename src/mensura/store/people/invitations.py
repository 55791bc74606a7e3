"""Invitations: unguessable links by which participants enter, and the steps that each of them goes through."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any, Literal

from sqlalchemy import Select, delete, insert, select, update

from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, UnknownName
from mensura.phrase import Sentence
from mensura.store import text
from mensura.store.database import Database
from mensura.store.people.erasure import SIGN, Erasure
from mensura.store.people.recruiting_links import NOT_KNOWN
from mensura.store.schema import identities, invitations
from mensura.store.scrub import scrub

GRACE_SECONDS = 3600.0
"""How long people who have begun may still go on after their link expired, so that nobody is cut off in an answer."""
Kind = Literal["consent", "page", "session", "thanks"]


@dataclass(frozen=True)
class Step:
    """One step of a participant's way: a page to read, a consent to give, or a session to take."""

    kind: Kind
    title: str = ""
    text: str = ""
    """Markdown."""
    session: str = ""
    role: str = "subject"
    practice: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values for the {names} in the title, so that it can be translated."""
    pause: float = 0.0
    """Seconds that must have passed since the session before it ended."""

    @property
    def heading(self) -> Sentence:
        """The title with its values, which pages translate."""
        return Sentence(self.title, **self.values)


@dataclass(frozen=True)
class Invitation:
    """One participant's way through the laboratory. Who they are is not known here."""

    number: int
    label: str
    steps: tuple[Step, ...]
    step: int
    status: str
    """"open", "finished", "closed" or "withdrawn"."""
    created: float
    created_by: str
    expires: float | None
    entered: float | None
    consented: float | None
    finished: float | None
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sign(self) -> str:
        """Return the name of the participant in presence, log and audit trail."""
        return f"{SIGN}{self.number}"

    @property
    def current(self) -> Step:
        """Where the participant is."""
        return self.steps[min(self.step, len(self.steps) - 1)]

    @property
    def read_so_far(self) -> list[Step]:
        """The texts that the participant has read: consent and pages before the step where they are."""
        return [step for step in self.steps[: self.step] if step.kind in ("consent", "page")]

    @property
    def subject_number(self) -> str:
        """Return the name of a participant where nobody may know who they are."""
        return str(self.details.get("subject_number") or self.number)

    @property
    def sessions(self) -> list[str]:
        """The sessions on the way."""
        return [step.session for step in self.steps if step.session]

    @property
    def expired(self) -> bool:
        """Return whether the link no longer opens, but to people who have begun."""
        return self.expires is not None and time.time() > self.expires

    @property
    def grace_over(self) -> bool:
        """Return whether the link no longer opens to anyone."""
        return self.expires is not None and time.time() > self.expires + GRACE_SECONDS


COLUMNS = [column.name for column in invitations.columns]
ENTER = f"SELECT {', '.join(COLUMNS)} FROM invitations WHERE token_hash = ?"
KEPT = ("study", "cohort", "seat", "subject_number", "replaces", "completion", "released")
"""The details that outlive a withdrawal; they name nobody."""


@dataclass(frozen=True)
class Draft:
    """An invitation before it is made."""

    steps: tuple[Step, ...]
    label: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    token: str = field(default="", repr=False)
    """That of the link, where it was derived; empty: a new one is drawn."""


@dataclass(eq=False, repr=False)
class Invitations:
    """The invitations of a store."""

    database: Database
    erasure: Erasure

    def add(
        self,
        steps: Iterable[Step],
        *,
        label: str = "",
        created_by: str = "",
        expires: float | None = None,
        details: Mapping[str, Any] | None = None,
        token: str = "",
    ) -> tuple[str, Invitation]:
        """Make an invitation; its token is given once and never stored, only its hash is."""
        draft = Draft(tuple(steps), label, details or {}, token)
        return self.add_many([draft], created_by=created_by, expires=expires)[0]

    def add_many(
        self, drafts: Iterable[Draft], *, created_by: str = "", expires: float | None = None
    ) -> list[tuple[str, Invitation]]:
        """Make many invitations, all or none; each token is given once."""
        made = []
        with self.database.writing() as connection:
            for draft in drafts:
                token = draft.token or token_urlsafe(24)
                row = {
                    "token_hash": _hash(token),
                    "label": draft.label,
                    "steps": canonical([asdict(step) for step in draft.steps]),
                    "step": 0,
                    "status": "open",
                    "created": time.time(),
                    "created_by": created_by,
                    "expires": expires,
                    "details": canonical(dict(draft.details)),
                }
                number = connection.execute(insert(invitations).values(row)).inserted_primary_key
                assert number is not None
                made.append((token, connection.execute(_numbered(int(number[0]))).one()))
        return [(token, read_invitation(row)) for token, row in made]

    def enter(self, token: str) -> Invitation:
        """Find the invitation of a token."""
        rows = self.database.glance(ENTER, (_hash(token),))
        if not rows:
            raise UnknownName(NOT_KNOWN)
        return read_invitation(rows[0])

    def get(self, number: int) -> Invitation:
        """Find an invitation by its number."""
        with self.database.reading() as connection:
            row = connection.execute(_numbered(number)).first()
        if row is None:
            raise UnknownName(f"There is no invitation {number}.")
        return read_invitation(row)

    def find(self, person: str) -> Invitation:
        """Find a participant by their link, by their subject number, or as "invitation 7"."""
        if "/p/" in person:
            return self.enter(person.rpartition("/p/")[2].strip("/"))
        if person.startswith(SIGN) and person.removeprefix(SIGN).isdecimal():
            return self.get(int(person.removeprefix(SIGN)))
        found = [one for one in self.all() if one.subject_number == person]
        if len(found) > 1:
            several = ", ".join(repr(one.sign) for one in found)
            raise BadParameter(f"Several people are called {person}: {several}. Name one of them so.")
        if not found:
            raise UnknownName(f"Nobody has the number {person!r}. Give a link, a subject number or 'invitation 7'.")
        return found[0]

    def all(self) -> list[Invitation]:
        """List all invitations, the oldest first."""
        with self.database.reading() as connection:
            rows = connection.execute(select(invitations).order_by(invitations.c.number))
            return [read_invitation(row) for row in rows]

    def of_study(self, study: str, *, withdrawn: bool = False) -> list[Invitation]:
        """List the invitations to a study, the oldest first; those of people who withdrew where they are wanted."""
        mine = [one for one in self.all() if one.details.get("study") == study]
        return [one for one in mine if withdrawn or one.status != "withdrawn"]

    def cohorts(self, study: str) -> dict[str, tuple[int, ...]]:
        """Return session → the cohorts of its people; sessions to which nobody of a cohort was invited are left out."""
        # A place that was left may be given again: who was invited to it last took it.
        places = {
            (step.session, step.role): one.details["cohort"]
            for one in self.of_study(study)
            for step in one.steps
            if step.session and "cohort" in one.details
        }
        found: dict[str, set[int]] = {}
        for (session, _), cohort in places.items():
            found.setdefault(session, set()).add(int(cohort))
        return {session: tuple(sorted(numbers)) for session, numbers in found.items()}

    def newest(self, *, limit: int, before: int | None = None) -> list[Invitation]:
        """List a page of invitations, the newest first; those before a number, to turn pages."""
        wanted = select(invitations).order_by(invitations.c.number.desc()).limit(limit)
        if before is not None:
            wanted = wanted.where(invitations.c.number < before)
        with self.database.reading() as connection:
            return [read_invitation(row) for row in connection.execute(wanted)]

    def expired(self) -> list[Invitation]:
        """List the invitations that are open although their time is over, the oldest first."""
        over = (invitations.c.status == "open") & (invitations.c.expires < time.time())
        with self.database.reading() as connection:
            rows = connection.execute(select(invitations).where(over).order_by(invitations.c.number))
            return [read_invitation(row) for row in rows]

    def extend(self, number: int, *, expires: float) -> None:
        """Let a link that is still open expire at another moment."""
        self._change_open(number, {"expires": expires})
        if self.get(number).expires != expires:
            raise BadParameter(f"Invitation {number} is over and cannot be extended; make a new one.")

    def close(self, number: int) -> None:
        """Let a link open no longer; what was done by it stays."""
        one = self.get(number)
        self._change_open(number, {"status": "closed", "expires": one.expires if one.expired else time.time() - 1})

    def _change_open(self, number: int, values: dict[str, Any]) -> None:
        here = (invitations.c.number == number) & (invitations.c.status == "open")
        with self.database.writing() as connection:
            connection.execute(update(invitations).where(here).values(values))

    def of_session(self, session_id: str) -> list[Invitation]:
        """List the invitations that lead to a session, the oldest first."""
        named = invitations.c.steps.contains(session_id, autoescape=True)
        with self.database.reading() as connection:
            rows = connection.execute(select(invitations).where(named).order_by(invitations.c.number))
            found = [read_invitation(row) for row in rows]
        return [one for one in found if any(step.session == session_id for step in one.steps)]

    def mark(self, number: int, *, what: Literal["entered", "consented", "finished"]) -> None:
        """Note when something first happened."""
        column = invitations.c[what]
        values: dict[Any, Any] = {column: time.time()}
        if what == "finished":
            values[invitations.c.status] = "finished"
        with self.database.writing() as connection:
            mine = (invitations.c.number == number) & column.is_(None)
            connection.execute(update(invitations).where(mine).values(values))

    def advance(self, number: int, *, from_step: int) -> bool:
        """Continue from a step; False if the participant is no longer there, as with a second tab or a retry."""
        with self.database.writing() as connection:
            here = (invitations.c.number == number) & (invitations.c.step == from_step)
            changed = connection.execute(update(invitations).where(here).values(step=from_step + 1))
        return changed.rowcount == 1

    def withdraw(self, number: int) -> list[str]:
        """End a participation and erase all that its person did and was; return the sessions.

        That a subject number came, and for how long, stays: those who withdraw are paid for the time given. It ends
        with the last that was heard of them, not with a withdrawal that may come days later.
        """
        mine = self.get(number)
        seats = {step.session: step.role for step in mine.steps if step.session}
        own = identities.c.invitation == number
        with self.database.writing() as connection:
            known = connection.execute(select(identities).where(own)).all()
            words = {word for row in known for word in (row.contact, row.name, *row.name.split())}
            last = self.erasure.erase(connection, mine.sign, seats, words)
            connection.execute(delete(identities).where(own))
            kept = {name: value for name, value in mine.details.items() if name in KEPT}
            gone = {
                "status": "withdrawn",
                "finished": mine.finished or last or mine.entered or time.time(),
                "label": "",
                "steps": canonical([asdict(replace(step, title="", text="")) for step in mine.steps]),
                "details": canonical(kept),
            }
            connection.execute(update(invitations).where(invitations.c.number == number).values(gone))
        scrub(self.database)
        return list(seats)

    def name(self, number: int, *, name: str, contact: str = "", notes: str = "") -> None:
        """Keep who a participant is, apart from everything else."""
        row = {"invitation": number, "name": name, "contact": contact, "notes": notes}
        with self.database.writing() as connection:
            connection.execute(delete(identities).where(identities.c.invitation == number))
            connection.execute(insert(identities).values(row))

    def identity(self, number: int) -> dict[str, Any] | None:
        """Return who a participant is; None where that is not known."""
        with self.database.reading() as connection:
            row = connection.execute(select(identities).where(identities.c.invitation == number)).first()
        return None if row is None else dict(row._mapping)

    def identities(self) -> list[dict[str, Any]]:
        """List who the participants are; nothing of what they did."""
        with self.database.reading() as connection:
            return [dict(row._mapping) for row in connection.execute(select(identities))]


def _numbered(number: int) -> Select[Any]:
    return select(invitations).where(invitations.c.number == number)


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def read_invitation(row: Sequence[Any]) -> Invitation:
    """Read an invitation from its row."""
    number, _, label, steps, step, status, created, created_by, expires, *moments, details = row
    entered, consented, finished = moments
    known = text.read(details)
    return Invitation(
        number, label, _way(steps), step, status, created, created_by, expires, entered, consented, finished, known
    )


@lru_cache(maxsize=2000)
def _way(steps: str) -> tuple[Step, ...]:
    """Read steps from their text, which stays the same from one answer to the next."""
    return tuple(Step(**each) for each in text.read(steps))
