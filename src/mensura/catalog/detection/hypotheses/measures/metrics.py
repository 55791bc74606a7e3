"""Scores of a data set from its pairs: precision, recall, F, object-oriented and traditional, and assessed cost."""

from dataclasses import asdict, dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Floats, Integers
from mensura.scores.matching.likeness import ScoredPairs


@dataclass(frozen=True, slots=True)
class Counts:
    """Precision, recall and F of a data set; NaN where there is nothing to divide by."""

    precision: float
    recall: float
    f: float


@dataclass(frozen=True, slots=True)
class AssessedCost:
    """Assessed cost of a data set, normalised by the cost of staying silent (NAC), and its complement (NACC)."""

    assessed: float
    nac: float
    nacc: float


def known(value: float) -> float | None:
    """Return a number, or None where it is unknown."""
    return None if isnan(value) else float(value)


def known_fields(scores: Any) -> dict[str, float | None]:
    """Return the numbers of a dataclass by name; unknown ones are None."""
    return {name: known(value) for name, value in asdict(scores).items()}


def harmonic(precision: float, recall: float) -> float:
    """F of a data set: harmonic mean of its precision and recall, unknown where one is.

    >>> harmonic(0.5, 1 / 3)
    0.4
    """
    if precision != precision or recall != recall:
        return nan
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def object_oriented(pairs: ScoredPairs, *, references: int, hypotheses: int) -> Counts:
    """Sums of precision and recall over the pairs, by the numbers of hypotheses and references.

    Where a case has several partners (many-to-one, many-to-many) its best counts.
    """
    recall = _best(pairs.reference, pairs.recall) / references if references else nan
    precision = _best(pairs.hypothesis, pairs.precision) / hypotheses if hypotheses else nan
    return Counts(precision, recall, harmonic(precision, recall))


def traditional(pairs: ScoredPairs, *, references: int, hypotheses: int) -> Counts:
    """Shares of hypotheses and of references that have a partner."""
    recall = len(np.unique(pairs.reference)) / references if references else nan
    precision = len(np.unique(pairs.hypothesis)) / hypotheses if hypotheses else nan
    return Counts(precision, recall, harmonic(precision, recall))


def mean_pair_f(pairs: ScoredPairs, *, references: int, hypotheses: int) -> float:
    """Mean F over the pairs of the padded matrix, null pairs as zero."""
    cases = max(references, hypotheses)
    return float(np.sum(pairs.f)) / cases if cases else nan


def assessed_cost(pairs: ScoredPairs, *, false_negative: Floats, false_positive: Floats) -> AssessedCost:
    r"""Cost of what a set of hypotheses says too much and too little.

    A pair costs :math:`(1 - P)\,c^+ + (1 - R)\,c^-`; a hypothesis alone :math:`c^+`, a reference alone :math:`c^-`.
    NAC divides by the :math:`c^-` of all references, the cost of no hypotheses at all; it can exceed one.

    `false_negative` is the cost of missing each reference, `false_positive` of each hypothesis if it is false.
    """
    saved = false_positive[pairs.hypothesis] * pairs.precision + false_negative[pairs.reference] * pairs.recall
    silence = float(false_negative.sum())
    assessed = silence + float(false_positive.sum()) - float(saved.sum())
    nac = assessed / silence if silence > 0 else nan
    return AssessedCost(assessed, nac, 1 - nac)


def _best(place: Integers, values: Floats) -> float:
    if len(place) == 0:
        return 0.0
    order = np.lexsort((-values, place))
    _, first = np.unique(place[order], return_index=True)
    return float(values[order][first].sum())
