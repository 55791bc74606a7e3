"""Pictures of an assessment."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.solving.normative import hypotheses

if TYPE_CHECKING:
    from mensura.catalog.sensemaking.assessment.result import Assessment

PEOPLE, MODEL, BEST = "people", "model", "normative"
COLOURS = {PEOPLE: "#3b6ea5", MODEL: "#d1662f", BEST: "#8a8a8a"}


def task_chart(assessments: "list[Assessment]") -> Any:
    """RSR and RMR per task with 95 % intervals, one colour per model."""
    import altair as alt

    rows = []
    for assessment in assessments:
        for number in assessment.scores.tasks:
            estimate = assessment.task(number).as_json()
            name = f"Task {number} {'RMR' if number == 6 else 'RSR'}"
            rows.append({"task": name, "model": assessment.model, **estimate})
        rows.append({"task": "CPA", "model": assessment.model, **assessment.cpa.as_json()})
    base = _chart(rows).encode(y=alt.Y("task:N", sort=None, title=None), yOffset="model:N")
    scale = alt.Scale(domain=[0, 100])
    bars = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, title="0 = null model, 100 = average human"), x2="high:Q", color="model:N"
    )
    points = base.mark_point(filled=True, size=60).encode(x=alt.X("value:Q", scale=scale), color="model:N")
    mark = _chart([{"x": 50}]).mark_rule(strokeDash=[4, 4], color="#999").encode(x="x:Q")
    return (mark + bars + points).properties(width=520, height=alt.Step(16))


def individual_chart(individuals: NDArray[np.float64], *, cpa: float) -> Any:
    """Where the model stands among people, each taken as a model of the others."""
    import altair as alt

    rows = [{"cpa": float(value)} for value in individuals if np.isfinite(value)]
    bins = (
        _chart(rows)
        .mark_bar(color=COLOURS[PEOPLE], opacity=0.7)
        .encode(x=alt.X("cpa:Q", bin=alt.Bin(step=5), title="CPA"), y=alt.Y("count():Q", title="people"))
    )
    line = _chart([{"x": cpa}]).mark_rule(color=COLOURS[MODEL], strokeWidth=3).encode(x="x:Q")
    return (bins + line).properties(width=520, height=160)


def stage_chart(assessment: "Assessment", number: int) -> Any:
    """People, model and normative distributions side by side on every stage of a task."""
    import altair as alt

    rows = _stage_rows(assessment, number)
    places = list(dict.fromkeys(row["place"] for row in rows))
    return (
        _chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("hypothesis:N", title=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("who:N", sort=[PEOPLE, MODEL, BEST]),
            y=alt.Y("percent:Q", scale=alt.Scale(domain=[0, 100]), title=None),
            color=alt.Color("who:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())), title=None),
        )
        .properties(width=90, height=60)
        .facet(facet=alt.Facet("place:N", sort=places, title=None), columns=5 if number <= 3 else 8)
    )


def _stage_rows(assessment: "Assessment", number: int) -> list[dict[str, Any]]:
    benchmark = assessment.benchmark
    names = hypotheses(benchmark.exam, number)
    sources = {
        PEOPLE: benchmark.human.stages[number],
        MODEL: assessment.side.mean.stages.get(number),
        BEST: benchmark.normative[number],
    }
    rows = []
    for trial, stage in np.ndindex(*benchmark.human.stages[number].shape[:2]):
        if number == 5 and stage == 0:
            continue
        place = f"trial {trial + 1}" + (f" stage {stage}" if number >= 4 else "")
        for who, values in sources.items():
            if values is not None:
                rows += [
                    {"place": place, "who": who, "hypothesis": name, "percent": _known(values[trial, stage, kind])}
                    for kind, name in enumerate(names)
                ]
    return rows


def direction_chart(assessment: "Assessment") -> Any:
    """Certainty lost against the normative answer, per task: right of zero is conservatism."""
    import altair as alt

    rows = [
        {"task": f"Task {number}", "who": who, **each.gap.as_json()}
        for who, found in assessment.directions.items()
        for number, each in found.items()
    ]
    base = _chart(rows).encode(y=alt.Y("task:N", title=None), yOffset="who:N", color=alt.Color("who:N", title=None))
    rule = _chart([{"x": 0}]).mark_rule(color="#999").encode(x="x:Q")
    title = "N(normative) - N(reported): conservative to the right, over-weighting to the left"
    points = base.mark_point(filled=True, size=60).encode(x=alt.X("value:Q", title=title))
    return (rule + base.mark_rule().encode(x="low:Q", x2="high:Q") + points).properties(width=520, height=alt.Step(12))


def _chart(rows: list[dict[str, Any]]) -> Any:
    import altair as alt

    return alt.Chart(alt.InlineData(values=rows))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
