"""Copies: what left the store as a file, so that people who withdraw learn of it and researchers can mend it."""

import shlex
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from mensura.phrase import Sentence, phrase
from mensura.store import text
from mensura.store.database import Database
from mensura.store.people.invitations import Invitation
from mensura.store.people.trail import AuditLine, AuditTrail
from mensura.store.schema import invitations, runs, sessions

EXPORTED, ARCHIVED, RELEASED, REPORTED = "exported a run", "archived sessions", "released data", "wrote a report"
NAMED = "exported identities"
MADE_GOOD = "erased archived sessions"
TOLD = {
    EXPORTED: phrase("An anonymous copy was written to a file by the laboratory on {day}."),
    ARCHIVED: phrase("An anonymous copy was put into the archive of the laboratory on {day}."),
    RELEASED: phrase("An anonymous copy was given to {to} on {day}, for this: {why}."),
    REPORTED: phrase("A report with scores of everybody was written on {day}."),
    NAMED: phrase("A list of names and contacts was written to a file by the laboratory on {day}."),
}
"""The facts about a copy for a person."""
MENDED = {
    EXPORTED: "write it again: mensura export {runs} --format {format} --to {places}",
    ARCHIVED: "remove it: mensura study archive STUDY_FILE --erase {to_places}",
    RELEASED: "ask {to} to delete it, and release it again",
    REPORTED: "write it again: mensura {again} -o {places}",
}
DOWNLOADED = "delete the file, and download it again"


@dataclass(frozen=True)
class Copy:
    """Something that was written from the store."""

    did: str
    time: float
    runs: tuple[str, ...]
    places: tuple[str, ...] = ()
    to: str = ""
    why: str = ""
    format: str = ""
    again: str = ""
    """The command that writes a report anew."""
    invitations: tuple[int, ...] | None = None
    """Of a list of names: whose they are; None where that was not noted."""

    @property
    def told(self) -> str:
        """Return what a person should know of it."""
        return Sentence(TOLD[self.did], day=text.day(self.time), to=self.to, why=self.why.rstrip(". "))

    @property
    def mending(self) -> str:
        """Return what it is, and how people who have withdrawn since are removed from it."""
        how = DOWNLOADED
        if self.places or self.did not in (EXPORTED, NAMED):
            how = MENDED[self.did].format(
                runs=" ".join(self.runs),
                places=shlex.join(self.places) or "FILE",
                to_places=" ".join(f"--to {shlex.quote(place)}" for place in self.places) or "--to A --to B",
                to=self.to,
                format=self.format or "parquet",
                again=self.again or f"report {' '.join(self.runs)}",
            )
        return f"{self.told} It holds what was erased since; {how}"


@dataclass(eq=False, repr=False)
class Copies:
    """The copies that were made of a store's runs, as the audit trail has them."""

    database: Database
    trail: AuditTrail

    def note(self, who: str, did: str, what: str, *, runs: Iterable[str], **details: Any) -> None:
        """Write down that a copy was made; a store that is opened for reading only keeps no note."""
        if not self.database.read_only:
            self.trail.note(who, did, what, runs=list(runs), **details)

    def all(self) -> list[Copy]:
        """List every copy, the oldest first."""
        return [_copy(line) for line in self.trail.about() if line.did in TOLD]

    def of_person(self, invitation: Invitation) -> list[Copy]:
        """List the copies that hold what a person did, or who they are, whether or not it was erased since."""
        wanted = select(runs.c.id, sessions.c.status, sessions.c.ended).join(runs, runs.c.number == sessions.c.run)
        with self.database.reading() as connection:
            rows = connection.execute(wanted.where(sessions.c.id.in_(invitation.sessions))).all()
        gone = max((row.ended for row in rows if row.status == "withdrawn"), default=float("inf"))
        mine, entered = {row.id for row in rows}, invitation.entered
        return [
            copy
            for copy in self.all()
            if copy.time < gone
            and (
                (entered is not None and copy.time >= entered and mine & set(copy.runs))
                or (copy.did == NAMED and _names(copy, invitation.number, invitation.created))
            )
        ]

    def told(self, invitation: Invitation) -> list[str]:
        """Return for a person which copies exist, and how many where the same is true of several."""
        many = Counter(copy.told for copy in self.of_person(invitation))
        return [
            told if count == 1 else phrase("{told} ({count} such copies)", told=told, count=count)
            for told, count in many.items()
        ]

    def outdated(self, run: str) -> list[Copy]:
        """List the copies of a run that hold sessions from which people withdrew since, or the names of these."""
        left = select(sessions.c.created, sessions.c.ended).join(runs, runs.c.number == sessions.c.run)
        left = left.where(runs.c.id == run, sessions.c.status == "withdrawn")
        named = select(invitations.c.number, invitations.c.created).where(invitations.c.status == "withdrawn")
        with self.database.reading() as connection:
            erased = connection.execute(left).all()
            people = connection.execute(named.where(invitations.c.steps.contains(f'"{run}/', autoescape=True))).all()
        if not erased:
            return []
        made_good = [(line.time, line.details.get("places", ())) for line in self.trail.about(beginning=MADE_GOOD)]
        made, found = self.all(), []
        for copy in made:
            held = [row.ended for row in erased if row.created <= copy.time < row.ended]
            since = [when for when, places in made_good if copy.places and set(copy.places) <= set(places)]
            if copy.places and copy.did in (EXPORTED, REPORTED):
                over = (copy.places, copy.format)
                since += [one.time for one in made if (one.places, one.format) == over]
            about = run in copy.runs or (copy.did == NAMED and any(_names(copy, *person) for person in people))
            if about and held and max(held) > max(since, default=0.0):
                found.append(copy)
        return found


def _copy(line: AuditLine) -> Copy:
    details = line.details
    numbers = details.get("invitations")
    return Copy(
        line.did,
        line.time,
        # Earlier releases named the runs only here.
        tuple(details.get("runs") or line.what.split(", ")),
        tuple(details.get("places", ())),
        line.what if line.did == RELEASED else "",
        invitations=None if numbers is None else tuple(numbers),
        **{name: str(details.get(name, "")) for name in ("why", "format", "again")},
    )


def _names(copy: Copy, number: int, created: float) -> bool:
    return copy.time >= created if copy.invitations is None else number in copy.invitations
