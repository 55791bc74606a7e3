"""The report of a study: the written plan first, what it found, and apart from it what was only explored."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mensura.errors import BadData
from mensura.exhibit import Exhibit, together
from mensura.report.content import COMPARED, Report, Section, folds
from mensura.report.runs import Scope, build_report
from mensura.running.adaptivity.in_short import TITLE as IN_SHORT
from mensura.running.study import Analysis, Study
from mensura.running.study.analysis.looks import TITLES
from mensura.running.study.analysis.tested import Tested
from mensura.running.study.starts import starts_of

if TYPE_CHECKING:
    from mensura.store import Store


def study_report(analysis: Analysis, *, store: "Store") -> Report:
    """Gather the report of a study from its analysis."""
    study = analysis.study
    runs = [head.id for state in analysis.progress.cells for head in state.runs]
    scope = Scope(
        compare=False,
        left_out={left.session: left.kind for left in analysis.left_out},
        lead=next((hypothesis.score for hypothesis in study.hypotheses), ""),
        generalise=analysis.generalise,
    )
    report = build_report(runs, store=store, title=study.name, question=study.question, scope=scope)
    plan = list(analysis.told)
    plan += [
        f"{h.name}: {h.compare[0]} {_WAYS.get(h.expect, h.expect)} {h.compare[1]} on {h.score.replace('_', ' ')}"
        for h in study.hypotheses
    ]
    plan += [f"Excluded: {rule.name} ({rule.when})" for rule in study.exclusions]
    stop = study.stopping
    plan.append(
        f"Stop after {stop.most} sessions per cell"
        + (f", or once the interval of {stop.score} is narrower than {stop.width:g}." if stop.width else ".")
    )
    if stop.looks:
        listed = ", ".join(map(str, stop.looks))
        plan.append(f"Looks at the outcome after {listed} sessions per cell, by {TITLES[stop.method]}.")
    notes = [words for words in (analysis.family, analysis.excluded) if words]
    notes += [*analysis.notes, *_starts(study, store)]
    verdicts = [
        f"{tested.name} is {tested.verdict}: {tested.sentence}"
        + (f" With the excluded sessions: {tested.with_excluded}" if tested.with_excluded else "")
        for tested in analysis.planned
    ]
    asked = any(one.name != "exploratory" for one in analysis.exploratory)
    nothing = "No hypothesis was written down: the following only describes the data."
    nothing = "No hypothesis is confirmed: the plan below says why." if asked else nothing
    first = Section(
        "The plan, written before the data",
        points={"": plan, "Notes": notes},
        folded=False,
        exhibits=_compared("Results", analysis.planned, lambda one: f"{one.name}, {one.score}"),
    )
    telling = [one for one in analysis.exploratory if one.difference.excludes(0)]
    explored = Section(
        "Exploratory: not in the plan, to be tested in another study",
        about=f"{len(analysis.exploratory) - len(telling)} of {len(analysis.exploratory)} comparisons "
        "do not show who is ahead, and are not listed.",
        exhibits=_compared("Other comparisons", telling, lambda one: one.score),
    )
    beside = [explored] if analysis.exploratory else []
    figures = [figure for exhibit in analysis.exhibits for figure in exhibit.figures]
    short = next((one for one in analysis.exhibits if one.title == IN_SHORT), None)
    shown = [one for one in analysis.exhibits if one is not short]
    return replace(
        report,
        answer=[*analysis.altered, *analysis.unanswered, *(verdicts or [nothing])],
        altered=analysis.altered,
        figure=figures[0] if figures else report.figure,
        overview=short or report.overview,
        sections=[first, *folds(together(shown)), *beside, *report.sections],
    )


def _compared(title: str, tested: Sequence[Tested], name: Callable[[Tested], str]) -> list[Exhibit]:
    rows = [
        (name(one).replace("_", " "), one.sentence, one.difference.method, one.adjusted_p, _verdict(one))
        for one in tested
    ]
    return [Exhibit(title, "", COMPARED, rows)] if rows else []


def _verdict(tested: Tested) -> str | bool:
    return tested.verdict if tested.planned else tested.supported


def _starts(study: Study, store: "Store") -> list[str]:
    """Return whether it mattered when people began, for each score that the plan names and that can be judged."""
    if not any(cast.people for cast in study.casts):
        return []
    said = []
    for score in dict.fromkeys(hypothesis.score for hypothesis in study.hypotheses):
        try:
            found = starts_of(study, score=score, store=store)
        except BadData as why:
            said.append(f"Start times, {score}: {why}")
        else:
            said += [f"Start times, {score}: {one.sentence}" for one in found]
    return said


_WAYS = {"greater": "above", "less": "below", "different": "different from"}
