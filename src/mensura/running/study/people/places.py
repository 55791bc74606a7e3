"""Places: who is where in a study, from the invitation to the end, and which places count for the balance of cells."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.running.people.waiting_room import RELEASED
from mensura.running.study.registration.register import study_runs
from mensura.store.people.invitations import Invitation

if TYPE_CHECKING:
    from mensura.store import Store

STATES = (
    *("invited", "entered", "consented", "under way", "finished", "dropped out", "withdrawn", "excluded", "replaced"),
    *("waited in vain", "not used", "turned away"),
)
"""Where someone can be, in the order in which a board shows them."""


@dataclass(frozen=True)
class StudyPlace:
    """Someone's place in a study: where they are, and whether it counts. Who they are is not known here."""

    invitation: Invitation
    cell: str = ""
    session: str = ""
    """The session of the study itself; quizzes and surveys beside it are others. Empty where none was opened."""
    status: str = ""
    """How that session stands."""
    excluded: str = ""
    """Why it is excluded now; empty where it is not."""
    replaced_by: int | None = None
    answers: int = 0
    """How many answers there are, also in quizzes and surveys beside it."""
    last: float | None = None
    """When they were last heard of."""

    @property
    def number(self) -> int:
        """The number of the invitation."""
        return self.invitation.number

    @property
    def stratum(self) -> Mapping[str, str]:
        """Return the answers to the questions that assignment is balanced over."""
        found: Mapping[str, str] = self.invitation.details.get("stratum", {})
        return found

    @property
    def counts(self) -> bool:
        """Return whether the place is usable or may still become so."""
        usable = self.status in ("open", "finished") and not self.excluded and self.replaced_by is None
        return usable and RELEASED not in self.invitation.details

    @property
    def state(self) -> str:
        """Where the person is, as one of `STATES`."""
        one = self.invitation
        if not self.session:
            return "withdrawn" if one.status == "withdrawn" else "turned away"
        if self.replaced_by is not None:
            return "replaced"
        if one.status == "withdrawn":
            return "withdrawn"
        if RELEASED in one.details:
            return "waited in vain"
        if self.excluded:
            return "excluded"
        if one.status == "finished":
            return "finished"
        if one.status == "closed" or self.status not in ("open", "finished"):
            return "dropped out" if one.entered else "not used"
        if one.entered is None:
            return "invited"
        if one.consented is None:
            return "entered"
        return "under way" if self.answers else "consented"

    @property
    def at(self) -> str:
        """Which part of how many; thanks are none."""
        parts = sum(step.kind != "thanks" for step in self.invitation.steps)
        return f"part {min(self.invitation.step + 1, parts)} of {parts}" if parts else ""

    @property
    def replaceable(self) -> bool:
        """Return whether someone else may take the place: nobody has, and they have not finished."""
        return bool(self.session) and self.replaced_by is None and self.state != "finished"

    def as_json(self) -> dict[str, Any]:
        """Return the place as JSON."""
        names = ("number", "cell", "session", "state", "at", "excluded", "replaced_by", "counts", "answers", "last")
        one = self.invitation
        times = {name: getattr(one, name) for name in ("created", "entered", "consented", "finished", "expires")}
        return {name: getattr(self, name) for name in names} | times | {"stratum": dict(self.stratum)}


def places_of(study: str, *, store: "Store") -> list[StudyPlace]:
    """List everyone's place in a study, the oldest first."""
    heads = study_runs(study, store=store)
    cells = {head.id: str(head.details.get("cell", "")) for head in heads}
    status = {one.id: one.status for head in heads for one in store.sessions.of(head.id)}
    why = {name: one.reason for head in heads for name, one in store.exclusions.excluded(head.id).items()}
    people = store.invitations.of_study(study, withdrawn=True)
    instead = {int(one.details["replaces"]): one.number for one in people if "replaces" in one.details}
    heard = store.events.counted([name for one in people for name in one.sessions])
    found = []
    for one in people:
        taken = [name for name in one.sessions if name in status]
        # A course stands as its sessions do: over where all are, and lost where any is.
        mine = next(iter(taken), "")
        stands = [status[name] for name in taken]
        stand = next((each for each in stands if each not in ("open", "finished")), "open" if "open" in stands else "")
        said = [heard[name] for name in one.sessions if name in heard]
        times = [one.entered, one.consented, one.finished, *(each["last"] for each in said)]
        found.append(
            StudyPlace(
                one,
                cells.get(mine.rpartition("/")[0], ""),
                mine,
                stand or status.get(mine, ""),
                next((why[name] for name in taken if name in why), ""),
                instead.get(one.number),
                sum(each["answers"] for each in said),
                max((time for time in times if time is not None), default=None),
            )
        )
    return found


def filled(places: Iterable[StudyPlace], stratum: Mapping[str, str] | None = None) -> dict[str, int]:
    """Count the places of each cell that are usable or may become so; only those of a stratum where one is given."""
    return dict(
        Counter(one.cell for one in places if one.counts and (stratum is None or dict(one.stratum) == dict(stratum)))
    )
