"""Joining: accounts become members of a study, and leave it; each change is written into the audit trail."""

from typing import TYPE_CHECKING

from mensura.errors import BadParameter, unknown
from mensura.store.people.members import OWNER

if TYPE_CHECKING:
    from mensura.store import Store

ADDED, REMOVED = "made someone a member of a study", "took a member out of a study"


def own(study: str, name: str, *, store: "Store", who: str = "") -> None:
    """Make the account that registers a study its owner; a study that has another owner is not taken over."""
    account = store.accounts.find(name)
    known = {one.name: one.role for one in store.members.of(study)}
    if name in known:
        return
    if known:
        owners = " and ".join(one for one, role in known.items() if role == OWNER)
        raise BadParameter(f"{study} belongs to {owners}, who can make {name} a member. Nothing was changed.")
    store.members.put(study, account, role=OWNER, added_by=who or name)
    store.trail.note(who or name, ADDED, study, member=name, role=OWNER)


def add_member(study: str, name: str, role: str, *, store: "Store", who: str) -> None:
    """Let an account belong to a study as something, or as something else than before.

    The first member is an owner: from then on everyone else sees nothing of the study.
    """
    require_begun(study, store=store)
    account = store.accounts.find(name)
    if account.disabled:
        raise BadParameter(f"{name} cannot log in: the account is disabled. Nothing was changed.")
    store.members.put(study, account, role=role, added_by=who)
    store.trail.note(who, ADDED, study, member=name, role=role)


def remove_member(study: str, name: str, *, store: "Store", who: str) -> None:
    """Let an account belong to a study no longer; the last owner stays."""
    store.members.remove(study, store.accounts.find(name))
    store.trail.note(who, REMOVED, study, member=name)


def require_begun(study: str, *, store: "Store") -> None:
    """Refuse the name of a study that was not registered."""
    known = {str(head.details.get("study", "")) for head in store.runs.all()} - {""}
    if study not in known:
        raise unknown("study", study, known=known, see="`mensura study run FILE` begins one.")
