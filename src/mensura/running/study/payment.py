"""Payment: half hours begun and milestones reached, both read by program from what is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from mensura.running.people.waiting_room import RELEASED
from mensura.running.study.procedure import Pay
from mensura.store.people.invitations import Invitation

if TYPE_CHECKING:
    from mensura.store import Store

HALF_HOUR = 1800.0


@dataclass(frozen=True)
class Payment:
    """The payment of one participant, and its reasons."""

    subject: str
    half_hours: int
    base: float
    milestones: Mapping[str, bool | None]
    """Whether each was reached; None where the session has no score yet, or has none any more."""
    bonus: float
    withdrew: bool = False
    waiting: float = 0.0
    """For having waited for others in vain; then it is all."""

    @property
    def total(self) -> float:
        """Everything together."""
        return self.base + self.bonus + self.waiting

    def as_json(self) -> dict[str, Any]:
        """Return the payment as JSON."""
        names = ("subject", "half_hours", "base", "bonus", "waiting", "total", "withdrew")
        facts = {name: getattr(self, name) for name in names}
        return {**facts, "milestones": dict(self.milestones)}


def payment(
    *, seconds: float, milestones: Mapping[str, bool] | None, pay: Pay, subject: str = "", withdrew: bool = False
) -> Payment:
    """Work out a payment from the time spent and the milestones that the scoring reports.

    >>> pay = Pay(per_half_hour=10, milestones={"schedule": 12, "briefing": 4, "site": 4})
    >>> one = payment(seconds=2.2 * 3600, milestones={"schedule": True, "briefing": False, "site": True}, pay=pay)
    >>> one.half_hours, one.total
    (5, 66.0)
    """
    half_hours = ceil(max(seconds, 0.0) / HALF_HOUR)
    reached = {name: None if milestones is None else bool(milestones.get(name, False)) for name in pay.milestones}
    bonus = sum(worth for name, worth in pay.milestones.items() if reached[name])
    return Payment(subject, half_hours, half_hours * pay.per_half_hour, reached, float(bonus), withdrew)


def payments(study: str, pay: Pay, *, store: "Store") -> list[Payment]:
    """Work out what everyone who has taken part in a study is to be paid so far.

    Those who left early are paid too, and so are those who withdrew: for their time, since what they did is erased.
    Those who were turned away had no session, and are paid nothing.
    """
    people = store.invitations.of_study(study, withdrawn=True)
    came = [one for one in people if one.entered is not None and one.sessions]
    return [_of(one, pay, store) for one in came]


def _of(invitation: Invitation, pay: Pay, store: "Store") -> Payment:
    if released := invitation.details.get(RELEASED):
        withdrew = invitation.status == "withdrawn"
        return Payment(invitation.subject_number, 0, 0.0, {}, 0.0, withdrew, float(released["pay"]))
    entered = invitation.entered or invitation.created
    sessions = [step.session for step in invitation.steps if step.session and not step.practice]
    ends = [invitation.finished] if invitation.finished is not None else []
    milestones: dict[str, bool] | None = None
    for name in sessions:
        _, last = store.events.times(name)
        ends += [last] if last is not None else []
        for result in store.results.history(name)[-1:]:
            # A quiz beside the test has scores and says nothing of milestones: they are not missed, but unknown.
            if "milestones" in result.scores.details:
                milestones = {**(milestones or {}), **result.scores.details["milestones"]}
    seconds, withdrew = max([*ends, entered]) - entered, invitation.status == "withdrawn"
    return payment(
        seconds=seconds, milestones=milestones, pay=pay, subject=invitation.subject_number, withdrew=withdrew
    )
