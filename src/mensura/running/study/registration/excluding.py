"""Excluding: decisions about sessions, by a rule of the registered plan or after the data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mensura.errors import BadParameter
from mensura.running.study.registration.register import planned_rules
from mensura.store.people.erasure import EXCLUDED, INCLUDED

if TYPE_CHECKING:
    from mensura.store import Store

MOST_WORDS = 2000


def decide_all(
    sessions: Sequence[str], reason: str, *, store: "Store", who: str, rule: str = "", leave_out: bool = True
) -> None:
    """Exclude some sessions, or include them again, and write each decision into ledger and trail.

    A decision is a planned one only where it names a rule of the plan that the sessions' runs were begun under.
    """
    for run in dict.fromkeys(session.rpartition("/")[0] for session in sessions if rule):
        if rule not in (rules := planned_rules(run, store=store)):
            listed = "; ".join(rules) or "none"
            raise BadParameter(f"The registered plan has no rule {rule[:100]!r}. Rules to exclude by: {listed}.")
    planned = bool(rule)
    if not reason.strip() and not rule:
        raise BadParameter("An exclusion needs a reason; say why.")
    reason = f"{rule}: {reason}" if rule else reason
    if len(reason) > MOST_WORDS:
        raise BadParameter(f"A reason has at most {MOST_WORDS} characters; this one has {len(reason)}.")
    for session in sessions:
        # All must be there before any is decided about.
        store.sessions.find(session)
    for session in sessions:
        store.exclusions.decide(session, reason=reason, who=who, planned=planned, excluded=leave_out)
        store.trail.note(who, EXCLUDED if leave_out else INCLUDED, session, reason=reason.strip(), planned=planned)
