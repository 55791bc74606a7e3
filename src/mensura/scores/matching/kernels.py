"""The inner loops of comparing cases, compiled; import this module only where cases are compared."""

from math import isnan
from typing import Any

import numpy as np
from numba import njit

from mensura.scores.matching.arrays import Admission, Cases, Credits, Floats, Integers, Postings, Side
from mensura.scores.matching.credit import CURVES
from mensura.scores.matching.local_pairing import table_credit

# A threshold is met by a value that differs from it only by rounding.
SLACK = 1e-12
# Of the curves in their order.
REACH = tuple(CURVES.values())


@njit(cache=True, nogil=True)
def curve_credit(ratio: float, curve: int) -> float:
    """Credit of a distance; see `Credit`."""
    if curve == 0:
        return max(0.0, 1.0 - ratio)
    if curve == 1:
        return max(0.0, 1.0 - ratio * ratio)
    if curve == 2:
        return 1.0 if ratio <= 1.0 else 0.0
    return 0.5**ratio if ratio <= 10.0 else 0.0


@njit(cache=True, nogil=True)
def shared_tokens(i: int, j: int, reference: Side, hypothesis: Side, credits: Credits) -> tuple[float, float]:
    """What the tokens that two cases share add to the contributions."""
    recall = 0.0
    precision = 0.0
    mine = reference.start[i]
    other = hypothesis.start[j]
    while mine < reference.start[i + 1] and other < hypothesis.start[j + 1]:
        first = reference.codes[mine]
        second = hypothesis.codes[other]
        if first == second:
            recall += credits.recall[first]
            precision += credits.precision[first]
            mine += 1
            other += 1
        elif first < second:
            mine += 1
        else:
            other += 1
    return recall, precision


@njit(cache=True, nogil=True)
def near_numbers(i: int, j: int, reference: Side, hypothesis: Side, credits: Credits) -> float:
    """What numbers and dates add to both contributions."""
    gained = 0.0
    for row in range(len(credits.number_weight)):
        distance = abs(reference.numbers[row, i] - hypothesis.numbers[row, j])
        if not isnan(distance):
            gained += credits.number_weight[row] * curve_credit(distance / credits.nominal[row], credits.curve[row])
    return gained


@njit(cache=True, nogil=True)
def paired_values(i: int, j: int, reference: Side, hypothesis: Side, credits: Credits) -> tuple[float, float]:
    """What values credited by a table add to the contributions."""
    recall = 0.0
    precision = 0.0
    for row in range(len(credits.table_weight)):
        gained_recall, gained_precision = table_credit(
            reference.table_codes[reference.table_start[row, i] : reference.table_start[row, i + 1]],
            hypothesis.table_codes[hypothesis.table_start[row, j] : hypothesis.table_start[row, j + 1]],
            credits,
        )
        recall += credits.table_weight[row] * gained_recall
        precision += credits.table_weight[row] * gained_precision
    return recall, precision


@njit(cache=True, nogil=True)
def over_bases(
    i: int, j: int, recall: float, precision: float, reference: Side, hypothesis: Side, credits: Credits
) -> tuple[float, float]:
    """Add to what shared tokens contribute what other values do, and divide by the bases; 0 for one that is silent."""
    near = near_numbers(i, j, reference, hypothesis, credits)
    recall += near
    precision += near
    if len(credits.table_weight) > 0:
        more_recall, more_precision = paired_values(i, j, reference, hypothesis, credits)
        recall += more_recall
        precision += more_precision
    recall = recall / reference.basis[i] if reference.basis[i] > 0 else 0.0
    precision = precision / hypothesis.basis[j] if hypothesis.basis[j] > 0 else 0.0
    return recall, precision


@njit(cache=True, nogil=True)
def compare(i: int, j: int, reference: Side, hypothesis: Side, credits: Credits) -> Any:
    """Object-oriented recall and precision of one pair: contributions over bases."""
    recall, precision = shared_tokens(i, j, reference, hypothesis, credits)
    return over_bases(i, j, recall, precision, reference, hypothesis, credits)


