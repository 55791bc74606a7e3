"""Reading: tests, runs, sessions, events, results and comparisons."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request

from mensura.errors import BadParameter
from mensura.store.people.accounts import Account
from mensura.web.api.model import (
    ADDRESS,
    AuditOut,
    ComparisonOut,
    DecisionOut,
    EventOut,
    Me,
    ResultsOut,
    RunOut,
    SessionOut,
    TestOut,
)
from mensura.web.api.refusal import JSONRoute
from mensura.web.lab.catalog import describe, describe_all, registered_test
from mensura.web.lab.office import office
from mensura.web.lab.pages.compare import compared_view
from mensura.web.lab.pages.runs import exact_run, facts_of, results_view, session_rows, vars_of
from mensura.web.lab.pages.sessions import find_session, line_view, told_truths
from mensura.web.lab.people.access import allowed, listing
from mensura.web.lab.people.permission import MAY, may
from mensura.web.lab.people.rights import rights_of, seen_runs
from mensura.web.lab.runs.comparison import side_by_side
from mensura.web.lab.sessions.transcript import read_lines
from mensura.web.lab.words import as_json
from mensura.web.laboratory import laboratory

router = APIRouter(route_class=JSONRoute)
RunName = Annotated[str, Path(max_length=200, pattern=r"^[A-Za-z0-9_.-]+$", description="The whole id of a run")]
Address = Annotated[str, Path(pattern=ADDRESS, description="Such as 0.0.3; of one item of a bank, 0.0.3.5d1f")]
TestName = Annotated[str, Path(max_length=200, pattern=r"^[A-Za-z0-9_.:/-]+$")]
Limit = Annotated[int, Query(ge=1, le=1000)]
Offset = Annotated[int, Query(ge=0, le=2**31)]
Before = Annotated[int | None, Query(ge=1, le=2**53)]
Reader = Annotated[Account, Depends(allowed("see runs"))]
Lister = Annotated[Account, Depends(listing("see runs"))]


@router.get("/me")
def me(request: Request, account: Annotated[Account, Depends(allowed("see own account"))]) -> Me:
    """Return whose token or login this is, what it may do, and in which studies it is what."""
    actions: list[str] = [action for action in MAY if may(account, action)]
    return Me(name=account.name, role=account.role, may=actions, studies=dict(rights_of(request).roles))


@router.get("/tests", response_model=list[TestOut])
def tests(account: Annotated[Account, Depends(allowed("see tests"))]) -> Any:
    """List the registered tests."""
    return as_json(describe_all()[0])


@router.get("/tests/{test:path}", response_model=TestOut)
def one_test(account: Annotated[Account, Depends(allowed("see tests"))], test: TestName) -> Any:
    """Describe one test."""
    return as_json(describe(registered_test(test)))


@router.get("/runs", response_model=list[RunOut])
def runs(
    request: Request,
    account: Lister,
    test: Annotated[str, Query(max_length=200, pattern=r"^[A-Za-z0-9_.:/-]*$")] = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Any:
    """List runs, the newest first."""
    store = laboratory(request).store
    counts, not_begun = store.sessions.counts(), store.sessions.not_begun()
    heads = seen_runs(request, test or None)[::-1][offset : offset + limit]
    return [as_json(facts_of(request, head, counts.get(head.id, {}), not_begun)) for head in heads]


@router.get("/runs/{run}", response_model=RunOut)
def one_run(request: Request, account: Reader, run: RunName) -> Any:
    """Describe one run and how far it is."""
    return as_json(facts_of(request, exact_run(request, run)))


@router.get("/runs/{run}/sessions", response_model=list[SessionOut])
def sessions(
    request: Request,
    account: Reader,
    run: RunName,
    status: Annotated[str, Query(max_length=20, pattern="^[a-z_]*$")] = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Any:
    """List sessions of a run in the order of their addresses."""
    head = exact_run(request, run)
    found = laboratory(request).store.sessions.page(head.id, limit=limit, offset=offset, status=status)
    return as_json(session_rows(request, head, found))


@router.get("/runs/{run}/sessions/{address}", response_model=SessionOut)
def one_session(
    request: Request, account: Annotated[Account, Depends(allowed("see transcripts"))], run: RunName, address: Address
) -> Any:
    """Describe one session."""
    head, session = find_session(request, run, address)
    return as_json(session_rows(request, head, [session])[0])


@router.get("/runs/{run}/sessions/{address}/events", response_model=list[EventOut])
def events(
    request: Request,
    account: Annotated[Account, Depends(allowed("see transcripts"))],
    run: RunName,
    address: Address,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Limit = 100,
) -> Any:
    """Return events of a session after a number, with prompts; truths only when it is over."""
    head, session = find_session(request, run, address)
    truths = told_truths(request, account, head, session)
    lines = read_lines(laboratory(request).store, session.id, after=after, limit=limit, truths=truths)
    return [as_json(line_view(line)) for line in lines]


@router.get("/runs/{run}/results", response_model=ResultsOut)
def results(request: Request, account: Reader, run: RunName) -> Any:
    """Estimate the scores of a run from the sessions that count."""
    head = exact_run(request, run)
    return as_json({"run": head.id, **results_view(request, head)})


@router.get("/runs/{run}/exclusions", response_model=list[DecisionOut])
def exclusions(request: Request, account: Reader, run: RunName) -> Any:
    """Return every decision about sessions of a run, the oldest first."""
    ledger = laboratory(request).store.exclusions.ledger(exact_run(request, run).id)
    return [as_json(vars_of(one)) for one in ledger]


@router.get("/compare", response_model=ComparisonOut)
def compare(
    request: Request,
    account: Lister,
    first: Annotated[str, Query(max_length=200, pattern=r"^[A-Za-z0-9_.-]+$")],
    second: Annotated[str, Query(max_length=200, pattern=r"^[A-Za-z0-9_.-]+$")],
) -> Any:
    """Return whether the difference between two runs is real."""
    heads = exact_run(request, first), exact_run(request, second)
    if heads[0].id == heads[1].id:
        raise BadParameter("A run does not differ from itself; name two different runs.")
    made = side_by_side(*heads, store=laboratory(request).store, summaries=office(request).summaries)
    return as_json(compared_view(made))


@router.get("/audit", response_model=list[AuditOut])
def audit(
    request: Request,
    account: Annotated[Account, Depends(allowed("see the audit trail"))],
    before: Before = None,
    limit: Limit = 100,
) -> Any:
    """Return lines of the audit trail, the newest first."""
    return as_json(laboratory(request).store.trail.lines(limit=limit, before=before))
