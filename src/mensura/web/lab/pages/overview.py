"""Overview: what there is, and what is going on now."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from mensura.catalog.find import list_tests
from mensura.store.people.accounts import Account
from mensura.web.lab.office import office
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.runs import facts_of
from mensura.web.lab.people.access import allowed
from mensura.web.lab.people.permission import may
from mensura.web.lab.runs.progress import invitation_counts, invitation_rows
from mensura.web.laboratory import laboratory

router = APIRouter()
RECENT = 8


@shows(router, "/lab", "overview.html")
def overview(request: Request, account: Annotated[Account, Depends(allowed("see runs"))]) -> View:
    """Show what there is, and what is going on now."""
    return {"tests": list_tests(), **going_on(request, account)}


@router.get("/lab/live", response_model=None)
def live(request: Request, account: Annotated[Account, Depends(allowed("see runs"))]) -> Any:
    """Return the part of the overview that changes."""
    return draw(request, "overview_live.html", **going_on(request, account))


def going_on(request: Request, account: Account) -> View:
    """Return how runs and invitations stand."""
    store = laboratory(request).store
    counts = store.sessions.counts()
    recent = list(reversed(store.runs.all(limit=RECENT)))
    totals: dict[str, int] = {}
    for each in counts.values():
        for status, many in each.items():
            totals[status] = totals.get(status, 0) + many
    shown: View = {
        "runs": [facts_of(request, head, counts.get(head.id, {})) for head in recent],
        "run_count": len(counts),
        "sessions": totals,
        "invitations": None,
        "people": [],
        "account_name": account.name,
        "role": account.role,
    }
    if may(account, "see invitations"):
        shown["invitations"] = invitation_counts(store)
        shown["people"] = invitation_rows(store, store.invitations.newest(limit=RECENT))
    shown["busy"] = totals.get("open", 0) > 0 or any(
        office(request).background.state(head.id) == "under way" for head in recent
    )
    return shown
