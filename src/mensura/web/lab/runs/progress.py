"""Progress: how far runs and invitations are, from few questions to the store."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.running.people.waiting_room import RELEASED
from mensura.running.run import UNFINISHED
from mensura.store.head import RunHead
from mensura.store.people.invitations import Invitation
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class RunProgress:
    """How many sessions of a run stand how."""

    counts: dict[str, int]
    state: str
    """"under way" where this server takes it, or the sentence with which it failed."""
    not_begun: int = 0
    """How many of the open ones nobody has begun, such as those of links that were never opened."""

    @property
    def total(self) -> int:
        """All sessions, of those that are known so far."""
        return sum(self.counts.values())

    @property
    def done(self) -> int:
        """Sessions that are over; one that was lost can be resumed."""
        return self.total - sum(self.counts.get(status, 0) for status in UNFINISHED)


def run_facts(head: RunHead, progress: RunProgress) -> dict[str, Any]:
    """Return what every page says of a run. A secret seed is not among it."""
    return {
        "id": head.id,
        "test": head.test,
        "cast": dict(head.cast),
        "subject": " and ".join(head.who),
        "knows": list(head.details.get("knows", ())),
        "people": HUMAN in head.cast.values(),
        "condition": head.condition,
        "parameters": dict(head.parameters),
        "seed": str(head.seed) if head.seed_public and head.seed is not None else None,
        "seed_public": head.seed_public,
        "instance": head.instance_hash,
        "environment": head.environment_hash,
        "trace": head.trace,
        "created": head.created,
        "study": str(head.details.get("study", "")),
        "simulated": bool(head.details.get("simulated")),
        "sessions": progress.counts,
        "not_begun": progress.not_begun,
        "total": progress.total,
        "done": progress.done,
        "state": progress.state,
    }


def invitation_rows(store: "Store", found: Sequence[Invitation]) -> list[dict[str, Any]]:
    """Return where each of some participants is; who they are is not known here."""
    taken = [step.session for one in found for step in one.steps if step.session]
    answers = store.events.counted(taken)
    return [_invitation_row(one, answers) for one in found]


def _invitation_row(one: Invitation, answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    mine = [answers[step.session] for step in one.steps if step.session in answers]
    seen = [moment for moment in (one.entered, one.consented, one.finished) if moment is not None]
    seen += [each["last"] for each in mine if each["last"] is not None]
    return {
        "number": one.number,
        "label": one.label,
        "condition": str(one.details.get("condition", "")),
        "run": str(one.details.get("run", "")),
        "study": str(one.details.get("study", "")),
        "status": one.status if one.entered or one.status != "open" else "not yet entered",
        "step": min(one.step + 1, len(one.steps)),
        "steps": len(one.steps),
        "at": "waited in vain" if RELEASED in one.details else one.current.title or one.current.kind,
        "answers": sum(each["answers"] for each in mine),
        "invalid": sum(each["invalid"] for each in mine),
        "created": one.created,
        "created_by": one.created_by,
        "expires": one.expires,
        "entered": one.entered,
        "finished": one.finished,
        "last": max(seen, default=None),
        "sessions": [step.session for step in one.steps if step.session],
    }


def invitation_counts(found: Sequence[Invitation]) -> dict[str, int]:
    """Count invitations by how they stand."""
    counts = {"not yet entered": 0, "open": 0, "finished": 0, "withdrawn": 0, "closed": 0}
    for one in found:
        counts["not yet entered" if one.status == "open" and not one.entered else one.status] += 1
    return counts
