"""Compare: two runs side by side, and whether the difference is real."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from mensura.errors import BadParameter, UnknownName
from mensura.store.people.accounts import Account
from mensura.web.lab.office import office
from mensura.web.lab.page import View, shows
from mensura.web.lab.pages.runs import declared_view, exact_run, facts_of, summary_view
from mensura.web.lab.people.access import listing
from mensura.web.lab.people.rights import seen_runs
from mensura.web.lab.runs.comparison import ComparedScore, SideBySide, labels, side_by_side
from mensura.web.lab.runs.summary import draw
from mensura.web.laboratory import laboratory

router = APIRouter()
CHOICES = 200
Reader = Annotated[Account, Depends(listing("see runs"))]
Names = Annotated[list[str] | None, Query(max_length=10)]


@shows(router, "/lab/compare", "compare.html")
def compare(request: Request, account: Reader, run: Names = None) -> View:
    """Compare two runs, or let two be chosen."""
    store = laboratory(request).store
    chosen = [name for name in run or [] if name]
    offered = [facts_of(request, head, {}) for head in reversed(seen_runs(request, limit=CHOICES))]
    shown: View = {"chosen": chosen, "offered": offered, "compared": None, "sides": [], "note": ""}
    if len(chosen) != 2 or chosen[0] == chosen[1]:
        shown["note"] = "Choose two different runs." if chosen else ""
        return shown
    first, second = (exact_run(request, name) for name in chosen)
    made = side_by_side(first, second, store=store, summaries=office(request).summaries)
    shown["compared"] = compared_view(made)
    shown["sides"] = [
        {"run": facts_of(request, head), **summary_view(head, office(request).summaries.of(head))}
        for head in (first, second)
    ]
    return shown


def compared_view(made: SideBySide) -> View:
    """Return a comparison as a page shows it."""
    address = f"/lab/compare/figure.svg?first={made.first.id}&second={made.second.id}&score="
    return {
        "first": made.first.id,
        "second": made.second.id,
        "labels": list(made.labels),
        "paired": made.paired,
        "answer": made.answer,
        "warnings": made.warnings,
        "family": made.family,
        "only_one": made.only_one,
        "exhibits": made.exhibits,
        "scores": [_compared_score(score, address) for score in made.scores],
    }


def _compared_score(score: ComparedScore, address: str) -> View:
    finding = score.finding
    return {
        **declared_view(score.score),
        "first": finding.first.as_json(),
        "second": finding.second.as_json(),
        "outcomes": [dict(side.outcomes) for side in (score.first, score.second)],
        "accounts": [side.account for side in (score.first, score.second)],
        "difference": finding.difference.as_json(),
        "population": finding.difference.population,
        "generalises": score.generalises,
        "paired": finding.paired,
        "pairing": score.pairing,
        "p": finding.p,
        "p_permutation": finding.p_permutation,
        "adjusted_p": score.adjusted_p,
        "claim": finding.is_claim,
        "real": score.real,
        "verdict": score.verdict,
        "sentence": finding.sentence,
        "with_excluded": score.with_excluded.sentence if score.with_excluded else "",
        "figure": address + score.score.name,
    }


@router.get("/lab/compare/figure.svg", response_model=None)
def compare_figure(request: Request, account: Reader, first: str, second: str, score: str) -> Response:
    """Draw one score of two runs, one below the other."""
    heads = exact_run(request, first), exact_run(request, second)
    if heads[0].id == heads[1].id:
        raise BadParameter("Choose two different runs.")
    rows = []
    for head, label in zip(heads, labels(*heads), strict=True):
        scores = office(request).summaries.of(head).scores
        rows += [(label, one) for one in scores if one.name == score]
    if len(rows) < 2:
        raise UnknownName(f"The two runs have no score {score!r} in common.")
    return Response(draw(rows).svg, media_type="image/svg+xml")
