"""Classical statistics of items: how many have each right, and whether it goes with the rest."""

from dataclasses import dataclass

import numpy as np

from mensura.errors import BadData
from mensura.stats.consistency.reliability import cronbach_alpha
from mensura.stats.estimate import Estimate, without_interval
from mensura.stats.intervals.proportion import proportion_estimate
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.responses import ResponseMatrix


@dataclass(frozen=True)
class ClassicalItem:
    """One item without a model."""

    item: str
    right: Estimate
    """Share of those who answered it that have it right."""
    with_rest: float
    """Correlation with the share right on the other items that each person answered; NaN where either is constant."""


@dataclass(frozen=True)
class ClassicalItems:
    """All items without a model, and how well they hang together."""

    items: tuple[ClassicalItem, ...]
    alpha: Estimate
    """Cronbach's, over persons who answered everything; without an interval and unknown where these are too few."""


def classical_items(matrix: ResponseMatrix) -> ClassicalItems:
    """Describe items by the share right, the corrected item-rest correlation, and alpha with its interval.

    >>> from mensura.stats.response.responses import response_matrix
    >>> made = classical_items(response_matrix([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]]))
    >>> [round(one.right.value, 2) for one in made.items], round(made.alpha.value, 2)
    ([0.75, 0.5, 0.25], 0.75)
    """
    held, known = np.nan_to_num(matrix.right), matrix.known
    totals, many = held.sum(axis=1), known.sum(axis=1)
    items = []
    for place, name in enumerate(matrix.items):
        rows = known[:, place] & (many > 1)
        rest = (totals[rows] - held[rows, place]) / (many[rows] - 1)
        share = proportion_estimate(int(held[:, place].sum()), n=int(known[:, place].sum()))
        items.append(ClassicalItem(name, share, _correlation(held[rows, place], rest)))
    return ClassicalItems(tuple(items), _alpha(matrix))


def _alpha(matrix: ResponseMatrix) -> Estimate:
    try:
        return cronbach_alpha(matrix.right).alpha
    except BadData as error:
        return without_interval(float("nan"), n=int(matrix.known.all(axis=1).sum()), reason=str(error))


def _correlation(first: Floats, second: Floats) -> float:
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return float("nan")
    return float(np.corrcoef(first, second)[0, 1])
