"""RunSteward: what a run does for its models through its store, in whichever process they are."""

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mensura.errors import SubjectCrashed
from mensura.running.journal import shared_store
from mensura.store.log.deeds import SPENT
from mensura.subjects import Subject
from mensura.subjects.tools.steps import total
from mensura.subjects.tools.steward import NOBODY, Spent

if TYPE_CHECKING:
    from mensura.store import Store

REPLIES = ("answer", "refuse", "abstain", "invalid")


@dataclass(frozen=True)
class RunSteward:
    """Keeps the accounts of one session, and knows the desk at which a person approves."""

    session: str
    desk: str
    place: str
    key: bytes | None = field(default=None, repr=False)

    @cached_property
    def _store(self) -> "Store":
        return shared_store(self.place, self.key)

    def approver(self, who: str) -> Subject:
        """Make the person at the desk of the run."""
        if not self.desk:
            raise SubjectCrashed(NOBODY)
        from mensura.running.people.desk import Attendant

        return Attendant(self.desk, who=who, item=self.session, store=self._store)

    def replied(self, role: str) -> Spent:
        """Add up what the notes of stored replies say."""
        if self._store.events.last_number(self.session) == 0:
            return Spent()
        events = [one for one in self._store.events.of(self.session) if one.kind in REPLIES and one.role == role]
        notes = [one.notes or {} for one in events]
        tokens = total(_tokens(one) for one in notes)
        cost = total(one.get("cost", 0.0) for one in notes)
        seconds = sum(one.get("seconds") or 0.0 for one in notes)
        return Spent(tokens, cost, seconds, replies=len(events))

    def on_the_way(self, role: str, *, replies: int) -> Spent:
        """Return what was noted last for the reply that comes after so many."""
        if self._store.events.last_number(self.session) == 0:
            return Spent()
        noted = [dict(one.body) for one in self._store.deeds.of_session(self.session, kind=SPENT)]
        mine = [one for one in noted if one.pop("role") == role and one["replies"] == replies]
        # Runs of earlier releases did not note which tokens were read and which written.
        return Spent(**{"tokens_in": None, "tokens_out": None, **mine[-1]}) if mine else Spent()

    def note(self, role: str, spent: Spent) -> None:
        """Store what was taken since the last reply; it cost money, so it survives a power cut."""
        self._store.deeds.note(self.session, SPENT, role=role, **asdict(spent))
        self._store.database.flush()


def _tokens(notes: dict[str, Any]) -> float | None:
    # An answer from the cache was paid for before.
    return 0.0 if notes.get("cached") else total([notes.get("tokens_in", 0), notes.get("tokens_out", 0)])
