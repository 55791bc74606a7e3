"""Runs: what was taken, by whom, how far it is, and what came of it."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import RedirectResponse, Response

from mensura.dialogue import Score
from mensura.errors import UnknownName
from mensura.running.study.registration.register import planned_rules
from mensura.store.head import RunHead, SessionHead
from mensura.store.people.accounts import Account
from mensura.store.sealed.proof import run_head_of
from mensura.subjects.sandbox.isolation import isolation_words
from mensura.web.lab.office import office
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import Form, allowed, listing
from mensura.web.lab.people.rights import HIDDEN, admit, belonging_of, found_run, rights_of, seen_runs
from mensura.web.lab.runs.export import FORMATS
from mensura.web.lab.runs.progress import RunProgress, run_facts
from mensura.web.lab.runs.summary import ScoreSummary, Summary, label_of
from mensura.web.laboratory import laboratory

router = APIRouter()
PAGE = 50
Reader = Annotated[Account, Depends(allowed("see runs"))]


def facts_of(
    request: Request,
    head: RunHead,
    counts: Mapping[str, int] | None = None,
    not_begun: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return what every page says of a run."""
    sessions = laboratory(request).store.sessions
    found = dict(sessions.count(head.id) if counts is None else counts)
    if not_begun is None:
        not_begun = sessions.not_begun() if found.get("open") else {}
    return run_facts(head, RunProgress(found, office(request).background.state(head.id), not_begun.get(head.id, 0)))


