"""Score table: one score of everyone who has it, with its picture; the same in reports and on pages."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, isnan
from typing import Any

from mensura.dialogue import Score
from mensura.exhibit.exhibit import Cell, Exhibit, Figure
from mensura.exhibit.look import COLOURS, INK
from mensura.stats import Estimate
from mensura.stats.wording import attributed

COLUMNS = ("Score", "Subject", "Value", "95 % interval", "n", "Method", "Of what was asked")
MOST_FIGURES = 6
MOST_ROWS = 30
"""Subjects up to which scores are drawn, with a line for each score of each; more have one line each."""


@dataclass(frozen=True)
class ScoreRow:
    """One subject's estimate of one score."""

    label: str
    estimate: Estimate
    single: Sequence[float] = ()
    """The scores of single sessions, or of whatever else one number was given for."""
    account: str = ""
    """The outcomes of all questions; empty where they were not counted."""
    generalises: str = ""


@dataclass(frozen=True)
class ScoreTable:
    """One score, for everyone who has it."""

    score: Score
    rows: Sequence[ScoreRow]

    @property
    def title(self) -> str:
        """Return the name of the score, with its unit."""
        return self.score.title + (f" ({self.score.unit})" if self.score.unit else "")

    @cached_property
    def ranked(self) -> list[ScoreRow]:
        """The rows whose value is known, the best first; in their own order where no way is good."""
        known = [row for row in self.rows if row.estimate.value == row.estimate.value]
        best, better = self.score.best, self.score.better
        if best is None and better not in ("more", "less"):
            return known

        def loss(row: ScoreRow) -> float:
            value = row.estimate.value
            return abs(value - best) if best is not None else -value if better == "more" else value

        return sorted(known, key=loss)

    @property
    def beneath(self) -> list[str]:
        """Return the notes beneath the table: what rows generalise to, and the notes of their estimates."""
        return attributed({row.label: (row.generalises, row.estimate.note) for row in self.rows})

    @cached_property
    def figures(self) -> list[Figure]:
        """The picture: each estimate with its interval, over the scores of single sessions; none without a number."""
        said = "; ".join(f"{row.label}: {row.estimate}" for row in self.rows)
        words = f"{self.title}, {self.score.direction}. {said}"
        known = any(isfinite(row.estimate.value) for row in self.rows)
        return [Figure(self._chart, words)] if known and len(self.rows) <= MOST_ROWS else []

    def _chart(self) -> Any:
        import altair

        estimates = [
            {"subject": row.label, "value": one.value}
            | ({"low": one.low, "high": one.high} if one.has_interval else {"low": one.value, "high": one.value})
            for row in self.rows
            if isfinite((one := row.estimate).value)
        ]
        several = [row for row in self.rows if len(row.single) > 1]
        single = [{"subject": row.label, "session": v} for row in several for v in row.single if isfinite(v)]
        order = [row.label for row in self.rows]
        shown = {v for row in self.rows for v in (row.estimate.value, row.estimate.low, *row.single) if isfinite(v)}
        # An axis without a width would show one number, rounded to a whole one.
        around: Any = {"domain": [min(shown) - 0.5, min(shown) + 0.5]} if len(shown) == 1 else {"nice": True}
        axis = altair.Y("subject:N", sort=order, title=None, axis=altair.Axis(labelLimit=150, labelPadding=8))
        dots = altair.Chart(altair.InlineData(single)).mark_circle(size=22, opacity=0.25, color=INK)
        dots = dots.encode(x=altair.X("session:Q", title=self.title, scale=altair.Scale(zero=False, **around)), y=axis)
        base = altair.Chart(altair.InlineData(estimates)).encode(y=axis)
        bars = base.mark_rule(size=3, color=COLOURS[0]).encode(x=altair.X("low:Q"), x2=altair.X2("high:Q"))
        points = base.mark_point(filled=True, size=90, color=COLOURS[0]).encode(x=altair.X("value:Q"))
        return (dots + bars + points).properties(width=320, height=max(60, 30 * len(order)))


def scores_exhibit(tables: Sequence[ScoreTable], *, single: str = "sessions") -> Exhibit:
    """Gather all scores in one table, with the pictures of the first of them; a pale dot is one of `single`."""
    if max((len(table.rows) for table in tables), default=0) > MOST_ROWS:
        return _many(tables)
    accounted = any(row.account for table in tables for row in table.rows)
    rows = [
        (
            f"{table.title}, {table.score.direction}",
            row.label,
            None if isnan(row.estimate.value) else row.estimate.rounded[0],
            row.estimate.ends,
            row.estimate.n,
            row.estimate.method,
            *([row.account or None] if accounted else []),
        )
        for table in tables
        for row in table.rows
    ]
    beneath = attributed({table.title: table.beneath for table in tables})
    figures = [figure for table in tables for figure in table.figures][:MOST_FIGURES]
    dotted = any(len(row.single) > 1 for table in tables for row in table.rows)
    words = "Estimates with 95 % intervals" + (f"; pale dots in the pictures are single {single}." if dotted else ".")
    return Exhibit("Scores", words, COLUMNS if accounted else COLUMNS[:-1], rows, figures, beneath)


def _many(tables: Sequence[ScoreTable]) -> Exhibit:
    """Gather all scores of many in one table with a line for each of them."""
    by = [{row.label: row for row in table.rows} for table in tables]
    labels = list(dict.fromkeys(label for held in by for label in held))
    rows: list[list[Cell]] = [
        [
            *(label, max(held[label].estimate.n for held in by if label in held)),
            *(held[label].estimate if label in held else None for held in by),
        ]
        for label in labels
    ]
    ways = {
        table.title: ", ".join(sorted({row.estimate.method for row in table.rows if row.estimate.method}))
        for table in tables
    }
    words = "Estimates with 95 % intervals, a line for each of those who took it; n is the most of any score."
    columns = ("Subject", "n", *(f"{table.title}, {table.score.direction}" for table in tables))
    methods = [f"Intervals of {title}: {said}." for title, said in ways.items() if said]
    said = Counter(one for t in tables for row in t.rows for one in {row.generalises, row.estimate.note} - {""})
    every = sum(len(table.rows) for table in tables)
    beneath = [sentence if n == every else f"{n} of {every} estimates: {sentence}" for sentence, n in said.items()]
    return Exhibit("Scores", words, columns, rows, notes=[*methods, *beneath])
