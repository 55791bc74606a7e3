"""The inner loops of the search for candidates, compiled; import this module only where cases are compared."""

from math import isnan
from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Admission, Floats, Integers, Side, Sides
from mensura.scores.matching.compiled import compiled
from mensura.scores.matching.kernels import (
    SLACK,
    allowed,
    compare,
    compare_row,
    curve_credit,
    f_value,
    paired_values,
    window,
    worth,
)


@compiled
def generators(i: int, sides: Sides, rule: Admission) -> tuple[Any, ...]:
    """Values of case ``i`` that can lead to candidates, the most common left out while the rest must still be shared.

    Below a certain recall contribution F cannot reach the threshold, as precision is at most 1; values that together
    weigh less cannot bring a pair there alone, so the pairs that share nothing but them are no candidates and are
    never looked at.
    """
    reference, _, postings, credits = sides
    need = reference.basis[i] * rule.threshold / (2.0 - rule.threshold)
    tokens = reference.start[i + 1] - reference.start[i]
    numbers = len(credits.number_weight)
    tables = len(credits.table_weight)
    size = tokens + numbers + tables
    kind = np.zeros(size, np.int64)
    place = np.empty(size, np.int64)
    first = np.zeros(size, np.int64)
    last = np.zeros(size, np.int64)
    weight = np.zeros(size)
    dropped = 0.0
    for token in range(tokens):
        code = reference.codes[reference.start[i] + token]
        if rule.common_token[code]:
            dropped += credits.recall[code]
            continue
        place[token] = code
        first[token] = postings.start[code]
        last[token] = postings.start[code + 1]
        weight[token] = credits.recall[code]
    for row in range(numbers):
        each = tokens + row
        kind[each] = 1
        place[each] = row
        if isnan(reference.numbers[row, i]):
            continue
        if rule.common_number[row]:
            dropped += credits.number_weight[row]
            continue
        first[each], last[each] = window(i, row, sides)
        weight[each] = credits.number_weight[row]
    count = last - first
    for row in range(tables):
        each = tokens + numbers + row
        kind[each] = 2
        place[each] = row
        codes = reference.table_codes[reference.table_start[row, i] : reference.table_start[row, i + 1]]
        if rule.common_table[row]:
            dropped += credits.table_weight[row] * len(codes)
            continue
        for code in codes:
            best = 0.0
            for entry in range(credits.table_start[code], credits.table_start[code + 1]):
                column = credits.table_column[entry]
                count[each] += postings.table_start[column + 1] - postings.table_start[column]
                best = max(best, credits.table_recall[entry])
            weight[each] += credits.table_weight[row] * best
    keep = count > 0
    if need <= 0.0:
        return kind, place, first, last, count, keep
    for each in np.argsort(-count):
        if count[each] > 0 and dropped + weight[each] < need - SLACK:
            dropped += weight[each]
            keep[each] = False
    return kind, place, first, last, count, keep


@compiled
def work(sides: Sides, rule: Admission) -> float:
    """How many pairs would be looked at."""
    total = 0.0
    for i in range(len(sides.reference.basis)):
        if rule.skip_reference[i]:
            continue
        _, _, _, _, count, keep = generators(i, sides, rule)
        for each in range(len(count)):
            if keep[each]:
                total += count[each]
    return total


@compiled
def flagged_tokens(side: Side, flags: Any) -> tuple[Integers, Integers]:
    """Only the flagged tokens of each case, as start and codes."""
    flagged = flags[side.codes]
    before = np.zeros(len(flagged) + 1, np.int64)
    before[1:] = np.cumsum(flagged)
    return before[side.start], side.codes[flagged]


@compiled
def _gather(
    cases: Integers, i: int, gained: tuple[float, float], seen: Any, touched: Integers, sums: Floats, many: int
) -> int:
    """Add to the sums of some hypotheses, and note those met for the first time."""
    for j in cases:
        if seen[j] != i:
            seen[j] = i
            touched[many] = j
            many += 1
            sums[j, :] = 0.0
        sums[j, 0] += gained[0]
        sums[j, 1] += gained[1]
    return many


