"""Figures: the pictures of scores in reports and pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from mensura.exhibit.look import COLOURS, INK, as_svg
from mensura.report.content import ScoreTable


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
    title = table.score.title + (f" ({table.score.unit})" if table.score.unit else "")
    dots = altair.Chart(altair.InlineData(sessions)).mark_circle(size=22, opacity=0.25, color=INK)
    dots = dots.encode(x=altair.X("session:Q", title=title, scale=altair.Scale(zero=False, nice=True)), y=axis)
    base = altair.Chart(altair.InlineData(estimates)).encode(y=axis)
    bars = base.mark_rule(size=3, color=COLOURS[0]).encode(x="low:Q", x2="high:Q")
    points = base.mark_point(filled=True, size=90, color=COLOURS[0]).encode(x="value:Q")
    chart = (dots + bars + points).properties(width=520, height=max(60, 34 * len(order)))
    said = "; ".join(f"{row.label}: {row.estimate}" for row in table.rows)
    caption = f"{title}, {table.score.direction}: estimate with 95 % interval; pale dots are single sessions."
    return Figure(as_svg(chart), caption, f"{title}. {said}")


def figures_of(tables: Sequence[ScoreTable]) -> dict[str, Figure]:
    """Make the figure of every score that has one."""
    return {table.name: score_figure(table) for table in tables if any(isfinite(r.estimate.value) for r in table.rows)}
