"""Copies: what left the store as a file, so that people who withdraw learn of it and researchers can mend it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from mensura.store import text
from mensura.store.database import Database
from mensura.store.people.invitations import Invitation
from mensura.store.people.trail import AuditTrail
from mensura.store.schema import runs, sessions

EXPORTED, ARCHIVED, RELEASED, REPORTED = "exported a run", "archived sessions", "released data", "wrote a report"
MADE_GOOD = "erased archived sessions"
TOLD = {
    EXPORTED: "An anonymous copy was written to a file by the laboratory on {day}.",
    ARCHIVED: "An anonymous copy was put into the archive of the laboratory on {day}.",
    RELEASED: "An anonymous copy was given to {to} on {day}, for this: {why}",
    REPORTED: "A report with scores of everybody was written on {day}.",
}
"""What a person is told of a copy."""
MENDED = {
    EXPORTED: "write it anew: mensura export {runs} --to {places}",
    ARCHIVED: "take it out: mensura study archive STUDY_FILE --erase {to_places}",
    RELEASED: "ask {to} to delete it, and release it anew",
    REPORTED: "write it anew: mensura report {runs} -o {places}",
}


@dataclass(frozen=True)
class Copy:
    """Something that was written from the store."""

    did: str
    time: float
    runs: tuple[str, ...]
    places: tuple[str, ...] = ()
    to: str = ""
    why: str = ""

    @property
    def told(self) -> str:
        """Say in a sentence what a person should know of it."""
        return TOLD[self.did].format(day=text.day(self.time), to=self.to, why=self.why)

    @property
    def mending(self) -> str:
        """Say what it is, and how those who withdrew since are taken out of it."""
        places = " ".join(self.places) or "FILE"
        to_places = " ".join(f"--to {place}" for place in self.places) or "--to A --to B"
        how = MENDED[self.did].format(runs=" ".join(self.runs), places=places, to_places=to_places, to=self.to)
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

    def of_runs(self, wanted: Sequence[str]) -> list[Copy]:
        """List the copies that hold any of these runs, the oldest first."""
        found = []
        for line in self.trail.about():
            if line.did not in TOLD:
                continue
            # Earlier releases named the runs only here.
            held = line.details.get("runs") or line.what.split(", ")
            to = line.what if line.did == RELEASED else ""
            places = tuple(line.details.get("places", ()))
            if set(held) & set(wanted):
                found.append(Copy(line.did, line.time, tuple(held), places, to, str(line.details.get("why", ""))))
        return found

    def of_person(self, invitation: Invitation) -> list[Copy]:
        """List the copies that hold what a person did, whether or not it was erased since."""
        entered = invitation.entered
        if entered is None:
            return []
        wanted = select(runs.c.id, sessions.c.status, sessions.c.ended).join(runs, runs.c.number == sessions.c.run)
        with self.database.reading() as connection:
            rows = connection.execute(wanted.where(sessions.c.id.in_(invitation.sessions))).all()
        gone = max((row.ended for row in rows if row.status == "withdrawn"), default=None)
        made = self.of_runs([row.id for row in rows])
        return [copy for copy in made if copy.time >= entered and (gone is None or copy.time < gone)]

    def outdated(self, run: str) -> list[Copy]:
        """List the copies of a run that hold sessions from which people withdrew since."""
        left = select(sessions.c.created, sessions.c.ended).join(runs, runs.c.number == sessions.c.run)
        left = left.where(runs.c.id == run, sessions.c.status == "withdrawn")
        with self.database.reading() as connection:
            erased = connection.execute(left).all()
        if not erased:
            return []
        made_good = [(line.time, line.details.get("places", ())) for line in self.trail.about(beginning=MADE_GOOD)]
        found = []
        for copy in self.of_runs([run]):
            held = [row.ended for row in erased if row.created <= copy.time < row.ended]
            since = [when for when, places in made_good if copy.places and set(copy.places) <= set(places)]
            if held and max(held) > max(since, default=0.0):
                found.append(copy)
        return found
