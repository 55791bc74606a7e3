"""Exclusions: sessions that do not count, each with its reason; every decision stays in the ledger."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter
from mensura.running.study.registration.register import planned_rules
from mensura.store.people.accounts import Account
from mensura.store.people.copies import EXPORTED
from mensura.store.people.erasure import EXCLUDED, INCLUDED
from mensura.web.lab.page import View, shows
from mensura.web.lab.pages.runs import exact_run, vars_of
from mensura.web.lab.people.access import Form, allowed
from mensura.web.lab.runs.export import ledger_csv
from mensura.web.laboratory import laboratory

router = APIRouter()
PREFIX = "session."
MOST_WORDS = 2000


@shows(router, "/lab/exclusions", "exclusions.html")
def exclusions(request: Request, account: Annotated[Account, Depends(allowed("see runs"))]) -> View:
    """Show every decision, the newest first."""
    decisions = laboratory(request).store.exclusions.ledger()
    latest = {one.session: one for one in decisions}
    return {
        "ledger": [vars_of(one) for one in reversed(decisions)],
        "out_now": sum(one.excluded for one in latest.values()),
    }


@router.get("/lab/exclusions.csv", response_model=None)
def exclusions_file(request: Request, account: Annotated[Account, Depends(allowed("export data"))]) -> Response:
    """Return the ledger as CSV."""
    store = laboratory(request).store
    runs = dict.fromkeys(one.session.rpartition("/")[0] for one in store.exclusions.ledger())
    store.copies.note(account.name, EXPORTED, "exclusions", runs=runs, format="csv")
    headers = {"Content-Disposition": 'attachment; filename="exclusions.csv"'}
    return Response(ledger_csv(store), media_type="text/csv; charset=utf-8", headers=headers)


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
    decide_all(request, account, sessions, form.get("reason", ""), rule=form.get("rule", ""), leave_out=leave_out)
    back = f"/lab/runs/{head.id}"
    if form.get("back") == "session" and len(addresses) == 1:
        back += f"/sessions/{addresses[0]}"
    return RedirectResponse(back, 303)


def decide_all(
    request: Request, account: Account, sessions: list[str], reason: str, *, rule: str, leave_out: bool
) -> None:
    """Decide about some sessions of a run, by a rule of its plan or after the data, and write it into the trail."""
    store = laboratory(request).store
    rules = planned_rules(sessions[0].rpartition("/")[0], store=store) if rule else []
    if rule and rule not in rules:
        listed = "; ".join(rules) or "none"
        raise BadParameter(f"The registered plan has no rule {rule[:100]!r}. Rules to exclude by: {listed}.")
    planned = bool(rule)
    reason = f"{rule}: {reason}" if rule else reason
    if len(reason) > MOST_WORDS:
        raise BadParameter(f"A reason has at most {MOST_WORDS} characters; this one has {len(reason)}.")
    for session in sessions:
        # All must be there before any is decided about.
        store.sessions.find(session)
    for session in sessions:
        store.exclusions.decide(session, reason=reason, who=account.name, planned=planned, excluded=leave_out)
        store.trail.note(
            account.name, EXCLUDED if leave_out else INCLUDED, session, reason=reason.strip(), planned=planned
        )
