"""Sessions: transcript and playback."""

from math import isnan
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from mensura.dialogue import Scores, session_mean, undeclared
from mensura.running.scoring.declared import declared_of
from mensura.running.study.registration.register import planned_rules
from mensura.store.head import RunHead, SessionHead
from mensura.store.people.accounts import Account
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.runs import declared_view, exact_run, facts_of, session_rows, vars_of
from mensura.web.lab.people.access import allowed
from mensura.web.lab.people.rights import can
from mensura.web.lab.sessions.explanation import explain
from mensura.web.lab.sessions.living import bring_back
from mensura.web.lab.sessions.playback import moment_at
from mensura.web.lab.sessions.secrecy import is_over
from mensura.web.lab.sessions.transcript import PAGE, Line, read_lines
from mensura.web.laboratory import laboratory

router = APIRouter()
Reader = Annotated[Account, Depends(allowed("see transcripts"))]


def told_truths(request: Request, account: Account, run: RunHead, session: SessionHead) -> dict[str, Any] | None:
    """Return the truths of a session if they may be told to this account now; None if not."""
    store = laboratory(request).store
    if not can(request, "see truths") or not is_over(store, run, session):
        return None
    return store.truths.of(session.id)


def find_session(request: Request, run: str, address: str) -> tuple[RunHead, SessionHead]:
    """Find a session by its run and address."""
    head = exact_run(request, run)
    return head, laboratory(request).store.sessions.find(f"{head.id}/{address}")


@shows(router, "/lab/runs/{run}/sessions/{address}/playback", "playback.html")
def playback(
    request: Request,
    run: str,
    address: str,
    account: Reader,
    at: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> View:
    """Show a session as its subjects saw it, at one event."""
    head, session = find_session(request, run, address)
    truths = told_truths(request, account, head, session)
    store = laboratory(request).store
    moment = bring_back(store, session.id, moment_at(store, session.id, at, truths=truths))
    return {
        "run": facts_of(request, head),
        "session": session_rows(request, head, [session])[0],
        "moment": moment,
        "truths_told": truths is not None,
    }


@router.get("/lab/runs/{run}/sessions/{address}/playback/part", response_model=None)
def playback_part(
    request: Request,
    run: str,
    address: str,
    account: Reader,
    at: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> Response:
    """Return one moment as a part of the playback page."""
    return draw(request, "playback_part.html", **playback(request, run, address, account, at))


@shows(router, "/lab/runs/{run}/sessions/{address}", "session.html")
def transcript(
    request: Request,
    run: str,
    address: str,
    account: Reader,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> View:
    """Show what was asked and answered in a session, a page at a time."""
    store = laboratory(request).store
    head, session = find_session(request, run, address)
    truths = told_truths(request, account, head, session)
    lines = read_lines(store, session.id, after=after, limit=PAGE + 1, truths=truths)
    shown, more = lines[:PAGE], len(lines) > PAGE
    ledger = [one for one in store.exclusions.ledger(head.id) if one.session == session.id]
    scored = _scored(request, session) if truths is not None else None
    scores, details = ({}, {}) if scored is None else (_means(scored), scored.details)
    return {
        "run": facts_of(request, head),
        "session": session_rows(request, head, [session])[0],
        "counts": store.transcript.count(session.id),
        "lines": [line_view(line) for line in shown],
        "began": session.created,
        "after": after,
        "next": shown[-1].number if more else None,
        "truths_told": truths is not None,
        "scores": scores,
        "declared": {} if scored is None else _declared(head, session, scored),
        "outcomes": {} if scored is None else dict(scored.tally),
        "explanation": explain(scores, details),
        "ledger": [vars_of(one) for one in ledger],
        "rules": planned_rules(head.id, store=store),
        "batch": not shown and after == 0 and session.status == "finished",
    }


def line_view(line: Line) -> dict[str, Any]:
    """Return a line of a transcript as JSON."""
    return {name: getattr(line, name) for name in Line.__dataclass_fields__}


def _scored(request: Request, session: SessionHead) -> Scores | None:
    """Return the latest scores of a session; they would tell the truths before it is over."""
    history = laboratory(request).store.results.history(session.id)
    return history[-1].scores if history else None


def _means(scores: Scores) -> dict[str, float | None]:
    means = {name: session_mean(value) for name, value in scores.values.items()}
    return {name: None if isnan(mean) else mean for name, mean in means.items()}


def _declared(head: RunHead, session: SessionHead, scores: Scores) -> dict[str, View]:
    """Return what is declared of a session's scores."""
    declared = declared_of(head, {session.id: scores})
    return {name: declared_view(declared.get(name) or undeclared(name)) for name in scores.values}
