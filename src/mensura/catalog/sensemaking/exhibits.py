"""What is shown of sensemaking, of files, runs, comparisons and studies alike: S1 and S2, and models beside people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.sensemaking.answers.answer import Answers
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.assessment.cfa import BIASES, VERDICT
from mensura.catalog.sensemaking.assessment.mean import NOTHING
from mensura.catalog.sensemaking.assessment.skill import over_trials, trial_values
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.solving.normative import hypotheses
from mensura.errors import MensuraError
from mensura.exhibit import COLOURS, Exhibit, Figure, Group
from mensura.stats.estimate import Estimate

if TYPE_CHECKING:
    from mensura.catalog.sensemaking.assessment.findings import Findings
    from mensura.catalog.sensemaking.assessment.result import Assessment

SIMULATED = "simulated-person"
PEOPLE, MODEL, BEST = "people", "model", "normative"
SHADES = {PEOPLE: COLOURS[0], MODEL: COLOURS[1], BEST: "#8a8a8a"}
DRAWS = 500


def exhibits(groups: Sequence[Group]) -> Iterator[Exhibit]:
    """Show S1 and S2 by task; where people and models took the same exam, also how near the models come to people."""
    yield skill_exhibit(groups)
    try:
        found = _findings(groups)
    except MensuraError:
        return
    if found is not None:
        yield from assessment_exhibits(found)


def skill_by_group(group: Group) -> dict[int, tuple[Estimate, Estimate]]:
    """Estimate S1 and S2 of a group by task: over its trials, or over sessions where each met trials of its own."""
    found: dict[int, list[Estimate]] = {}
    for place, name in enumerate(("s1", "s2")):
        tasks: dict[int, list[list[float]]] = {}
        for key, by_session in trial_values(group.scores, name).items():
            tasks.setdefault(int(key.partition(".")[0]), []).append(by_session)
        for number, trials in tasks.items():
            values = np.array(trials).T
            apart = len(group.scores) > 1 and not group.parameters.get("exam")
            both = found.setdefault(number, [NOTHING, NOTHING])
            both[place] = over = over_trials(values.T if apart else values)
            if apart:
                method = over.method.partition(",")[0].replace("trial", "session")
                both[place] = replace(over, method=method, population="people")
    return {number: (found[number][0], found[number][1]) for number in sorted(found)}


def skill_exhibit(groups: Sequence[Group]) -> Exhibit:
    """Show S1 and S2 by task, with intervals."""
    skill = {group.name: skill_by_group(group) for group in groups}
    rows = [
        (name, f"Task {number}", s1, s2, s2.n) for name, tasks in skill.items() for number, (s1, s2) in tasks.items()
    ]
    points = [
        {"task": task, "who": name, "score": score, **estimate.as_json()}
        for name, task, *both, _ in rows
        for score, estimate in zip(("S1: judgements", "S2: decisions"), both, strict=True)
        if isinstance(estimate, Estimate) and np.isfinite(estimate.value)
    ]
    words = (
        "S1 is how like the best judgement a judgement is, S2 the percent of resources that were put on what came "
        "true, both from 0 to 100. Task 7 has no published best judgement."
    )
    chart = partial(_intervals, points, title="", column="score")
    figure = Figure(chart, "S1 and S2 of each task, with 95 % intervals.")
    return Exhibit("Judgements and decisions", words, ("who", "task", "S1", "S2", "n"), rows, [figure])


def assessment_exhibits(found: "Findings") -> Iterator[Exhibit]:
    """Show models beside people: CPA, CFA, individuals, directions of error, every stage, and what was left out."""
    each = found.assessments
    yield _cpa(each)
    yield _cfa(each)
    if len(found.individuals):
        yield _individuals(found)
    yield _directions(each)
    surprise = [
        (a.model, s.source, s.correlation, s.rank_correlation, s.correlation.n) for a in each for s in a.surprise
    ]
    if surprise:
        columns = ("model", "its surprise", "correlation with people's", "rank correlation", "trials")
        words = "Whether a model foresees what surprises people."
        yield _without_model(Exhibit("Surprise", words, columns, surprise), each)
    drawn = {PEOPLE: each[0].drawings[PEOPLE]} | {a.model: a.drawings[MODEL] for a in each}
    errors = [(who, f"Task {n}", d.miles, d.radius_ratio) for who, tasks in drawn.items() for n, d in tasks.items()]
    if errors:
        words = "How far drawn centres lie from the normative ones; a radius of 1 holds two thirds of the attacks."
        yield Exhibit("Circles and centres", words, ("who", "task", "miles off", "radius / 1.4823 σ"), errors)
    if found.foraging is not None:
        bought = [(name, count) for name, count in found.foraging.bought.items()]
        share = 100 * found.foraging.rate.value
        words = f"People in Task 7: {found.foraging.sentence} They bought after {share:.1f} % of trials."
        yield Exhibit("Buying information", words, ("INT", "bought"), bought)
    yield _stages(each[0])
    excluded = [(name.replace("_", " "), ", ".join(items) or "nothing") for name, items in each[0].excluded().items()]
    words = "Task.trial.stage, trials from 1, stages from 0: people do not differ from chance, or show no bias, there."
    yield Exhibit("Not assessed", words, ("score", "items"), excluded)
    declared = [(a.model, k, _listed(run)) for a in each for k, run in enumerate(a.declared, 1) if run]
    if declared:
        yield _without_model(Exhibit("Declared parameters", "", ("model", "run", "parameters"), declared), each)


def _without_model(shown: Exhibit, each: Sequence["Assessment"]) -> Exhibit:
    """Leave out the column of models where there is only one."""
    return shown if len(each) > 1 else replace(shown, columns=shown.columns[1:], rows=[row[1:] for row in shown.rows])


def _cpa(each: Sequence["Assessment"]) -> Exhibit:
    rows, points = [], []
    for one in each:
        kinds = {number: f"Task {number} {'RMR' if number == 6 else 'RSR'}" for number in one.scores.tasks}
        rows.append((one.model, "CPA", one.cpa, *[None] * 3, VERDICT[one.passes_cpa]))
        points.append({"task": "CPA", "who": one.model, **one.cpa.as_json()})
        for number, kind in kinds.items():
            counts = [one.task_json(number)[name] for name in ("weight", "assessed", "missing")]
            rows.append((one.model, kind, one.task(number), *counts, None))
            points.append({"task": kind, "who": one.model, **one.task(number).as_json()})
    first, said = each[0], []
    for name in ("trials", "people and trials") if first.resamples else ():
        over = first.cpa_over(name)
        others = name.replace("and", "and other")
        said.append(f"Over other {others}: {over.ends} ({over.method}).")
    words = " ".join(["0 is a uniform model, 100 the average human; intervals are over other people.", *said])
    columns = ("model", "task", "value", "weight", "assessed", "missing", "at 50")
    picture = Figure(
        lambda: _intervals(points, title="0 = uniform model, 100 = average human", mark=50),
        f"CPA of {first.model} is {first.cpa.rounded[0]}; the dashed line marks the 50 that pass.",
    )
    return _without_model(Exhibit("How near to people (CPA)", words, columns, rows, [picture]), each)


def _cfa(each: Sequence["Assessment"]) -> Exhibit:
    rows = []
    for one in each:
        for bias in BIASES:
            b = one.bias_json(bias)
            agreed = Estimate(b["score"], b["low"], b["high"], b["items"], b["method"])
            shown = [None if b[who] is None else f"{b[who]:.0f} %" for who in ("people_exhibit", "model_exhibits")]
            name, passed = bias.replace("_", " "), VERDICT[b["pass"]]
            rows.append((one.model, name, agreed, b["items"], b["missing"], *shown, passed))
        passed = f"{len(one.biases_passed)} of {len(one.biases_assessed)}"
        rows.append((one.model, "CFA", passed, *[None] * 4, VERDICT[one.passes_cfa]))
    rule = "published" if each[0].benchmark.rules.sign else "Table 7 as printed"
    words = f"Percent of assessed items on which a model agrees with people on showing the bias. Rule: {rule}."
    columns = ("model", "bias", "agreement", "items", "missing", "people show it", "model shows it", "result")
    return _without_model(Exhibit("Which biases are shared (CFA)", words, columns, rows), each)


def _individuals(found: "Findings") -> Exhibit:
    models = [{"x": float(a.scores.cpa), "model": a.model} for a in found.assessments]

    def chart() -> Any:
        import altair as alt

        values = [{"cpa": float(value)} for value in found.individuals]
        y = alt.Y("count():Q", title="people")
        bars = _chart(values).mark_bar(color="#b8c0c8")
        bins = bars.encode(x=alt.X("cpa:Q", bin=alt.Bin(step=5), title="CPA"), y=y)
        colour = alt.Color("model:N", legend=alt.Legend(orient="top", labelLimit=400), title=None)
        lines = _chart(models).mark_rule(strokeWidth=3).encode(x="x:Q", color=colour)
        return (bins + lines).properties(width=520, height=160)

    low, middle, high = np.quantile(found.individuals, [0.05, 0.5, 0.95])
    words = f"Each person taken as a model of the others: median CPA {middle:.1f}, 5 % to 95 % {low:.1f} to {high:.1f}."
    return Exhibit("Beside individuals", words, figures=[Figure(chart, f"{words} The lines are the models.")])


def _directions(each: Sequence["Assessment"]) -> Exhibit:
    sides = {PEOPLE: each[0].directions[PEOPLE]} | {a.model: a.directions[MODEL] for a in each}
    rows = [
        (who, f"Task {number}", one.gap, one.conservative, one.overweighting, one.stages, one.words)
        for who, tasks in sides.items()
        for number, one in tasks.items()
    ]
    points = [{"task": task, "who": who, **gap.as_json()} for who, task, gap, *_ in rows]
    title = "N(normative) - N(reported): conservative to the right, over-weighting to the left"
    figure = Figure(lambda: _intervals(points, title=title, mark=0, domain=None), f"{title}, by task.")
    columns = ("who", "task", "certainty lost", "conservative", "over-weighting", "stages", "in all")
    return Exhibit("Which way judgements err", "Certainty lost against the normative answer.", columns, rows, [figure])


def _stages(one: "Assessment") -> Exhibit:
    figures = [
        Figure(partial(_stage_chart, one, number), f"Task {number}: what people, {one.model} and the best answer say.")
        for number in sorted(one.benchmark.normative)
    ]
    return Exhibit("Every stage", f"People, {one.model} and the normative answer side by side.", figures=figures)


def _stage_chart(one: "Assessment", number: int) -> Any:
    import altair as alt

    benchmark = one.benchmark
    human = benchmark.human.stages[number]
    sources = {PEOPLE: human, MODEL: one.side.mean.stages.get(number), BEST: benchmark.normative[number]}
    rows = [
        {
            "place": f"trial {trial + 1}" + (f" stage {stage}" if number >= 4 else ""),
            "who": who,
            "hypothesis": name,
            "percent": None if np.isnan(values[trial, stage, kind]) else float(values[trial, stage, kind]),
        }
        for trial, stage in np.ndindex(*human.shape[:2])
        for who, values in sources.items()
        for kind, name in enumerate(hypotheses(benchmark.exam, number))
        if values is not None and not (number == 5 and stage == 0)
    ]
    places = list(dict.fromkeys(str(row["place"]) for row in rows))
    colour = alt.Color("who:N", scale=alt.Scale(domain=list(SHADES), range=list(SHADES.values())), title=None)
    bars = (
        _chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("hypothesis:N", title=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("who:N", sort=list(SHADES)),
            y=alt.Y("percent:Q", scale=alt.Scale(domain=[0, 100]), title=None),
            color=colour.legend(orient="top"),
        )
    )
    facet = alt.Facet("place:N", sort=places, title=None)
    return bars.properties(width=90, height=60).facet(facet=facet, columns=5, title=f"Task {number}")


def _intervals(
    rows: list[dict[str, Any]],
    *,
    title: str,
    mark: float | None = None,
    domain: tuple[int, int] | None = (0, 100),
    column: str = "",
) -> Any:
    """Draw estimates as points with their intervals, a line for each task and a colour for each of who is shown."""
    import altair as alt

    scale = alt.Scale(domain=domain) if domain else alt.Scale()
    several = len({row["who"] for row in rows}) > 1
    colour = alt.Color("who:N", title=None, legend=alt.Legend(orient="top", labelLimit=400) if several else None)
    base = alt.Chart().encode(y=alt.Y("task:N", sort=None, title=None), yOffset="who:N", color=colour)
    bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", scale=scale, title=title), x2="high:Q")
    layers = [bars, base.mark_point(filled=True, size=60).encode(x=alt.X("value:Q", scale=scale, title=title))]
    if mark is not None:
        layers.insert(0, alt.Chart().mark_rule(strokeDash=[4, 4], color="#999").encode(x=alt.datum(mark)))
    both = alt.layer(*layers, data=alt.InlineData(values=rows)).properties(
        width=240 if column else 520, height=alt.Step(13)
    )
    return both.facet(column=alt.Column(f"{column}:N", title=None)) if column else both


def _chart(rows: list[dict[str, Any]]) -> Any:
    import altair as alt

    return alt.Chart(alt.InlineData(values=rows))


def _listed(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def _findings(groups: Sequence[Group]) -> "Findings | None":
    """Assess the models among some groups against the people among them, where all took one exam."""
    from mensura.catalog.sensemaking.assessment.findings import assess_models
    from mensura.catalog.sensemaking.people import respondents_of

    paths = {str(group.parameters.get("exam") or "") for group in groups}
    if len(groups) < 2 or len(paths) > 1 or not min(paths):
        return None
    exam = read_exam(Path(min(paths)))
    people: list[Answers] = []
    models: list[list[Answers]] = []
    for group in groups:
        runs = [check_answers(answers_from_json(scores.details["answers"]), exam) for scores in group.scores]
        if SIMULATED in group.name or all(run.human for run in runs):
            people += [run.as_person() for run in runs]
        else:
            models.append([replace(run, subject=group.name) for run in runs])
    if len(people) < 2 or not models:
        return None
    return assess_models(exam, respondents_of(people, exam), models, draws=DRAWS)
