"""The report of a study: the written plan first, what it found, and apart from it what was only explored."""

from typing import TYPE_CHECKING

from mensura.errors import BadData
from mensura.report.content import Difference, Report, build_report
from mensura.running.study import Analysis, Study
from mensura.running.study.starts import starts_of

if TYPE_CHECKING:
    from mensura.store import Store


def study_report(analysis: Analysis, *, store: "Store") -> Report:
    """Gather the report of a study from its analysis."""
    study = analysis.study
    runs = [head.id for state in analysis.progress.cells for head in state.runs]
    left_out = [
        f"{left.session} ({left.cell}): {left.reason}{'' if left.planned else ' — decided after the data'}"
        for left in analysis.left_out
    ]
    report = build_report(
        runs,
        store=store,
        title=study.name,
        question=study.question,
        exclusions=left_out,
        compare=False,
        left_out={left.session for left in analysis.left_out},
        generalise=analysis.generalise,
    )
    plan = [f"Plan {study.hash}, hashed before the first session."]
    plan += [
        f"{h.name}: {h.compare[0]} {_WAYS[h.expect]} {h.compare[1]} on {h.score.replace('_', ' ')}"
        for h in study.hypotheses
    ]
    plan += [f"Left out: {rule.name} ({rule.when})" for rule in study.exclusions]
    stop = study.stopping
    plan.append(
        f"Stop after {stop.most} sessions per cell"
        + (f", or once the interval of {stop.score} is narrower than {stop.width:g}." if stop.width else ".")
    )
    report.plan.extend(plan)
    report.planned.extend(
        Difference(
            f"{tested.name}, {tested.score}", tested.sentence, tested.adjusted_p, tested.supported, tested.verdict
        )
        for tested in analysis.planned
    )
    report.exploratory.extend(
        Difference(tested.score, tested.sentence, tested.adjusted_p, tested.supported)
        for tested in analysis.exploratory
    )
    report.exhibits.extend(analysis.exhibits)
    report.notes.extend([*([analysis.family] if analysis.family else []), *analysis.notes, *_starts(study, store)])
    return report


def _starts(study: Study, store: "Store") -> list[str]:
    """Say whether it mattered when people began, for each score that the plan names and that can be judged."""
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