@shows(router, "/lab/runs", "runs.html")
def runs(
    request: Request,
    account: Annotated[Account, Depends(listing("see runs"))],
    test: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> View:
    """Show the runs, the newest first."""
    store = laboratory(request).store
    heads = list(reversed(seen_runs(request, test or None, limit=page * PAGE + 1)))
    counts, not_begun = store.sessions.counts(), store.sessions.not_begun()
    here = heads[(page - 1) * PAGE : page * PAGE]
    return {
        "runs": [facts_of(request, head, counts.get(head.id, {}), not_begun) for head in here],
        "tests": sorted({head.test for head in seen_runs(request)}),
        "test": test,
        "page": page,
        "more": len(heads) > page * PAGE,
    }


@shows(router, "/lab/runs/{run}", "run.html")
def one_run(
    request: Request,
    run: str,
    account: Reader,
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    status: Annotated[str, Query(max_length=20)] = "",
) -> View:
    """Show a run: what it is, how far it is, its sessions and decisions; results come as soon as they are reckoned."""
    store = laboratory(request).store
    head = exact_run(request, run)
    counts = store.sessions.count(head.id)
    found = store.sessions.page(head.id, limit=PAGE, offset=(page - 1) * PAGE, status=status)
    total = counts.get(status, 0) if status else sum(counts.values())
    ledger = store.exclusions.ledger(head.id)
    at_hand = office(request).summaries.has(head)
    return {
        "run": facts_of(request, _as_measured(request, head) if at_hand else head, counts),
        "rows": session_rows(request, head, found),
        "page": page,
        "pages": max(1, -(-total // PAGE)),
        "only": status,
        "ledger": [vars_of(one) for one in reversed(ledger)],
        "results": results_view(request, head) if at_hand else None,
        "formats": FORMATS,
        "outdated": store.copies.outdated(head.id),
        "rules": planned_rules(head.id, store=store),
        "chain": run_head_of(store, head.id),
        "isolation": isolation_words(head.details.get("isolation", {})),
        "others": [other.id for other in reversed(seen_runs(request, head.test, limit=PAGE)) if other.id != head.id],
    }


@router.get("/lab/runs/{run}/progress", response_model=None)
def run_progress(request: Request, run: str, account: Reader) -> Response:
    """Return the part of a run's page that changes while it is taken."""
    return draw(request, "run_progress.html", run=facts_of(request, exact_run(request, run)))


@shows(router, "/lab/runs/{run}/results", "results.html")
def results(request: Request, run: str, account: Reader) -> View:
    """Show what the results of a run come to."""
    head = exact_run(request, run)
    return {"run": facts_of(request, _as_measured(request, head)), "results": results_view(request, head)}


@router.get("/lab/runs/{run}/results/part", response_model=None)
def results_part(request: Request, run: str, account: Reader) -> Response:
    """Return the results as a part of the run's page."""
    head = exact_run(request, run)
    shown = results_view(request, head)
    return draw(request, "results_part.html", run=facts_of(request, head), results=shown)


@router.get("/lab/runs/{run}/figures/{score}.svg", response_model=None)
def figure(request: Request, run: str, score: str, account: Reader) -> Response:
    """Draw one score of a run."""
    head = exact_run(request, run)
    summaries = office(request).summaries
    found = next((one for one in summaries.of(head).scores if one.name == score), None)
    if found is None:
        raise UnknownName(f"{head.id} has no score {score!r}.")
    return Response(summaries.figure(head, found).svg, media_type="image/svg+xml")


@router.post("/lab/runs/{run}/resume", response_model=None)
def resume(
    request: Request, run: str, account: Annotated[Account, Depends(allowed("start runs"))], form: Form
) -> Response:
    """Resume a run of programs that a server left."""
    head = office(request).background.resume(exact_run(request, run).id)
    laboratory(request).store.trail.note(account.name, "resumed a run", head.id)
    return RedirectResponse(f"/lab/runs/{head.id}", 303)


def exact_run(request: Request, run: str) -> RunHead:
    """Find a run by its whole id, if it may be seen: an address must not mean another run tomorrow."""
    head = found_run(request, run)
    if head.id != run:
        raise UnknownName(HIDDEN if rights_of(request).closed else f"There is no run {run!r}. Did you mean {head.id}?")
    admit(request, belonging_of(request).of_run(head.id))
    return head


def session_rows(request: Request, head: RunHead, found: list[SessionHead]) -> list[dict[str, Any]]:
    """Return of some sessions how they stand."""
    store = laboratory(request).store
    answers = store.events.counted([session.id for session in found])
    excluded = store.exclusions.excluded(head.id)
    return [
        {
            "id": session.id,
            "address": session.id.rpartition("/")[2],
            "status": session.status,
            # A run that stores scores only has no events either while it is under way.
            "begun": session.status != "open" or session.id in answers or head.trace == "none",
            "cast": dict(session.cast),
            # Sessions of a run are entered together, before the first is taken.
            "created": answers.get(session.id, {}).get("first") or session.created,
            "ended": session.ended,
            "answers": answers.get(session.id, {}).get("answers", 0),
            "invalid": answers.get(session.id, {}).get("invalid", 0),
            "last": answers.get(session.id, {}).get("last"),
            "last_words": session.last_words,
            "excluded": excluded[session.id].reason if session.id in excluded else None,
        }
        for session in found
    ]


def results_view(request: Request, head: RunHead) -> dict[str, Any]:
    """Return the estimates of a run with their pictures."""
    return summary_view(head, office(request).summaries.of(head))


def summary_view(head: RunHead, summary: Summary) -> dict[str, Any]:
    """Return a summary as a page shows it."""
    return {
        "label": label_of(head),
        "scored": summary.scored,
        "apart": "items" in head.details,
        "excluded": summary.excluded,
        "excluded_words": summary.excluded_words,
        "instance": summary.instance,
        "exhibits": summary.exhibits,
        "scores": [_score_view(head, score) for score in summary.scores],
    }


def _score_view(head: RunHead, score: ScoreSummary) -> dict[str, Any]:
    estimate = score.estimate
    return {
        **declared_view(score.score),
        "estimate": estimate.as_json(),
        "words": str(estimate),
        "population": estimate.population,
        "generalises": score.generalises,
        "outcomes": dict(score.outcomes),
        "answered": score.answered.as_json(),
        "with_lost": score.with_lost and {"worst": score.with_lost[0], "best": score.with_lost[1]},
        "with_excluded": score.with_excluded and score.with_excluded.as_json(),
        "account": score.account,
        "sessions": score.sessions,
        "dots": len(score.dots),
        "chance": score.chance,
        "figure": f"/lab/runs/{head.id}/figures/{score.name}.svg" if isfinite(estimate.value) else None,
    }


def declared_view(score: Score) -> dict[str, Any]:
    """Return what is declared of a score as a page shows it."""
    return {
        "name": score.name,
        "label": score.title,
        "better": score.better,
        "best": score.best,
        "low": score.low,
        "high": score.high,
        "unit": score.unit,
        "direction": score.direction,
        "shown_to": score.shown_to,
    }


def vars_of(decision: Any) -> dict[str, Any]:
    """Return a decision as a page shows it."""
    return {
        "session": decision.session,
        "address": decision.session.rpartition("/")[2],
        "run": decision.session.rpartition("/")[0],
        "excluded": decision.excluded,
        "reason": decision.reason,
        "planned": decision.planned,
        "who": decision.who,
        "time": decision.time,
    }


def _as_measured(request: Request, head: RunHead) -> RunHead:
    """Let a run carry the hash of what was really administered, which its summary knows."""
    return replace(head, instance_hash=office(request).summaries.of(head).instance)