@njit(cache=True, nogil=True)
def compare_row(
    i: int, reference: Side, hypothesis: Side, index: Postings, credits: Credits, recall: Floats, precision: Floats
) -> None:
    """`compare` of one reference with every hypothesis, written into the arrays given."""
    recall[:] = 0.0
    precision[:] = 0.0
    for position in range(reference.start[i], reference.start[i + 1]):
        code = reference.codes[position]
        gained_recall, gained_precision = credits.recall[code], credits.precision[code]
        for place in range(index.start[code], index.start[code + 1]):
            j = index.cases[place]
            recall[j] += gained_recall
            precision[j] += gained_precision
    for row in range(len(credits.number_weight)):
        value = reference.numbers[row, i]
        if isnan(value):
            continue
        weight, nominal, curve = credits.number_weight[row], credits.nominal[row], credits.curve[row]
        known = index.ordered[row, : index.known[row]]
        reach = nominal * REACH[curve]
        first = np.searchsorted(known, value - reach, side="left")
        last = np.searchsorted(known, value + reach, side="right")
        for place in range(first, last):
            gained = weight * curve_credit(abs(value - known[place]) / nominal, curve)
            j = index.order[row, place]
            recall[j] += gained
            precision[j] += gained
    if len(credits.table_weight) > 0:
        for j in range(len(recall)):
            more_recall, more_precision = paired_values(i, j, reference, hypothesis, credits)
            recall[j] += more_recall
            precision[j] += more_precision
    basis = reference.basis[i]
    for j in range(len(recall)):
        recall[j] = recall[j] / basis if basis > 0 else 0.0
        precision[j] = precision[j] / hypothesis.basis[j] if hypothesis.basis[j] > 0 else 0.0


@njit(cache=True, nogil=True)
def allowed(i: int, j: int, reference: Side, hypothesis: Side) -> bool:
    """Whether the necessary conditions let these two be paired; a missing value cannot refuse."""
    for row in range(reference.low.shape[0]):
        if reference.low[row, i] > hypothesis.high[row, j] or hypothesis.low[row, j] > reference.high[row, i]:
            return False
    for row in range(reference.same.shape[0]):
        first = reference.same[row, i]
        second = hypothesis.same[row, j]
        if first >= 0 and second >= 0 and first != second:
            return False
    return True


@njit(cache=True, nogil=True)
def f_value(recall: float, precision: float) -> float:
    """Harmonic mean of recall and precision."""
    total = recall + precision
    return 2.0 * recall * precision / total if total > 0 else 0.0


@njit(cache=True, nogil=True)
def worth(i: int, j: int, recall: float, precision: float, f: float, rule: Admission) -> Any:
    """What the pairing gains by this pair, or 0 where it is no candidate."""
    if f <= 0.0 or f < rule.threshold - SLACK:
        return 0.0
    if rule.objective == 0:
        return f
    if rule.objective == 1:
        return recall
    return rule.false_positive[j] * precision + rule.false_negative[i] * recall


@njit(cache=True, nogil=True)
def compare_case(
    i: int, j: int, cases: Cases, reference: Side, hypothesis: Side, credits: Credits
) -> tuple[float, float, float, bool]:
    """Expected recall, precision and F of a pair over the alternatives of the hypothesis, and whether they may pair.

    They may if some alternative is allowed and shares something.
    """
    recall, precision, f, may = 0.0, 0.0, 0.0, False
    for row in range(cases.first_row[j], cases.first_row[j + 1]):
        one_recall, one_precision = compare(i, row, reference, hypothesis, credits)
        one_f = f_value(one_recall, one_precision)
        chance = cases.probability[row]
        recall += chance * one_recall
        precision += chance * one_precision
        f += chance * one_f
        may = may or (one_f > 0.0 and allowed(i, row, reference, hypothesis))
    return recall, precision, f, may


@njit(cache=True, nogil=True)
def compare_pairs(
    rows: Integers, columns: Integers, reference: Side, hypothesis: Side, credits: Credits
) -> tuple[Floats, Floats]:
    """Recall and precision of listed pairs."""
    recall = np.empty(len(rows))
    precision = np.empty(len(rows))
    for pair in range(len(rows)):
        recall[pair], precision[pair] = compare(rows[pair], columns[pair], reference, hypothesis, credits)
    return recall, precision
