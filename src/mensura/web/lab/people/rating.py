"""Rating: the work of a rater who logs in, and the way to it. Names of panels are not told to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.errors import UnknownName
from mensura.running.panel import progress_of
from mensura.running.panel.raters.invite import BRIEFING, THANKS
from mensura.store.people.accounts import Account
from mensura.store.people.invitations import Step
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class Work:
    """One piece of a rater's work."""

    session: str
    artefacts: int
    rated: int
    status: str


def work_of(store: "Store", account: Account, *, among: Sequence[str]) -> list[Work]:
    """List what a rater is to rate in some panels, in the order in which it was assigned."""
    found = []
    for name in among:
        for one in progress_of(name, store=store).raters:
            if one.rater == account.name and one.subject == HUMAN:
                found.append(Work(one.session, one.artefacts, one.rated, one.status))
    return found


def way_to(store: "Store", account: Account, session: str, *, among: Sequence[str]) -> str:
    """Make a link to a piece of one's own work, good for a single login; earlier links to it open no longer."""
    if session not in {one.session for one in work_of(store, account, among=among) if one.status == "open"}:
        raise UnknownName("There is no such work for you now; the page of panels shows what there is.")
    invitations = store.invitations
    for one in invitations.all():
        if one.status == "open" and session in one.sessions:
            invitations.close(one.number)
    steps = [
        Step("page", title="Rating", text=BRIEFING),
        Step("session", title="Rating", session=session),
        Step("thanks", title="Thank you", text=THANKS),
    ]
    token, _ = invitations.add(steps, label=account.name, created_by=account.name)
    return f"/p/{token}"
