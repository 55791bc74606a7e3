"""Rights: what an account may do here, by its role in the laboratory and by its membership in studies.

A study that has members is theirs: nobody else sees anything of it. Those who manage accounts may still open it by its
address; that is written into its audit trail.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request

from mensura.errors import UnknownName
from mensura.running.study.membership.looking import ENTERED
from mensura.store.people.accounts import Account
from mensura.store.people.belonging import Belonging
from mensura.web.lab.office import office
from mensura.web.lab.people.permission import MAY_IN_STUDY, Action, NotAllowed, NotAMembersRight, may
from mensura.web.laboratory import laboratory
from mensura.web.safety.security import address_of

if TYPE_CHECKING:
    from mensura.store.head import RunHead
    from mensura.store.people.invitations import Invitation

HIDDEN = "There is nothing of this name that you may see."
"""The answer to accounts that are not members of a study, the same as for a study that does not exist."""


@dataclass(frozen=True)
class Rights:
    """The rights of an account."""

    account: Account
    roles: Mapping[str, str]
    """Study → what the account is there."""
    closed: frozenset[str]
    """The studies that have members."""

    def may(self, action: Action, studies: Collection[str] = ()) -> bool:
        """Return whether an account may do something with what belongs to some studies, or to none."""
        own = self.closed.intersection(studies)
        if not own:
            return may(self.account, action)
        return all(self.roles.get(study) in MAY_IN_STUDY.get(action, ()) for study in own)

    def may_somewhere(self, action: Action) -> bool:
        """Return whether there can be anything that an account may do it with."""
        inside = MAY_IN_STUDY.get(action, frozenset())
        return may(self.account, action) or any(role in inside for role in self.roles.values())

    def as_administrator(self, action: Action, studies: Collection[str]) -> bool:
        """Return whether it may be done by someone who manages accounts and is not a member."""
        stranger = self.closed.intersection(studies) and not set(self.roles).intersection(studies)
        return bool(stranger) and may(self.account, "manage accounts") and may(self.account, action)

    @property
    def home(self) -> str:
        """The first page after logging in."""
        pages: tuple[tuple[str, Action], ...] = (
            ("/lab", "see runs"),
            ("/lab/observe", "observe sessions"),
            ("/lab/panels", "see panels"),
        )
        return next((page for page, action in pages if self.may_somewhere(action)), "/lab/me")


def rights_of(request: Request) -> Rights:
    """Return what the account that asks may do."""
    known: Rights | None = getattr(request.state, "rights", None)
    if known is None:
        account: Account = request.state.account
        roles, closed = laboratory(request).store.members.standing(account)
        known = request.state.rights = Rights(account, roles, closed)
    return known


def can(request: Request, action: Action) -> bool:
    """Return whether something may be done with what the page at hand is about."""
    studies: Collection[str] = getattr(request.state, "studies", ())
    rights = rights_of(request)
    return rights.may(action, studies) or rights.as_administrator(action, studies)


def check_can(request: Request, action: Action) -> None:
    """Refuse what may not be done with what the page at hand is about."""
    if not can(request, action):
        _refuse(request, action, getattr(request.state, "studies", ()))
        raise NotAllowed(rights_of(request).account, action)


def admit(request: Request, studies: Collection[str], action: Action | None = None) -> None:
    """Let those in who may do what was asked for with what belongs to some studies; others learn nothing of it."""
    rights, wanted = rights_of(request), action or request.state.action
    request.state.studies = studies
    if rights.may(wanted, studies):
        return
    if not rights.as_administrator(wanted, studies):
        _refuse(request, wanted, studies)
        raise UnknownName(HIDDEN) if studies else NotAllowed(rights.account, wanted)
    for study in sorted(rights.closed.intersection(studies)):
        # Parts of a page ask again and again; a look is one line.
        if office(request).looks.wait(f"{rights.account.number} {study}") == 0:
            store = laboratory(request).store
            store.trail.note(rights.account.name, ENTERED, study, at=request.url.path, address=address_of(request))


def sees(request: Request, studies: Collection[str], action: Action | None = None) -> bool:
    """Return whether a list shows what belongs to some studies."""
    return rights_of(request).may(action or request.state.action, studies)


def belonging_of(request: Request) -> Belonging:
    """Return what belongs to which study; nothing to any where none has members, as nobody asks then."""
    return laboratory(request).store.belongings.now() if rights_of(request).closed else Belonging()


def found_run(request: Request, name: str) -> "RunHead":
    """Find a run by what it is called; where none is found, names near to it may be those of what is hidden."""
    try:
        return laboratory(request).store.runs.find(name)
    except UnknownName:
        if rights_of(request).closed:
            raise UnknownName(HIDDEN) from None
        raise


def seen_runs(
    request: Request, test: str | None = None, *, limit: int | None = None, action: Action | None = None
) -> list["RunHead"]:
    """List the runs that an account sees, the newest last; `limit` keeps the newest."""
    store = laboratory(request).store
    shown = _filter(request, action)
    if shown is None:
        return store.runs.all(test, limit=limit)
    belonging = belonging_of(request)
    found = [head for head in store.runs.all(test) if shown(belonging.of_run(head.id))]
    return found if limit is None else found[-limit:]


def seen_invitations(
    request: Request, *, limit: int | None = None, before: int | None = None, action: Action | None = None
) -> list["Invitation"]:
    """List the invitations that an account sees, the newest first."""
    book = laboratory(request).store.invitations
    shown = _filter(request, action)
    if shown is None and limit is not None:
        return book.newest(limit=limit, before=before)
    belonging = belonging_of(request)
    found = [one for one in reversed(book.all()) if before is None or one.number < before]
    return [one for one in found if shown is None or shown(belonging.of_invitation(one))][:limit]


def _filter(request: Request, action: Action | None) -> Callable[[Collection[str]], bool] | None:
    """Return what decides whether something is listed; None where everything is."""
    rights, wanted = rights_of(request), action or request.state.action
    return None if not rights.closed and may(rights.account, wanted) else lambda studies: rights.may(wanted, studies)


def _refuse(request: Request, action: Action, studies: Collection[str]) -> None:
    """Tell a member of all the studies in words what is not theirs."""
    rights = rights_of(request)
    own = rights.closed.intersection(studies)
    if own and own <= set(rights.roles):
        study = min(one for one in own if rights.roles[one] not in MAY_IN_STUDY.get(action, ()))
        raise NotAMembersRight(study, rights.roles[study], action)
