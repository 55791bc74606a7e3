"""The inner loops of comparison, compiled; import this module only where cases are compared."""

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
def compare(i: int, j: int, reference: Side, hypothesis: Side, credits: Credits) -> tuple[float, float]:
    """Object-oriented recall and precision of one pair: contributions over bases, 0 for a case that says nothing."""
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
    for row in range(len(credits.number_weight)):
        distance = abs(reference.numbers[row, i] - hypothesis.numbers[row, j])
        if not isnan(distance):
            gained = credits.number_weight[row] * curve_credit(distance / credits.nominal[row], credits.curve[row])
            recall += gained
            precision += gained
    for row in range(len(credits.table_weight)):
        gained_recall, gained_precision = table_credit(
            reference.table_codes[reference.table_start[row, i] : reference.table_start[row, i + 1]],
            hypothesis.table_codes[hypothesis.table_start[row, j] : hypothesis.table_start[row, j + 1]],
            credits,
        )
        recall += credits.table_weight[row] * gained_recall
        precision += credits.table_weight[row] * gained_precision
    recall = recall / reference.basis[i] if reference.basis[i] > 0 else 0.0
    precision = precision / hypothesis.basis[j] if hypothesis.basis[j] > 0 else 0.0
    return recall, precision


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


@njit(cache=True, nogil=True)
def generators(i: int, reference: Side, index: Index, credits: Credits, need: float) -> tuple[Any, ...]:
    """Values of case ``i`` that can lead to candidates, the most common left out while the rest must still be shared.

    A candidate needs a recall contribution of `need`; values that together weigh less cannot bring it there alone, so
    the pairs that share nothing but them are no candidates and are never looked at.
    """
    tokens = reference.start[i + 1] - reference.start[i]
    numbers = len(credits.number_weight)
    tables = len(credits.table_weight)
    size = tokens + numbers + tables
    kind = np.empty(size, np.int64)
    place = np.empty(size, np.int64)
    first = np.zeros(size, np.int64)
    last = np.zeros(size, np.int64)
    weight = np.zeros(size)
    count = np.zeros(size, np.int64)
    for token in range(tokens):
        code = reference.codes[reference.start[i] + token]
        kind[token] = 0
        place[token] = code
        first[token] = index.start[code]
        last[token] = index.start[code + 1]
        weight[token] = credits.recall[code]
        count[token] = last[token] - first[token]
    for row in range(numbers):
        each = tokens + row
        kind[each] = 1
        place[each] = row
        value = reference.numbers[row, i]
        if isnan(value):
            continue
        reach = credits.nominal[row] * REACH[credits.curve[row]]
        known = index.ordered[row, : index.known[row]]
        first[each] = np.searchsorted(known, value - reach, side="left")
        last[each] = np.searchsorted(known, value + reach, side="right")
        weight[each] = credits.number_weight[row]
        count[each] = last[each] - first[each]
    for row in range(tables):
        each = tokens + numbers + row
        kind[each] = 2
        place[each] = row
        for position in range(reference.table_start[row, i], reference.table_start[row, i + 1]):
            code = reference.table_codes[position]
            best = 0.0
            for entry in range(credits.table_start[code], credits.table_start[code + 1]):
                column = credits.table_column[entry]
                count[each] += index.table_start[column + 1] - index.table_start[column]
                best = max(best, credits.table_recall[entry])
            weight[each] += credits.table_weight[row] * best
    keep = np.ones(size, np.bool_)
    dropped = 0.0
    for each in np.argsort(-count):
        if count[each] == 0:
            keep[each] = False
        elif dropped + weight[each] < need - SLACK:
            dropped += weight[each]
            keep[each] = False
    return kind, place, first, last, count, keep


@njit(cache=True, nogil=True)
def needed(i: int, reference: Side, threshold: float) -> Any:
    """Recall contribution below which F cannot reach the threshold, as precision is at most 1."""
    return reference.basis[i] * threshold / (2.0 - threshold)


