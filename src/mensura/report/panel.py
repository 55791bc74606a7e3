"""The report of a panel: final scores by condition, how far raters agreed, and language models apart."""

from math import isnan

from mensura.dialogue import Items
from mensura.dialogue.canonical import canonical, short_hash
from mensura.exhibit import Exhibit
from mensura.exhibit.score_table import ScoreRow, ScoreTable, scores_exhibit
from mensura.report.content import COMPARED, LOSSES, Report, Section
from mensura.running.panel import PanelResults
from mensura.running.scoring.provenance import environment_hash
from mensura.stats.judged import UNCHECKED
from mensura.stats.wording import several

MAY_NOT = (
    "Intervals are over artefacts and take the raters as given: other raters may judge otherwise; how far they "
    "agree shows how likely that is.",
    "The scores cover only what the rubric names.",
)


JUDGED = ("Run", "Estimate", "Judged items", "Labelled by people", "Disagreements", "Differ when swapped")
NONE = ["Nothing: every artefact was judged."]


def panel_report(results: PanelResults, *, title: str = "", question: str = "") -> Report:
    """Gather the report of a closed panel."""
    if results.judged:
        return _judged_report(results, title=title, question=question)
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
            "What you can conclude": standing
            or ["How the panel rates the artefacts of each condition, within the intervals."],
            "How far raters agree": [one.sentence for one in results.agreement.items],
            "What you cannot conclude": [*MAY_NOT, *_models(results)],
        },
        exhibits=[
            scores_exhibit(tables, single="artefacts"),
            *_time_spent(results),
            *_said(results),
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


def _judged_report(results: PanelResults, *, title: str, question: str) -> Report:
    """Gather the report of answers that a model judged: what people would say of them, never the judge's own mean."""
    rows = [
        (
            one.label,
            str(one.score.estimate) if one.score.is_checked else UNCHECKED,
            one.score.judged,
            one.score.labelled,
            one.score.disagreements if one.score.is_checked else "",
            "" if one.inconsistent is None else one.inconsistent,
        )
        for one in results.judged
    ]
    checked = [one.sentence for one in results.judged if one.score.is_checked]
    judge, told = results.judged[0].by, results.judged[0].truth_to
    sent = f"It was told what is right, which so went to {told}." if told else "It was not told what is right."
    about = f"{judge} judged {len(results.artefacts)} artefacts; people labelled a random sample of them, blind. {sent}"
    section = Section(
        title=f"Panel {results.name}",
        about=about,
        points={
            "What you can conclude": checked or [f"Nothing: {UNCHECKED}."],
            "How far judge and people agree": _models(results) or [f"Unknown: {UNCHECKED}."],
            "What you cannot conclude": ["Whether people other than these, or another rubric, would say the same."],
        },
        exhibits=[Exhibit("Judged by a model, checked by people", "", JUDGED, rows)],
        sources=_sources(results),
        commands=[f"mensura panel close {results.name} -o report.html"],
    )
    return Report(
        title=title or f"Panel {results.name}",
        question=question or "What would people say of the answers that a model judged?",
        answer=[one.sentence for one in results.judged],
        beside={LOSSES: [f"{one.label}: {one.unjudged} not judged." for one in results.judged if one.unjudged] or NONE},
        sections=[section],
        simulated=any(subject not in ("human", "terminal") for subject in results.raters.values()),
    )


def _time_spent(results: PanelResults) -> list[Exhibit]:
    """Return how long raters spent on an artefact of each condition, where that is known."""
    found = [(condition or "no condition", results.time_spent(condition)) for condition in results.conditions]
    rows = [(condition, spent, spent.n) for condition, spent in found if spent.n]
    words = "Seconds that a rater spent on an artefact, the mean over artefacts."
    return [Exhibit("Time spent", words, ("Condition", "Seconds", "Artefacts"), rows)] if rows else []


def _said(results: PanelResults) -> list[Exhibit]:
    """Return what raters added in words, under the code of the artefact."""
    rows = [(one.condition or "no condition", one.code, words) for one in results.artefacts for words in one.comments]
    return [Exhibit("What raters added", "", ("Condition", "Artefact", "Words"), rows)] if rows else []


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
        said.append(f"{model} is a language model and an additional rater; its ratings are not part of the scores.")
        said += [f"{model} and people, {one.sentence}" for one in items]
        said += [
            f"{model} and people, {one.item}: {kappa.name} {kappa.coefficient}."
            for one in items
            for kappa in one.kappas.values()
        ]
    return said
