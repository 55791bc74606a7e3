"""Overview: what there is, and what is going on now."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from mensura.catalog.find import list_tests
from mensura.store.people.accounts import Account
from mensura.web.lab.office import office
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.runs import facts_of
from mensura.web.lab.people.access import listing
from mensura.web.lab.people.rights import belonging_of, rights_of, seen_invitations, seen_runs, sees
from mensura.web.lab.runs.progress import invitation_counts, invitation_rows
from mensura.web.laboratory import laboratory

router = APIRouter()
RECENT = 8


@shows(router, "/lab", "overview.html")
def overview(request: Request, account: Annotated[Account, Depends(listing("see runs"))]) -> View:
    """Show what there is, and what is going on now."""
    return {"tests": list_tests(), **going_on(request, account)}


@router.get("/lab/live", response_model=None)
def live(request: Request, account: Annotated[Account, Depends(listing("see runs"))]) -> Any:
    """Return the part of the overview that changes."""
    return draw(request, "overview_live.html", **going_on(request, account))


def going_on(request: Request, account: Account) -> View:
    """Return how runs and invitations stand."""
    store = laboratory(request).store
    belonging = belonging_of(request)
    counts = {run: many for run, many in store.sessions.counts().items() if sees(request, belonging.of_run(run))}
    waiting = store.sessions.not_begun()
    recent = list(reversed(seen_runs(request, limit=RECENT)))
    totals: dict[str, int] = {}
    for each in counts.values():
        for status, many in each.items():
            totals[status] = totals.get(status, 0) + many
    shown: View = {
        "runs": [facts_of(request, head, counts.get(head.id, {}), waiting) for head in recent],
        "run_count": len(counts),
        "sessions": totals,
        "not_begun": sum(waiting.get(run, 0) for run in counts),
        "invitations": None,
        "people": [],
        "account_name": account.name,
        "role": account.role,
    }
    if rights_of(request).may_somewhere("see invitations"):
        invited = seen_invitations(request, action="see invitations")
        shown["invitations"] = invitation_counts(invited)
        shown["people"] = invitation_rows(store, invited[:RECENT])
    shown["busy"] = totals.get("open", 0) > 0 or any(
        office(request).background.state(head.id) == "under way" for head in recent
    )
    return shown