@compiled
def sparse_block(begin: int, end: int, sides: Sides, rule: Admission) -> tuple[Any, ...]:
    """Candidates of references ``begin`` to ``end``: counts, columns, worth, best recall by row, and by column the best
    precision and the number of candidates.

    Sums over the tokens that lead to a hypothesis are gathered on the way; fetching every pair's tokens from memory
    would take several times as long.
    """
    reference, hypothesis, postings, credits = sides
    width = len(hypothesis.basis)
    counts = np.zeros(end - begin, np.int64)
    columns = np.empty(1024, np.int64)
    worths = np.empty(1024)
    best_recall = np.zeros(end - begin)
    best_precision = np.zeros(width)
    popular = np.zeros(width, np.int64)
    seen = np.full(width, -1, np.int32)
    touched = np.empty(width, np.int64)
    sums = np.zeros((width, 2))
    numbers = len(credits.number_weight)
    # Basis and numbers of each hypothesis side by side, so that a look fetches them at once; -1 for one to skip.
    facts = np.empty((width, 1 + numbers))
    facts[:, 0] = np.where(rule.skip_hypothesis, -1.0, hypothesis.basis)
    facts[:, 1:] = hypothesis.numbers.T
    tables = len(credits.table_weight)
    free = len(reference.low) == 0 and len(reference.same) == 0
    filled = 0
    mine_start, mine_codes = flagged_tokens(reference, rule.common_token)
    other_start, other_codes = flagged_tokens(hypothesis, rule.common_token)
    for i in range(begin, end):
        if rule.skip_reference[i] or reference.basis[i] <= 0.0:
            continue
        kind, place, first, last, count, keep = generators(i, sides, rule)
        gathered = True
        many = 0
        for each in range(len(kind)):
            if not keep[each]:
                gathered = gathered and (kind[each] != 0 or count[each] == 0)
            elif kind[each] == 0:
                gained = credits.recall[place[each]], credits.precision[place[each]]
                many = _gather(postings.cases[first[each] : last[each]], i, gained, seen, touched, sums, many)
            elif kind[each] == 1:
                cases = postings.order[place[each], first[each] : last[each]]
                many = _gather(cases, i, (0.0, 0.0), seen, touched, sums, many)
            else:
                row = place[each]
                for code in reference.table_codes[reference.table_start[row, i] : reference.table_start[row, i + 1]]:
                    for column in credits.table_column[credits.table_start[code] : credits.table_start[code + 1]]:
                        cases = postings.table_cases[postings.table_start[column] : postings.table_start[column + 1]]
                        many = _gather(cases, i, (0.0, 0.0), seen, touched, sums, many)
        common = mine_start[i + 1] > mine_start[i]
        basis = reference.basis[i]
        for j in np.sort(touched[:many]):
            if facts[j, 0] <= 0.0 or not (free or allowed(i, j, sides)):
                continue
            if gathered:
                recall, precision = sums[j, 0], sums[j, 1]
                if common:
                    for position in range(mine_start[i], mine_start[i + 1]):
                        code = mine_codes[position]
                        for slot in range(other_start[j], other_start[j + 1]):
                            if other_codes[slot] == code:
                                recall += credits.recall[code]
                                precision += credits.precision[code]
                for row in range(numbers):
                    distance = abs(reference.numbers[row, i] - facts[j, 1 + row])
                    if not isnan(distance):
                        ratio = distance / credits.nominal[row]
                        near = credits.number_weight[row] * curve_credit(ratio, credits.curve[row])
                        recall += near
                        precision += near
                if tables > 0:
                    more_recall, more_precision = paired_values(i, j, sides)
                    recall += more_recall
                    precision += more_precision
                recall /= basis
                precision /= facts[j, 0]
            else:
                recall, precision = compare(i, j, sides)
            gain = worth(i, j, recall, precision, f_value(recall, precision), rule)
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


@compiled
def dense_block(begin: int, end: int, sides: Sides, rule: Admission, matrix: Floats) -> tuple[Any, ...]:
    """Worth of every pair of references ``begin`` to ``end``, written into `matrix`; else as `sparse_block`."""
    reference = sides.reference
    width = len(sides.hypothesis.basis)
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
        compare_row(i, sides, recall, precision)
        for j in range(width):
            gain = worth(i, j, recall[j], precision[j], f_value(recall[j], precision[j]), rule)
            if gain > 0.0 and not rule.skip_hypothesis[j] and (free or allowed(i, j, sides)):
                matrix[i, j] = gain
                counts[i - begin] += 1
                popular[j] += 1
                best_recall[i - begin] = max(best_recall[i - begin], recall[j])
                best_precision[j] = max(best_precision[j], precision[j])
            else:
                matrix[i, j] = 0.0
    return counts, best_recall, best_precision, popular
