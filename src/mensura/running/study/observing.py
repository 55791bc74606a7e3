"""Observing: what observers of a session may say and do, each of it kept in a ledger that is only ever added to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mensura.errors import BadParameter
from mensura.running.study.procedure import Procedure
from mensura.store.people.erasure import SIGN
from mensura.store.people.invitations import Invitation
from mensura.store.people.trail import OBSERVED, AuditLine

if TYPE_CHECKING:
    from mensura.store import Store

Kind = Literal["answered", "excluded", "flagged", "judged in", "judged out", "paused", "went on", "noted"]
ALWAYS = ("That information is available to you.", "I cannot tell you where.", "Please do as you think best.")
"""The answers that observers may give where a procedure names none: they help nobody more than another."""
LONGEST = 2000


@dataclass(frozen=True)
class ObserverNote:
    """One thing that an observer or the evaluator did about a participant."""

    invitation: int
    kind: str
    words: str
    who: str
    time: float


def left_out(seen: Sequence[ObserverNote]) -> bool:
    """Return whether a participant is excluded by what was observed; the last decision stands."""
    decided = [one.kind for one in seen if one.kind in ("excluded", "judged in", "judged out")]
    return bool(decided) and decided[-1] != "judged in"


class ObserverNotes:
    """The ledger of observations of a store."""

    def __init__(self, store: "Store") -> None:
        self.store = store

    def of(self, invitation: int) -> list[ObserverNote]:
        """Return what was observed of a participant, the oldest first."""
        return [_observation(line) for line in self.store.trail.about(f"{SIGN}{invitation}", beginning=OBSERVED)]

    def by_participant(self) -> dict[int, list[ObserverNote]]:
        """Return what was observed of everyone, by the number of their invitation, the oldest first."""
        found: dict[int, list[ObserverNote]] = {}
        for line in self.store.trail.about(beginning=OBSERVED):
            one = _observation(line)
            found.setdefault(one.invitation, []).append(one)
        return found

    def answer(self, invitation: int, words: str, *, procedure: Procedure, who: str) -> None:
        """Note that a participant's question was answered; only what the procedure allows may be said."""
        allowed = procedure.answers or ALWAYS
        if words not in allowed:
            raise BadParameter(f"Observers may say only: {' '.join(repr(each) for each in allowed)}")
        self._note(invitation, "answered", words, who)

    def exclude(self, invitation: int, reason: str, *, procedure: Procedure, who: str) -> None:
        """Leave a participant out at once, for a reason that was written down before the data."""
        if reason not in procedure.exclude_for:
            listed = "; ".join(procedure.exclude_for) or "none"
            raise BadParameter(f"People are excluded at once only for what the procedure names: {listed}.")
        for session in self._sessions(invitation):
            self.store.exclusions.decide(session, reason=f"observed: {reason}", who=who, planned=True)
        self._note(invitation, "excluded", reason, who)

    def flag(self, invitation: int, reason: str, *, who: str) -> None:
        """Ask that the evaluator judge later whether a participant is to be excluded."""
        self._note(invitation, "flagged", reason, who)

    def judge(self, invitation: int, *, out: bool, reason: str, who: str) -> None:
        """Decide as the evaluator about someone who was flagged; whatever is decided is marked as after the data.

        A person who was excluded before and is judged to count is included again.
        """
        if not any(one.kind == "flagged" for one in self.of(invitation)):
            raise BadParameter("Nobody has flagged this participant; an observer says first what was seen.")
        decisions = self.store.exclusions
        for session in self._sessions(invitation):
            if out or session in decisions.excluded(self.store.sessions.find(session).run):
                decisions.decide(session, reason=f"judged: {reason}", who=who, planned=False, excluded=out)
        self._note(invitation, "judged out" if out else "judged in", reason, who)

    def note(self, invitation: int, words: str, *, who: str, kind: Kind = "noted") -> None:
        """Write anything else down: a crash, a pause, a remark."""
        self._note(invitation, kind, words, who)

    def pending(self, study: str) -> list[Invitation]:
        """List the participants of a study who were flagged and not judged since; of the withdrawn nothing is left."""
        seen = self.by_participant()
        return [one for one in self.store.invitations.of_study(study) if is_pending(seen.get(one.number, []))]

    def _sessions(self, invitation: int) -> list[str]:
        steps = self.store.invitations.get(invitation).steps
        return [step.session for step in steps if step.session and not step.practice]

    def _note(self, invitation: int, kind: str, words: str, who: str) -> None:
        self.store.invitations.get(invitation)
        words = words.strip()
        if not words or len(words) > LONGEST:
            raise BadParameter(f"Say in 1 to {LONGEST} characters what was seen.")
        self.store.trail.note(who, f"{OBSERVED}{kind}", f"{SIGN}{invitation}", words=words)


def is_pending(seen: Sequence[ObserverNote]) -> bool:
    """Return whether someone was flagged and not judged since."""
    kinds = [one.kind for one in seen if one.kind in ("flagged", "judged in", "judged out")]
    return bool(kinds) and kinds[-1] == "flagged"


def _observation(line: AuditLine) -> ObserverNote:
    number, kind = int(line.what.removeprefix(SIGN)), line.did.removeprefix(OBSERVED)
    return ObserverNote(number, kind, str(line.details.get("words", "")), line.who, line.time)
