"""The inner loops of comparing cases, compiled; import this module only where cases are compared."""

from math import isnan
from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Admission, Cases, Floats, Integers, Sides
from mensura.scores.matching.compiled import compiled, inlined
from mensura.scores.matching.credit import CURVES
from mensura.scores.matching.local_pairing import table_credit

# A threshold is met by a value that differs from it only by rounding.
SLACK = 1e-12
# Of the curves in their order.
REACH = tuple(CURVES.values())


@compiled
def curve_credit(ratio: float, curve: int) -> float:
    """Credit of a distance; see `Credit`."""
    if curve == 0:
        return max(0.0, 1.0 - ratio)
    if curve == 1:
        return max(0.0, 1.0 - ratio * ratio)
    if curve == 2:
        return 1.0 if ratio <= 1.0 else 0.0
    return 0.5**ratio if ratio <= 10.0 else 0.0


@compiled
def paired_values(i: int, j: int, sides: Sides) -> tuple[float, float]:
    """Return what the values credited by a table add to the contributions."""
    reference, hypothesis, _, credits = sides
    recall, precision = 0.0, 0.0
    for row in range(len(credits.table_weight)):
        gained_recall, gained_precision = table_credit(
            reference.table_codes[reference.table_start[row, i] : reference.table_start[row, i + 1]],
            hypothesis.table_codes[hypothesis.table_start[row, j] : hypothesis.table_start[row, j + 1]],
            credits,
        )
        recall += credits.table_weight[row] * gained_recall
        precision += credits.table_weight[row] * gained_precision
    return recall, precision


@compiled
def compare(i: int, j: int, sides: Sides) -> Any:
    """Object-oriented recall and precision of one pair: contributions over bases."""
    reference, hypothesis, _, credits = sides
    recall, precision, near = 0.0, 0.0, 0.0
    mine, other = reference.start[i], hypothesis.start[j]
    while mine < reference.start[i + 1] and other < hypothesis.start[j + 1]:
        first, second = reference.codes[mine], hypothesis.codes[other]
        if first == second:
            recall += credits.recall[first]
            precision += credits.precision[first]
        mine += first <= second
        other += first >= second
    for row in range(len(credits.number_weight)):
        distance = abs(reference.numbers[row, i] - hypothesis.numbers[row, j])
        if not isnan(distance):
            near += credits.number_weight[row] * curve_credit(distance / credits.nominal[row], credits.curve[row])
    recall += near
    precision += near
    if len(credits.table_weight) > 0:
        more_recall, more_precision = paired_values(i, j, sides)
        recall += more_recall
        precision += more_precision
    recall = recall / reference.basis[i] if reference.basis[i] > 0 else 0.0
    precision = precision / hypothesis.basis[j] if hypothesis.basis[j] > 0 else 0.0
    return recall, precision


@compiled
def window(i: int, row: int, sides: Sides) -> Any:
    """First and last place, in order, of the hypotheses whose number is within reach of a reference's."""
    value, credits = sides.reference.numbers[row, i], sides.credits
    reach = credits.nominal[row] * REACH[credits.curve[row]]
    known = sides.postings.ordered[row, : sides.postings.known[row]]
    first = np.searchsorted(known, value - reach, side="left")
    return first, np.searchsorted(known, value + reach, side="right")


@compiled
def compare_row(i: int, sides: Sides, recall: Floats, precision: Floats) -> None:
    """`compare` of one reference with every hypothesis, written into the arrays given."""
    reference, hypothesis, postings, credits = sides
    recall[:] = 0.0
    precision[:] = 0.0
    for code in reference.codes[reference.start[i] : reference.start[i + 1]]:
        gained_recall, gained_precision = credits.recall[code], credits.precision[code]
        for j in postings.cases[postings.start[code] : postings.start[code + 1]]:
            recall[j] += gained_recall
            precision[j] += gained_precision
    for row in range(len(credits.number_weight)):
        value = reference.numbers[row, i]
        if isnan(value):
            continue
        weight, nominal, curve = credits.number_weight[row], credits.nominal[row], credits.curve[row]
        first, last = window(i, row, sides)
        for place in range(first, last):
            gained = weight * curve_credit(abs(value - postings.ordered[row, place]) / nominal, curve)
            j = postings.order[row, place]
            recall[j] += gained
            precision[j] += gained
    basis = reference.basis[i]
    for j in range(len(recall)):
        if len(credits.table_weight) > 0:
            more_recall, more_precision = paired_values(i, j, sides)
            recall[j] += more_recall
            precision[j] += more_precision
        recall[j] = recall[j] / basis if basis > 0 else 0.0
        precision[j] = precision[j] / hypothesis.basis[j] if hypothesis.basis[j] > 0 else 0.0


@inlined
def allowed(i: int, j: int, sides: Sides) -> bool:
    """Return whether the necessary conditions let these two be paired; a missing value cannot refuse."""
    reference, hypothesis = sides.reference, sides.hypothesis
    for row in range(reference.low.shape[0]):
        if reference.low[row, i] > hypothesis.high[row, j] or hypothesis.low[row, j] > reference.high[row, i]:
            return False
    for row in range(reference.same.shape[0]):
        first, second = reference.same[row, i], hypothesis.same[row, j]
        if first >= 0 and second >= 0 and first != second:
            return False
    return True


@inlined
def f_value(recall: float, precision: float) -> float:
    """Harmonic mean of recall and precision."""
    total = recall + precision
    return 2.0 * recall * precision / total if total > 0 else 0.0


@inlined
def worth(i: int, j: int, recall: float, precision: float, f: float, rule: Admission) -> Any:
    """Return what the pairing gains by this pair, or 0 where it is not a candidate."""
    if f <= 0.0 or f < rule.threshold - SLACK:
        return 0.0
    if rule.objective == 0:
        return f
    if rule.objective == 1:
        return recall
    return rule.false_positive[j] * precision + rule.false_negative[i] * recall


@inlined
def compare_case(
    i: int, j: int, cases: Cases, sides: Sides, rule: Admission, row_scores: tuple[Floats, Floats]
) -> tuple[float, float, float]:
    """Expected recall and precision of a pair over the alternatives of the hypothesis, and what it is worth.

    It is a candidate if some alternative is allowed and shares something. `row_scores` are recall and precision of
    every alternative where `compare_row` found them before; empty where not.
    """
    recall, precision, f, may = 0.0, 0.0, 0.0, False
    recalls, precisions = row_scores
    for row in range(cases.first_row[j], cases.first_row[j + 1]):
        if len(recalls) > 0:
            one_recall, one_precision = recalls[row], precisions[row]
        else:
            one_recall, one_precision = compare(i, row, sides)
        one_f = f_value(one_recall, one_precision)
        chance = cases.probability[row]
        recall += chance * one_recall
        precision += chance * one_precision
        f += chance * one_f
        may = may or (one_f > 0.0 and allowed(i, row, sides))
    return recall, precision, worth(i, j, recall, precision, f, rule) if may else 0.0


@compiled
def compare_pairs(rows: Integers, columns: Integers, sides: Sides) -> tuple[Floats, Floats]:
    """Recall and precision of listed pairs."""
    recall = np.empty(len(rows))
    precision = np.empty(len(rows))
    for pair in range(len(rows)):
        recall[pair], precision[pair] = compare(rows[pair], columns[pair], sides)
    return recall, precision