@njit(cache=True, nogil=True)
def work(reference: Side, index: Index, credits: Credits, rule: Rule) -> float:
    """How many pairs would be looked at."""
    total = 0.0
    for i in range(len(reference.basis)):
        if rule.skip_reference[i]:
            continue
        _, _, _, _, count, keep = generators(i, reference, index, credits, needed(i, reference, rule.threshold))
        for each in range(len(count)):
            if keep[each]:
                total += count[each]
    return total


@njit(cache=True, nogil=True)
def sparse_block(
    begin: int, end: int, reference: Side, hypothesis: Side, index: Index, credits: Credits, rule: Rule
) -> tuple[Any, ...]:
    """Candidates of references ``begin`` to ``end``: counts, columns, worth, best recall by row, and by column the best
    precision and the number of candidates.
    """
    width = len(hypothesis.basis)
    counts = np.zeros(end - begin, np.int64)
    columns = np.empty(1024, np.int64)
    worths = np.empty(1024)
    best_recall = np.zeros(end - begin)
    best_precision = np.zeros(width)
    popular = np.zeros(width, np.int64)
    seen = np.full(width, -1, np.int64)
    touched = np.empty(width, np.int64)
    filled = 0
    for i in range(begin, end):
        if rule.skip_reference[i]:
            continue
        kind, place, first, last, _, keep = generators(
            i, reference, index, credits, needed(i, reference, rule.threshold)
        )
        many = 0
        for each in range(len(kind)):
            if not keep[each]:
                continue
            if kind[each] < 2:
                for position in range(first[each], last[each]):
                    j = index.cases[position] if kind[each] == 0 else index.order[place[each], position]
                    if seen[j] != i:
                        seen[j] = i
                        touched[many] = j
                        many += 1
                continue
            row = place[each]
            for position in range(reference.table_start[row, i], reference.table_start[row, i + 1]):
                code = reference.table_codes[position]
                for entry in range(credits.table_start[code], credits.table_start[code + 1]):
                    column = credits.table_column[entry]
                    for slot in range(index.table_start[column], index.table_start[column + 1]):
                        j = index.table_cases[slot]
                        if seen[j] != i:
                            seen[j] = i
                            touched[many] = j
                            many += 1
        for j in np.sort(touched[:many]):
            if rule.skip_hypothesis[j] or not allowed(i, j, reference, hypothesis):
                continue
            recall, precision = compare(i, j, reference, hypothesis, credits)
            gain = worth(i, j, recall, precision, rule)
            if gain <= 0.0:
                continue
            if filled == len(columns):
                columns = np.concatenate((columns, np.empty(len(columns), np.int64)))
                worths = np.concatenate((worths, np.empty(len(worths))))
            columns[filled] = j
            worths[filled] = gain
            filled += 1
            counts[i - begin] += 1
            popular[j] += 1
            best_recall[i - begin] = max(best_recall[i - begin], recall)
            best_precision[j] = max(best_precision[j], precision)
    return counts, columns[:filled].copy(), worths[:filled].copy(), best_recall, best_precision, popular


@njit(cache=True, nogil=True)
def dense_block(
    begin: int, end: int, reference: Side, hypothesis: Side, credits: Credits, rule: Rule, matrix: Floats
) -> tuple[Any, ...]:
    """Worth of every pair of references ``begin`` to ``end``, written into `matrix`; else as `sparse_block`."""
    width = len(hypothesis.basis)
    counts = np.zeros(end - begin, np.int64)
    best_recall = np.zeros(end - begin)
    best_precision = np.zeros(width)
    popular = np.zeros(width, np.int64)
    for i in range(begin, end):
        if rule.skip_reference[i]:
            matrix[i] = 0.0
            continue
        for j in range(width):
            matrix[i, j] = 0.0
            if rule.skip_hypothesis[j] or not allowed(i, j, reference, hypothesis):
                continue
            recall, precision = compare(i, j, reference, hypothesis, credits)
            gain = worth(i, j, recall, precision, rule)
            if gain <= 0.0:
                continue
            matrix[i, j] = gain
            counts[i - begin] += 1
            popular[j] += 1
            best_recall[i - begin] = max(best_recall[i - begin], recall)
            best_precision[j] = max(best_precision[j], precision)
    return counts, best_recall, best_precision, popular
