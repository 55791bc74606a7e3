"""Summary: what subjects come to over some items, and how hard an item is over its subjects."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from mensura.dialogue import OUTCOMES, Tally
from mensura.running.items.observed import Codes, Numbers
from mensura.running.items.table import ItemTable
from mensura.running.items.view import ItemView
from mensura.running.results.estimating import scale_of
from mensura.running.results.reducing import MEAN
from mensura.stats import (
    Estimate,
    Observations,
    Scale,
    default_population,
    estimate_score,
    read_population,
    unit_estimate,
    without_interval,
)


@dataclass(frozen=True)
class SubjectSummary:
    """One subject over some items."""

    run: str
    label: str
    people: bool
    items: int
    """How many of the items it was asked."""
    estimate: Estimate
    """Its mean score, for a proportion the share that is right, over what was asked less what was lost."""
    outcomes: Tally
    tokens: "ItemTotal"
    cost: "ItemTotal"
    seconds: float | None
    """The median over its answers; None where none is known."""

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON."""
        said = {"estimate": self.estimate.as_json(), "tokens": vars(self.tokens), "cost": vars(self.cost)}
        return {**vars(self), **said, "outcomes": dict(self.outcomes)}


@dataclass(frozen=True)
class ItemTotal:
    """The total cost of some answers, as far as it is known."""

    value: float | None
    """None where nothing is known."""
    unknown: int
    """Of how many answers it is not known."""

    @classmethod
    def of(cls, values: Numbers) -> "ItemTotal":
        """Add up numbers of which some may be NaN."""
        known = values[~np.isnan(values)]
        return cls(float(known.sum()) if known.size else None, len(values) - len(known))


def subject_summaries(table: ItemTable, rows: Codes, *, view: ItemView) -> list[SubjectSummary]:
    """Sum up each subject over the items that are looked at.

    Items that were chosen by what became of them stand for no others: their means have no interval.
    """
    chosen = np.zeros(len(table.rows), dtype=bool)
    chosen[rows] = True
    found = [_summary(table, column, chosen) for column in range(len(table.runs))]
    if not view.by_outcome:
        return found
    reason = "these items were chosen by their outcome"
    return [replace(one, estimate=_bare(one.estimate, reason)) for one in found]


def _bare(estimate: Estimate, reason: str) -> Estimate:
    return without_interval(estimate.value, n=estimate.n, reason=reason)


def share_right(table: ItemTable, row: int) -> Estimate:
    """Estimate the mean of an item over its subjects, each of them once: every person, every program or model.

    The interval is that of a mean with the bounds of the score (`mensura.stats.unit_estimate`): for a proportion
    Clopper and Pearson's on an effective n. It speaks of subjects like these, and with one subject there is none.
    """
    means: list[float] = []
    for rows, of_subjects in table.subject_means:
        begin, end = np.searchsorted(rows, [row, row + 1])
        means += of_subjects[begin:end].tolist()
    return _over(tuple(means), scale_of(table.score, by_item=False))


@lru_cache(maxsize=10_000)
def _over(means: tuple[float, ...], scale: Scale) -> Estimate:
    """Estimate a mean over subjects; the same few right and wrong answers come again and again."""
    return unit_estimate(means, unit="subject", scale=scale)


def _summary(table: ItemTable, column: int, chosen: Any) -> SubjectSummary:
    run, rows = table.runs[column], table.places[column]
    mine = chosen[rows] & table.counts(column)
    tally = table.tallies[chosen, column].sum(axis=0)
    took = run.seconds[mine & ~np.isnan(run.seconds)]
    return SubjectSummary(
        run=run.head.id,
        label=table.labels[column],
        people=run.circumstances.people,
        items=int((table.asked[chosen, column] > 0).sum()),
        estimate=_estimate(table, column, mine),
        outcomes={outcome: int(many) for outcome, many in zip(OUTCOMES, tally, strict=True) if many},
        tokens=ItemTotal.of(run.tokens[mine]),
        cost=ItemTotal.of(run.cost[mine]),
        seconds=float(np.median(took)) if took.size else None,
    )


def _estimate(table: ItemTable, column: int, mine: Any) -> Estimate:
    """Estimate as the page of the run does, over the items that are looked at; items of one group count as one."""
    run, where = table.runs[column], table.runs[column].circumstances
    values = table.values(column)[mine]
    if not (~np.isnan(values)).any():
        return without_interval(float("nan"), n=0, reason="nothing is known")
    seen = Observations(
        values,
        items=table.units[column][mine],
        sessions=run.sessions[mine],
        courses=run.courses[mine] if where.learners or where.visits else None,
    )
    chosen = run.head.details.get("generalise")
    usual = default_population(seen, apart=where.apart, people=where.people, learners=where.learners)
    population = usual if chosen is None else read_population(chosen)
    scale = scale_of(table.score, by_item=True)
    made = estimate_score(seen, population=population, scale=scale, apart=where.apart)
    if where.reduce in ("", MEAN):
        return made
    return replace(made, note=f"This is the mean over epochs; the run's page has {where.reduce}. {made.note}".strip())
