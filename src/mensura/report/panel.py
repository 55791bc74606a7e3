"""The report of a panel: final scores by condition, how far raters agreed, and language models apart."""

import time
from math import isnan

from mensura.dialogue import Items
from mensura.dialogue.canonical import canonical, short_hash
from mensura.report.content import Difference, Report, ScoreRow, ScoreTable, Section
from mensura.running.panel import PanelResults
from mensura.running.results.estimating import Circumstances, Estimated, Sample
from mensura.running.results.summary import RunResult
from mensura.running.scoring.provenance import environment_hash
from mensura.stats import Estimate
from mensura.stats.wording import several
from mensura.store.head import RunHead

MAY_NOT = (
    "Intervals are over artefacts and take the raters as given: other raters may judge otherwise, as far as the "
    "agreement shows.",
    "Nothing is said about what the rubric does not name.",
)


def panel_report(results: PanelResults, *, title: str = "", question: str = "") -> Report:
    """Gather the report of a closed panel."""
    runs = [_condition(results, condition) for condition in results.conditions]
    names = [*(item.key for item in results.rubric.items), "score"]
    tables = [ScoreTable(results.declared[name], [_row(results, run, name) for run in runs]) for name in names]
    found = results.differences()
    differences = (
        []
        if found is None
        else [
            Difference("score", one.sentence, p, kept)
            for one, p, kept in zip(found.comparisons, found.adjusted.adjusted, found.adjusted.kept, strict=True)
        ]
    )
    standing = [f"On the score: {one.sentence}" for one in differences if one.stands]
    section = Section(
        test=f"Panel {results.name}",
        about=f"{several(len(results.raters), 'rater')}, blind to condition, rated {len(results.artefacts)} artefacts.",
        runs=runs,
        scores=tables,
        differences=differences,
        family="" if found is None else found.adjusted.sentence,
        may=[
            *(standing or ["How the panel rates the artefacts of each condition, within the intervals of the tables."]),
            *(f"Agreement on {one.sentence}" for one in results.agreement.items),
        ],
        may_not=[*MAY_NOT, *_apart(results)],
    )
    return Report(
        title=title or f"Panel {results.name}",
        question=question or "How do raters who do not know the condition judge the artefacts of each?",
        sections=[section],
        failures=[],
        written=time.time(),
        simulated=any(subject not in ("human", "terminal") for subject in results.raters.values()),
    )


def _condition(results: PanelResults, condition: str) -> RunResult:
    """Put one condition of the panel into the form that reports show."""
    estimates = results.estimates()[condition]
    keys = canonical([[item.key, item.text, item.weight, item.pick] for item in results.rubric.items])
    head = RunHead(
        id=f"{results.name}: {condition or 'no condition'}",
        test="rating-v1",
        parameters={},
        cast={"rater": ", ".join(results.raters)},
        condition=condition,
        instance_hash=short_hash(keys),
        environment_hash=environment_hash(),
        seed=None,
        seed_public=False,
        trace="full",
        created=time.time(),
        details={"reproduce": f"mensura panel close {results.name} -o report.html"},
    )
    rated = sum(one.condition == condition and not isnan(one.score) for one in results.artefacts)
    return RunResult(
        head, {"finished": rated}, {name: _estimated(results, name, one) for name, one in estimates.items()}
    )


def _estimated(results: PanelResults, name: str, estimate: Estimate) -> Estimated:
    """Put an estimate over artefacts into the form that reports show."""
    sentence = f"Generalises to other artefacts: {several(estimate.n, 'artefact')}."
    nothing = Sample((), False, Circumstances())
    return Estimated(results.declared[name], estimate, estimate, {"answered": estimate.n}, None, sentence, nothing)


def _row(results: PanelResults, run: RunResult, name: str) -> ScoreRow:
    items = results.scores(run.head.condition).values[name]
    known = [float(value) for value in items.values if not isnan(value)] if isinstance(items, Items) else []
    return ScoreRow(run.head.condition or "no condition", run.head.id, run.scores[name], known)


def _apart(results: PanelResults) -> list[str]:
    """Say what was settled, what is missing, and what language models have to do with it."""
    notes = []
    settled = sum(len(one.settled) for one in results.artefacts)
    if settled:
        notes.append(f"{several(settled, 'rating')} on which raters differed were adjudicated; the originals are kept.")
    unknown = sum(isnan(one.score) for one in results.artefacts)
    if unknown:
        notes.append(f"{several(unknown, 'artefact')} have no score, as some item was rated by nobody.")
    for model, items in results.agreement.models.items():
        total = next(one for one in items if one.item == "score")
        found = total.why_not if total.intraclass is None else str(total.intraclass.coefficient)
        notes.append(
            f"{model} is a language model and an additional rater; its ratings are no part of the scores. Its "
            f"intraclass correlation with the mean of the raters: {found}."
        )
    return notes
