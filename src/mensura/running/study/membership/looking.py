"""Looking: who the participants of a study are, told only with a line in the audit trail; and that trail."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mensura.store.people.belonging import NONE

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.invitations import Invitation
    from mensura.store.people.trail import AuditLine

LOOKED = "looked at identities"
ENTERED = "looked at a study as administrator"


def identities_of(
    shown: Sequence["Invitation"], *, store: "Store", who: str, address: str, did: str = LOOKED, study: str = ""
) -> list[dict[str, Any]]:
    """Return who some participants are, after noting who asks, for whom and from where.

    Each study that they belong to gets a separate line, so that its owner reads it.
    """
    here = [one for one in shown if one.status != "withdrawn"]
    belonging = store.belongings.now()
    by_study: dict[str, list[int]] = {}
    for one in here:
        for name in belonging.of_invitation(one) or {""}:
            by_study.setdefault(name, []).append(one.number)
    for name, numbers in (by_study or {study: []}).items():
        store.trail.note(who, did, name, runs=[], invitations=sorted(numbers), address=address)
    known = {row["invitation"]: row for row in store.invitations.identities()}
    blank = {"name": "", "contact": "", "notes": ""}
    rows = []
    for one in here:
        said = known.get(one.number, blank)
        rows.append({"number": one.number, "label": one.label, **{name: said[name] for name in blank}})
    return rows


def invited_to(study: str, *, store: "Store") -> list["Invitation"]:
    """List everyone who is invited to a study, the oldest first; raters too."""
    belonging = store.belongings.now()
    return [one for one in store.invitations.all() if study in (belonging.of_invitation(one) or NONE)]


def trail_of(study: str, *, store: "Store", beginning: str = "") -> list["AuditLine"]:
    """Return what the audit trail tells of a study, the newest first: its members, and who looked at it."""
    return store.trail.about(study, beginning=beginning)[::-1]


def whose(line: "AuditLine") -> str:
    """Write for whom identities were looked at, in words."""
    return _ranges(line.details.get("invitations", ()))


def _ranges(numbers: Iterable[int]) -> str:
    """Write numbers with those in a row together.

    >>> _ranges([1, 2, 3, 7])
    '1–3, 7'
    """
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in spans)
