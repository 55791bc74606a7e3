"""The report of a panel: final scores by condition, how far raters agreed, and language models apart."""

from math import isnan

from mensura.dialogue import Items
from mensura.dialogue.canonical import canonical, short_hash
from mensura.exhibit import Exhibit
from mensura.exhibit.score_table import ScoreRow, ScoreTable, scores_exhibit
from mensura.report.content import COMPARED, LOSSES, Report, Section
from mensura.running.panel import PanelResults
from mensura.running.scoring.provenance import environment_hash
from mensura.stats.wording import several

MAY_NOT = (
    "Intervals are over artefacts and take the raters as given: other raters may judge otherwise, as far as the "
    "agreement shows.",
    "Nothing is said about what the rubric does not name.",
)


def panel_report(results: PanelResults, *, title: str = "", question: str = "") -> Report:
    """Gather the report of a closed panel."""
    names = ["score", *(item.key for item in results.rubric.items)]
    tables = [
        ScoreTable(results.declared[name], [_row(results, each, name) for each in results.conditions]) for name in names
    ]
    found = results.differences()
    rows = []
    if found is not None:
        tested = zip(found.comparisons, found.adjusted.adjusted, found.adjusted.kept, strict=True)
        rows = [("score", one.sentence, one.difference.method, float(p), bool(kept)) for one, p, kept in tested]
    standing = [sentence for _, sentence, _, _, stands in rows if stands]
    answer = standing or [f"{row.label}: {row.estimate}" for row in tables[0].ranked]
    about = f"{several(len(results.raters), 'rater')}, blind to condition, rated {len(results.artefacts)} artefacts."
    section = Section(
        title=f"Panel {results.name}",
        about=about,
        points={
            "What may be concluded": standing
            or ["How the panel rates the artefacts of each condition, within the intervals."],
            "How far raters agree": [one.sentence for one in results.agreement.items],
            "What may not": [*MAY_NOT, *_models(results)],
        },
        exhibits=[
            scores_exhibit(tables, single="artefacts"),
            *([Exhibit("Is the difference real?", found.adjusted.sentence, COMPARED, rows)] if found else []),
        ],
        sources=_sources(results),
        commands=[f"mensura panel close {results.name} -o report.html"],
    )
    return Report(
        title=title or f"Panel {results.name}",
        question=question or "How do raters who do not know the condition judge the artefacts of each?",
        answer=answer,
        figure=next(iter(tables[0].figures), None),
        beside={LOSSES: _losses(results) or ["Nothing: every artefact has a score."]},
        sections=[section],
        simulated=any(subject not in ("human", "terminal") for subject in results.raters.values()),
    )


def _row(results: PanelResults, condition: str, name: str) -> ScoreRow:
    items = results.scores(condition).values[name]
    known = [float(value) for value in items.values if not isnan(value)] if isinstance(items, Items) else []
    estimate = results.estimates()[condition][name]
    sentence = f"Generalises to other artefacts: {several(estimate.n, 'artefact')}."
    return ScoreRow(condition or "no condition", estimate, known, generalises=sentence)


def _sources(results: PanelResults) -> Exhibit:
    """Return who rated how much, by which rubric and with which packages."""
    rubric = short_hash(canonical([[item.key, item.text, item.weight, item.pick] for item in results.rubric.items]))
    rows = [
        (
            condition or "no condition",
            ", ".join(results.raters),
            sum(one.condition == condition and not isnan(one.score) for one in results.artefacts),
            rubric,
            environment_hash(),
        )
        for condition in results.conditions
    ]
    return Exhibit("Who rated what", "", ("Condition", "Raters", "Artefacts rated", "Rubric", "Environment"), rows)


def _losses(results: PanelResults) -> list[str]:
    """Return what is missing, and what was settled afterwards."""
    said = []
    if unknown := sum(isnan(one.score) for one in results.artefacts):
        said.append(f"{several(unknown, 'artefact')} without a score, as some item was rated by nobody.")
    if settled := sum(len(one.settled) for one in results.artefacts):
        said.append(f"{several(settled, 'rating')} on which raters differed were adjudicated; the originals are kept.")
    return said


def _models(results: PanelResults) -> list[str]:
    """Return what language models have to do with it."""
    said = []
    for model, items in results.agreement.models.items():
        total = next(one for one in items if one.item == "score")
        found = total.why_not if total.intraclass is None else str(total.intraclass.coefficient)
        said.append(
            f"{model} is a language model and an additional rater; its ratings are no part of the scores. Its "
            f"intraclass correlation with the mean of the raters: {found}."
        )
    return said
