"""Exclusions: sessions that do not count, each with its reason; every decision stays in the ledger."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter
from mensura.running.study.registration.excluding import decide_all
from mensura.store.people.accounts import Account
from mensura.store.people.copies import EXPORTED
from mensura.web.lab.page import View, shows
from mensura.web.lab.pages.runs import exact_run, vars_of
from mensura.web.lab.people.access import Form, allowed, listing
from mensura.web.lab.people.rights import belonging_of, sees
from mensura.web.lab.runs.export import ledger_csv
from mensura.web.laboratory import laboratory

router = APIRouter()
PREFIX = "session."


@shows(router, "/lab/exclusions", "exclusions.html")
def exclusions(request: Request, account: Annotated[Account, Depends(listing("see runs"))]) -> View:
    """Show every decision, the newest first."""
    belonging = belonging_of(request)
    decisions = laboratory(request).store.exclusions.ledger()
    decisions = [one for one in decisions if sees(request, belonging.of_session(one.session))]
    latest = {one.session: one for one in decisions}
    return {
        "ledger": [vars_of(one) for one in reversed(decisions)],
        "out_now": sum(one.excluded for one in latest.values()),
    }


@router.get("/lab/exclusions.csv", response_model=None)
def exclusions_file(request: Request, account: Annotated[Account, Depends(listing("export data"))]) -> Response:
    """Return the ledger as CSV."""
    store = laboratory(request).store
    belonging = belonging_of(request)
    runs = dict.fromkeys(one.session.rpartition("/")[0] for one in store.exclusions.ledger())
    runs = {run: None for run in runs if sees(request, belonging.of_run(run))}
    store.copies.note(account.name, EXPORTED, "exclusions", runs=runs, format="csv")
    headers = {"Content-Disposition": 'attachment; filename="exclusions.csv"'}
    return Response(ledger_csv(store, among=runs), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/lab/runs/{run}/exclusions", response_model=None)
def decide(
    request: Request, run: str, account: Annotated[Account, Depends(allowed("exclude sessions"))], form: Form
) -> Response:
    """Leave the ticked sessions out, or take them in again."""
    head = exact_run(request, run)
    addresses = [name.removeprefix(PREFIX) for name in form if name.startswith(PREFIX)]
    if not addresses:
        raise BadParameter("No session was ticked; go back and tick those that are meant.")
    leave_out = form.get("decision", "exclude") == "exclude"
    sessions = [f"{head.id}/{address}" for address in addresses]
    store = laboratory(request).store
    reason, rule = form.get("reason", ""), form.get("rule", "")
    decide_all(sessions, reason, rule=rule, leave_out=leave_out, store=store, who=account.name)
    back = f"/lab/runs/{head.id}"
    if form.get("back") == "session" and len(addresses) == 1:
        back += f"/sessions/{addresses[0]}"
    return RedirectResponse(back, 303)
