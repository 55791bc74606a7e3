"""The inner loops of comparing cases, compiled; import this module only where cases are compared."""

from math import isnan
from typing import Any

import numpy as np
from numba import njit

from mensura.catalog.detection.scoring.arrays import Credits, Floats, Index, Integers, Rule, Side

# A threshold is met by a value that differs from it only by rounding.
SLACK = 1e-12
# Curves in the order of `credit.CURVES`, and how many nominal distances each reaches.
REACH = (1.0, 1.0, 1.0, 10.0)


@njit(cache=True, nogil=True)
def curve_credit(ratio: float, curve: int) -> float:
    """Credit of a distance; see `credit.curve`."""
    if curve == 0:
        return max(0.0, 1.0 - ratio)
    if curve == 1:
        return max(0.0, 1.0 - ratio * ratio)
    if curve == 2:
        return 1.0 if ratio <= 1.0 else 0.0
    return 0.5**ratio if ratio <= 10.0 else 0.0


@njit(cache=True, nogil=True)
def small_assignment(worth: Floats) -> Integers:
    """Pair rows with columns one-to-one to the greatest sum; -1 where a row has no partner (Kuhn-Munkres, n³)."""
    rows, columns = worth.shape
    size = max(rows, columns)
    row_price = np.zeros(size + 1)
    column_price = np.zeros(size + 1)
    owner = np.zeros(size + 1, np.int64)
    way = np.zeros(size + 1, np.int64)
    for row in range(1, size + 1):
        owner[0] = row
        column = 0
        least = np.full(size + 1, np.inf)
        used = np.zeros(size + 1, np.bool_)
        while owner[column] != 0:
            used[column] = True
            here = owner[column]
            delta = np.inf
            following = 0
            for other in range(1, size + 1):
                if used[other]:
                    continue
                inside = here <= rows and other <= columns
                cost = -worth[here - 1, other - 1] if inside else 0.0
                reduced = cost - row_price[here] - column_price[other]
                if reduced < least[other]:
                    least[other] = reduced
                    way[other] = column
                if least[other] < delta:
                    delta = least[other]
                    following = other
            for other in range(size + 1):
                if used[other]:
                    row_price[owner[other]] += delta
                    column_price[other] -= delta
                else:
                    least[other] -= delta
            column = following
        while column != 0:
            owner[column] = owner[way[column]]
            column = way[column]
    partner = np.full(rows, -1, np.int64)
    for column in range(1, columns + 1):
        row = owner[column]
        if 1 <= row <= rows and worth[row - 1, column - 1] > 0:
            partner[row - 1] = column - 1
    return partner


@njit(cache=True, nogil=True)
def table_entry(first: Any, second: Any, credits: Credits) -> Any:
    """Position of two values in the table of credits, -1 where they have none."""
    low = credits.table_start[first]
    high = credits.table_start[first + 1]
    while low < high:
        middle = (low + high) // 2
        if credits.table_column[middle] < second:
            low = middle + 1
        else:
            high = middle
    if low < credits.table_start[first + 1] and credits.table_column[low] == second:
        return low
    return -1


@njit(cache=True, nogil=True)
def table_credit(mine: Integers, other: Integers, credits: Credits) -> tuple[float, float]:
    """Recall and precision summed over the best one-to-one pairing of two lists of values."""
    recall = 0.0
    precision = 0.0
    if len(mine) == 0 or len(other) == 0:
        return recall, precision
    if len(mine) == 1 and len(other) == 1:
        entry = table_entry(mine[0], other[0], credits)
        if entry >= 0:
            return credits.table_recall[entry], credits.table_precision[entry]
        return recall, precision
    worth = np.zeros((len(mine), len(other)))
    for row in range(len(mine)):
        for column in range(len(other)):
            entry = table_entry(mine[row], other[column], credits)
            if entry >= 0:
                worth[row, column] = credits.table_f[entry]
    partner = small_assignment(worth)
    for row in range(len(mine)):
        if partner[row] >= 0:
            entry = table_entry(mine[row], other[partner[row]], credits)
            recall += credits.table_recall[entry]
            precision += credits.table_precision[entry]
    return recall, precision


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
    i: int, reference: Side, hypothesis: Side, index: Index, credits: Credits, recall: Floats, precision: Floats
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
def worth(i: int, j: int, recall: float, precision: float, rule: Rule) -> Any:
    """What the pairing gains by this pair, or 0 where it is no candidate."""
    f = f_value(recall, precision)
    if f <= 0.0 or f < rule.threshold - SLACK:
        return 0.0
    if rule.objective == 0:
        return f
    if rule.objective == 1:
        return recall
    return rule.false_positive[j] * precision + rule.false_negative[i] * recall


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
