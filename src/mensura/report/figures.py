"""Figures: one grammar for pictures in reports, pages and notebooks. Charts are Vega-Lite, made by altair."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import Any

from mensura.report.content import ScoreTable

# Okabe and Ito's colours, which people with any kind of colour vision tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK = "#1f2933"


@dataclass(frozen=True)
class Figure:
    """A picture as SVG, with a caption and the words that stand for it."""

    svg: str
    caption: str
    words: str


def score_figure(table: ScoreTable) -> Figure:
    """Show each subject's score with its interval, over the scores of the single sessions."""
    import altair

    estimates = [
        {
            "subject": row.label,
            "value": row.estimate.value,
            "low": row.estimate.low if row.estimate.has_interval else row.estimate.value,
            "high": row.estimate.high if row.estimate.has_interval else row.estimate.value,
        }
        for row in table.rows
        if isfinite(row.estimate.value)
    ]
    sessions = [
        {"subject": row.label, "session": value} for row in table.rows for value in row.per_session if isfinite(value)
    ]
    order = [row.label for row in table.rows]
    axis = altair.Y("subject:N", sort=order, title=None, axis=altair.Axis(labelLimit=220, labelPadding=8))
    title = table.name.replace("_", " ")
    dots = altair.Chart(altair.InlineData(sessions)).mark_circle(size=22, opacity=0.25, color=INK)
    dots = dots.encode(x=altair.X("session:Q", title=title, scale=altair.Scale(zero=False, nice=True)), y=axis)
    base = altair.Chart(altair.InlineData(estimates)).encode(y=axis)
    bars = base.mark_rule(size=3, color=COLOURS[0]).encode(x="low:Q", x2="high:Q")
    points = base.mark_point(filled=True, size=90, color=COLOURS[0]).encode(x="value:Q")
    chart = (dots + bars + points).properties(width=520, height=max(60, 34 * len(order)))
    said = "; ".join(f"{row.label}: {row.estimate}" for row in table.rows)
    better = "smaller is better" if table.smaller_is_better else "larger is better"
    caption = f"{title} ({better}): estimate with 95 % interval; pale dots are single sessions."
    return Figure(as_svg(chart), caption, f"{title}. {said}")


def as_svg(chart: Any) -> str:
    """Render a chart without a browser and without network, in the house's look."""
    import vl_convert

    styled = chart.configure(
        font="Liberation Sans, Arial, sans-serif",
        background="#ffffff",
        axis={"labelFontSize": 12, "titleFontSize": 12, "labelColor": INK, "titleColor": INK, "gridColor": "#e5e9ee"},
        view={"stroke": None},
        range={"category": list(COLOURS)},
    )
    return str(vl_convert.vegalite_to_svg(styled.to_json(), vl_version=_newest()))


@cache
def _newest() -> str:
    import vl_convert

    return str(max(vl_convert.get_vegalite_versions(), key=lambda version: tuple(map(int, version.split(".")))))


def figures_of(tables: Sequence[ScoreTable]) -> dict[str, Figure]:
    """Make the figure of every score that has one."""
    return {table.name: score_figure(table) for table in tables if any(isfinite(r.estimate.value) for r in table.rows)}
