"""Pictures of a study of the office: the source's Figures 3, 4 and 5, each with intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.catalog.crisis.study.wording import condition_words
from mensura.stats import Estimate

Point = Mapping[str, Any]


def point(estimate: Estimate, **labels: str) -> Point:
    """Return an estimate as a row of a chart; where there is no interval its ends are the value itself."""
    known = estimate.has_interval
    ends = {"low": estimate.low if known else estimate.value, "high": estimate.high if known else estimate.value}
    return {**labels, "value": estimate.value, **ends}


def means_picture(finals: Mapping[str, Sequence[float]], estimates: Mapping[str, Estimate]) -> Any:
    """Show the mean of each condition with its interval, over every single participant."""
    import altair

    order = [condition_words(name) for name in finals]
    dots = [{"condition": condition_words(name), "score": value} for name in finals for value in finals[name]]
    means = [point(one, condition=condition_words(name)) for name, one in estimates.items()]
    y = altair.Y("condition:N", sort=order, title=None, axis=altair.Axis(labelLimit=260))
    scale = altair.Scale(domain=[0, 1])
    points = altair.Chart(altair.InlineData(dots)).mark_circle(size=22, opacity=0.25)
    points = points.encode(x=altair.X("score:Q", title="final score", scale=scale), y=y)
    base = altair.Chart(altair.InlineData(means)).encode(y=y)
    bars = base.mark_rule(size=3).encode(x=altair.X("low:Q", scale=scale), x2="high:Q")
    return (points + bars + base.mark_point(filled=True, size=90).encode(x="value:Q")).properties(width=520, height=120)


def bars_picture(points: Sequence[Point], *, across: str, within: str, title: str, limits: list[float] | None) -> Any:
    """Show groups of bars with the intervals of their values."""
    import altair

    order = {each: list(dict.fromkeys(one[each] for one in points)) for each in (across, within)}
    scale = altair.Scale(domain=limits) if limits else altair.Scale()
    base = altair.Chart(altair.InlineData(list(points))).encode(
        x=altair.X(f"{across}:N", sort=order[across], title=None, axis=altair.Axis(labelAngle=0, labelLimit=260)),
        xOffset=altair.XOffset(f"{within}:N", sort=order[within]),
    )
    legend = altair.Legend(orient="bottom", labelLimit=260)
    bars = base.mark_bar().encode(
        y=altair.Y("value:Q", scale=scale, title=title),
        color=altair.Color(f"{within}:N", title=None, sort=order[within], legend=legend),
    )
    ends = base.mark_rule(size=1.5, color="#1f2933").encode(y=altair.Y("low:Q", title=title), y2="high:Q")
    return (bars + ends).properties(width=520, height=240)


def opinions_picture(macros: Sequence[Point], assistant: Sequence[Point]) -> Any:
    """Show the macros of the survey, and beneath them whether the software was felt to help or to be helped."""
    import altair

    charts = []
    for points, limits, title in (
        (macros, [1, 7], "1 is best, 7 is worst"),
        (assistant, [-6, 6], "item 16 less item 17: below 0 the software was felt to help"),
    ):
        names = list(dict.fromkeys(one["macro"] for one in points))
        order = list(dict.fromkeys(one["condition"] for one in points))
        legend = altair.Legend(orient="bottom", labelLimit=260)
        base = altair.Chart(altair.InlineData(list(points))).encode(
            y=altair.Y("macro:N", sort=names, title=None, axis=altair.Axis(labelLimit=260)),
            yOffset=altair.YOffset("condition:N", sort=order),
            color=altair.Color("condition:N", title=None, sort=order, legend=legend),
        )
        scale = altair.Scale(domain=limits)
        bars = base.mark_rule(size=2).encode(x=altair.X("low:Q", scale=scale, title=title), x2="high:Q")
        dots = base.mark_point(filled=True, size=60).encode(x=altair.X("value:Q", scale=scale, title=title))
        charts.append((bars + dots).properties(width=480, height=44 * len(names)))
    return altair.vconcat(*charts)
