"""Changing: starting runs, inviting people, closing links, deciding about sessions, exporting."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from mensura.running.people.closing import close_link
from mensura.running.study.registration.excluding import decide_all
from mensura.store.people.accounts import Account
from mensura.web.api.model import (
    BatchOut,
    DecisionIn,
    DecisionOut,
    InvitationIn,
    InvitationOut,
    RunIn,
    RunOut,
)
from mensura.web.api.reading import Before, Limit, RunName
from mensura.web.api.refusal import JSONRoute
from mensura.web.lab.catalog import registered_test
from mensura.web.lab.office import office
from mensura.web.lab.pages.exports import export_response
from mensura.web.lab.pages.runs import exact_run, facts_of, vars_of
from mensura.web.lab.pages.tests import check_items
from mensura.web.lab.people.access import Number, allowed, check_program, listing
from mensura.web.lab.people.invitation import InvitationPlan, invite
from mensura.web.lab.people.rights import seen_invitations
from mensura.web.lab.runs.items import items_of
from mensura.web.lab.runs.progress import invitation_rows
from mensura.web.lab.words import as_json
from mensura.web.laboratory import laboratory

router = APIRouter(route_class=JSONRoute)
CHECKED = [Depends(check_program)]
Inviter = Annotated[Account, Depends(allowed("make invitations"))]


@router.post("/runs", status_code=202, response_model=RunOut, dependencies=CHECKED)
def start_run(request: Request, account: Annotated[Account, Depends(allowed("start runs"))], body: RunIn) -> Any:
    """Start a run of programs in the background; ask for the run to see how far it is."""
    store = laboratory(request).store
    test = registered_test(body.test)
    check_items(request, body.same_items_as)
    values, _ = items_of(test, body.parameters, store=store, setting=body.setting, same_as=body.same_items_as)
    default = body.subject or "chance"
    cast = dict.fromkeys(test.cast_roles(values), default) | body.cast
    head = office(request).background.start(
        test.id,
        cast,
        sessions=body.sessions,
        parameters=body.parameters,
        setting=body.setting or None,
        seed=body.seed,
        same_items_as=body.same_items_as,
        details={"started_by": account.name},
    )
    store.trail.note(account.name, "started a run", head.id)
    return as_json(facts_of(request, head))


@router.post("/runs/{run}/resume", status_code=202, response_model=RunOut, dependencies=CHECKED)
def resume_run(request: Request, account: Annotated[Account, Depends(allowed("start runs"))], run: RunName) -> Any:
    """Resume a run of programs that a server left."""
    head = office(request).background.resume(exact_run(request, run).id)
    laboratory(request).store.trail.note(account.name, "resumed a run", head.id)
    return as_json(facts_of(request, head))


@router.post("/runs/{run}/exclusions", response_model=list[DecisionOut], dependencies=CHECKED)
def decide(
    request: Request,
    account: Annotated[Account, Depends(allowed("exclude sessions"))],
    run: RunName,
    body: DecisionIn,
) -> Any:
    """Leave sessions out, or take them in again; return the ledger of the run."""
    head = exact_run(request, run)
    sessions = [f"{head.id}/{address}" for address in dict.fromkeys(body.sessions)]
    leave_out = body.decision == "exclude"
    store = laboratory(request).store
    decide_all(sessions, body.reason, rule=body.rule, leave_out=leave_out, store=store, who=account.name)
    return [as_json(vars_of(one)) for one in store.exclusions.ledger(head.id)]


@router.get(
    "/runs/{run}/export",
    response_class=Response,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
)
def export(
    request: Request,
    account: Annotated[Account, Depends(allowed("export data"))],
    run: RunName,
    format: Annotated[Literal["csv", "parquet", "jsonl", "jspsych", "zip"], Query()] = "csv",
    seeds: bool = False,
) -> Response:
    """Return a run as one zip: tables of sessions that are over, or an archive for another installation."""
    return export_response(request, account, run, format=format, seeds=seeds)


@router.get("/invitations", response_model=list[InvitationOut])
def invitations(
    request: Request,
    account: Annotated[Account, Depends(listing("see invitations"))],
    before: Before = None,
    limit: Limit = 100,
) -> Any:
    """List invitations, the newest first."""
    store = laboratory(request).store
    return as_json(invitation_rows(store, seen_invitations(request, limit=limit, before=before)))


@router.post("/invitations", status_code=201, response_model=BatchOut, dependencies=CHECKED)
def make_invitations(request: Request, account: Inviter, body: InvitationIn) -> Any:
    """Invite a batch of people; their links are in the answer and nowhere else."""
    store = laboratory(request).store
    check_items(request, body.same_items_as)
    batch = invite(InvitationPlan(**body.model_dump()), store=store, created_by=account.name)
    numbers = [link.invitation.number for link in batch.links]
    store.trail.note(account.name, "made invitations", batch.run.id, numbers=numbers)
    base = str(request.base_url).rstrip("/")
    links = [one.shown(base) for one in batch.links]
    return {"run": batch.run.id, "links": links}


@router.post("/invitations/{number}/close", response_model=InvitationOut, dependencies=CHECKED)
def close_invitation(request: Request, account: Inviter, number: Number) -> Any:
    """Close a link: it opens no longer, and what was answered stays."""
    store = laboratory(request).store
    closed = close_link(store, number, who=account.name)
    store.trail.note(account.name, "closed a link", f"invitation {number}")
    return as_json(invitation_rows(store, [closed])[0])
