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
def compare(i: int, j: int, reference: Side, hypothesis: Side, credits: Credits) -> tuple[float, float]:
    """Object-oriented recall and precision of one pair: contributions over bases, 0 for a case that says nothing."""
    recall, precision = shared_tokens(i, j, reference, hypothesis, credits)
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


@njit(cache=True, nogil=True)
def needed(i: int, reference: Side, threshold: float) -> Any:
    """Recall contribution below which F cannot reach the threshold, as precision is at most 1."""
    return reference.basis[i] * threshold / (2.0 - threshold)


@njit(cache=True, nogil=True)
def generators(i: int, reference: Side, index: Index, credits: Credits, rule: Rule) -> tuple[Any, ...]:
    """Values of case ``i`` that can lead to candidates, the most common left out while the rest must still be shared.

    Below a certain recall contribution F cannot reach the threshold; values that together weigh less cannot bring a
    pair there alone, so the pairs that share nothing but them are no candidates and are never looked at.
    """
    need = needed(i, reference, rule.threshold)
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
    dropped = 0.0
    for token in range(tokens):
        code = reference.codes[reference.start[i] + token]
        kind[token] = 0
        if rule.common_token[code]:
            dropped += credits.recall[code]
            continue
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
        if rule.common_number[row]:
            dropped += credits.number_weight[row]
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
        if rule.common_table[row]:
            dropped += credits.table_weight[row] * (reference.table_start[row, i + 1] - reference.table_start[row, i])
            continue
        for position in range(reference.table_start[row, i], reference.table_start[row, i + 1]):
            code = reference.table_codes[position]
            best = 0.0
            for entry in range(credits.table_start[code], credits.table_start[code + 1]):
                column = credits.table_column[entry]
                count[each] += index.table_start[column + 1] - index.table_start[column]
                best = max(best, credits.table_recall[entry])
            weight[each] += credits.table_weight[row] * best
    keep = np.ones(size, np.bool_)
    for each in np.argsort(-count):
        if count[each] == 0:
            keep[each] = False
        elif dropped + weight[each] < need - SLACK:
            dropped += weight[each]
            keep[each] = False
    return kind, place, first, last, count, keep


@njit(cache=True, nogil=True)
def work(reference: Side, index: Index, credits: Credits, rule: Rule) -> float:
    """How many pairs would be looked at."""
    total = 0.0
    for i in range(len(reference.basis)):
        if rule.skip_reference[i]:
            continue
        _, _, _, _, count, keep = generators(i, reference, index, credits, rule)
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
        kind, place, first, last, _, keep = generators(i, reference, index, credits, rule)
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
    begin: int,
    end: int,
    reference: Side,
    hypothesis: Side,
    index: Index,
    credits: Credits,
    rule: Rule,
    matrix: Floats,
) -> tuple[Any, ...]:
    """Worth of every pair of references ``begin`` to ``end``, written into `matrix`; else as `sparse_block`."""
    width = len(hypothesis.basis)
    counts = np.zeros(end - begin, np.int64)
    best_recall = np.zeros(end - begin)
    best_precision = np.zeros(width)
    popular = np.zeros(width, np.int64)
    recall = np.zeros(width)
    precision = np.zeros(width)
    free = len(reference.low) == 0 and len(reference.same) == 0
    for i in range(begin, end):
        if rule.skip_reference[i]:
            matrix[i] = 0.0
            continue
        compare_row(i, reference, hypothesis, index, credits, recall, precision)
        for j in range(width):
            gain = worth(i, j, recall[j], precision[j], rule)
            if gain > 0.0 and not rule.skip_hypothesis[j] and (free or allowed(i, j, reference, hypothesis)):
                matrix[i, j] = gain
                counts[i - begin] += 1
                popular[j] += 1
                best_recall[i - begin] = max(best_recall[i - begin], recall[j])
                best_precision[j] = max(best_precision[j], precision[j])
            else:
                matrix[i, j] = 0.0
    return counts, best_recall, best_precision, popular


@njit(cache=True, nogil=True)
def above_prices(
    rows: Integers,
    columns: Integers,
    reference: Side,
    hypothesis: Side,
    index: Index,
    credits: Credits,
    rule: Rule,
    row_price: Floats,
    column_price: Floats,
    row_bound: Floats,
    margin: float,
    keep: int,
) -> tuple[Integers, Integers, Floats]:
    """Of listed rows and columns, the candidates worth more than their prices by `margin`; at most `keep` per row.

    Columns come cheapest first, and a row looks no further than where the prices cover all that it can be worth.
    Among equals the columns that each row meets first are kept, and rows begin at different columns.
    """
    counts = np.zeros(len(rows), np.int64)
    found = np.empty(1024, np.int64)
    worths = np.empty(1024)
    filled = 0
    width = len(hypothesis.basis)
    recalls = np.zeros(width)
    precisions = np.zeros(width)
    excess = np.zeros(max(keep, 1))
    slots = np.zeros(max(keep, 1), np.int64)
    prices = column_price[columns]
    for place in range(len(rows)):
        i = rows[place]
        last = np.searchsorted(prices, row_bound[i] - row_price[i] + 1e-9, side="right")
        if last == 0:
            continue
        whole = last > width // 32
        if whole:
            compare_row(i, reference, hypothesis, index, credits, recalls, precisions)
        offset = (place * 7919) % last
        held = 0
        for step in range(last):
            position = step + offset
            if position >= last:
                position -= last
            j = columns[position]
            if whole:
                recall, precision = recalls[j], precisions[j]
            else:
                recall, precision = compare(i, j, reference, hypothesis, credits)
            gain = worth(i, j, recall, precision, rule)
            over = gain - row_price[i] - column_price[j]
            if gain <= 0.0 or over <= margin or not allowed(i, j, reference, hypothesis):
                continue
            if keep > 0 and held == keep:
                least = np.argmin(excess)
                if over > excess[least] + SLACK:
                    excess[least] = over
                    found[slots[least]] = j
                    worths[slots[least]] = gain
                continue
            if filled == len(found):
                found = np.concatenate((found, np.empty(len(found), np.int64)))
                worths = np.concatenate((worths, np.empty(len(worths))))
            if keep > 0:
                excess[held] = over
                slots[held] = filled
                held += 1
            found[filled] = j
            worths[filled] = gain
            filled += 1
            counts[place] += 1
    return counts, found[:filled].copy(), worths[:filled].copy()
