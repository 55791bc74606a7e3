"""The inner loops that look beyond the listed candidates: above prices, and for summaries of all pairs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.scores.matching.arrays import Admission, Cases, Floats, Integers, Sides
from mensura.scores.matching.compiled import compiled
from mensura.scores.matching.kernels import SLACK, compare_case, compare_row, curve_credit, f_value, worth
from mensura.scores.matching.searching import generators


@compiled
def above_prices(
    rows: Integers,
    columns: Integers,
    holders: tuple[Integers, Integers, Integers],
    sides: Sides,
    cases: Cases,
    rule: Admission,
    row_price: Floats,
    column_price: Floats,
    row_bound: Floats,
    margin: float,
    keep: int,
) -> tuple[Integers, Integers, Floats]:
    """Of listed rows and columns, the candidates worth more than their prices by `margin`; at most `keep` per row.

    Columns come cheapest first, and a row looks no further than where the prices cover all that it can be worth; where
    fewer share a value with it than that, it looks at these (`rule` then flags nothing as common). `holders` are the
    place of every case in `columns`, beyond all others if it is not listed, and the places of the cases that hold each
    token, as start and places in order. Among equals the columns that
    each row meets first are kept, and rows begin at different columns.
    """
    counts = np.zeros(len(rows), np.int64)
    found = np.empty(1024, np.int64)
    worths = np.empty(1024)
    filled = 0
    width = len(sides.hypothesis.basis)
    recalls = np.zeros(width)
    precisions = np.zeros(width)
    nothing = np.empty(0)
    excess = np.zeros(max(keep, 1))
    slots = np.zeros(max(keep, 1), np.int64)
    prices = column_price[columns]
    rank, held_start, held_places = holders
    case_of_row, order = cases.case_of_row, sides.postings.order
    plain = np.all(cases.probability == 1.0) and len(sides.reference.low) == 0 and len(sides.reference.same) == 0
    # Which row met each column last.
    met = np.full(len(column_price), -1)
    near = np.empty(len(column_price), np.int64)
    for place in range(len(rows)):
        i = rows[place]
        room = row_bound[i] - row_price[i] - margin
        last = np.searchsorted(prices, room, side="right")
        if last == 0:
            continue
        scores = (nothing, nothing)
        kind, held_by, first, end, count, use = generators(i, sides, rule)
        for each in range(len(kind)):
            if use[each] and kind[each] == 0:
                first[each], end[each] = held_start[held_by[each]], held_start[held_by[each] + 1]
                end[each] = first[each] + np.searchsorted(held_places[first[each] : end[each]], last)
                count[each] = end[each] - first[each]
        many = 0
        if not np.any(use & (kind == 2)) and count[use].sum() < last:
            for each in range(len(kind)):
                size = count[each] if use[each] else 0
                for step in range(size):
                    at = first[each] + (step + place * 7919) % size
                    if kind[each] == 0:
                        j = columns[held_places[at]]
                    else:
                        j = case_of_row[order[held_by[each], at]]
                    if rank[j] < last and met[j] != place:
                        met[j] = place
                        near[many] = j
                        many += 1
        else:
            many = last
            offset = (place * 7919) % last
            near[: last - offset] = columns[offset:last]
            near[last - offset : last] = columns[:offset]
        # Comparing with all at once costs as much as comparing with one in so many.
        if (many == last and many > width // 32) or (keep == 0 and many > width // 512):
            compare_row(i, sides, recalls, precisions)
            scores = (recalls, precisions)
        held, least = 0, np.int64(0)
        for j in near[:many]:
            if keep > 0 and held == keep and room + margin - column_price[j] <= excess[least] + SLACK:
                continue
            if plain and len(scores[0]) > 0:
                gain = worth(i, j, recalls[j], precisions[j], f_value(recalls[j], precisions[j]), rule)
            else:
                _, _, gain = compare_case(i, j, cases, sides, rule, scores)
            over = gain - row_price[i] - column_price[j]
            if gain <= 0.0 or over <= margin:
                continue
            if keep > 0 and held == keep:
                if over > excess[least] + SLACK:
                    excess[least] = over
                    found[slots[least]] = j
                    worths[slots[least]] = gain
                    least = np.argmin(excess)
                continue
            if filled == len(found):
                found = np.concatenate((found, np.empty(len(found), np.int64)))
                worths = np.concatenate((worths, np.empty(len(worths))))
            if keep > 0:
                excess[held] = over
                slots[held] = filled
                held += 1
                least = np.argmin(excess[:held])
            found[filled] = j
            worths[filled] = gain
            filled += 1
            counts[place] += 1
    return counts, found[:filled].copy(), worths[:filled].copy()


@compiled
def survey_block(
    begin: int,
    end: int,
    sides: Sides,
    cases: Cases,
    rule: Admission,
    settled_column: NDArray[np.bool_],
    recall_wanted: Floats,
    precision_wanted: Floats,
    gain_wanted: Floats,
    counting: bool,
) -> tuple[Any, ...]:
    """Look at every candidate of references ``begin`` to ``end`` and keep none.

    Gives, by row, the number of candidates and the best recall, and by column the number, the best precision, the
    greatest worth and the first row that has it. Where `counting`, sharing anything makes a candidate, and a pair is
    compared only until its row and its column have all that is wanted, the most that pairs not listed could give.
    """
    reference, _, postings, credits = sides
    width = len(cases.first_row) - 1
    counts = np.zeros(end - begin, np.int64)
    best_recall = np.zeros(end - begin)
    popular = np.zeros(width, np.int64)
    best_precision = np.zeros(width)
    best_gain = np.zeros(width)
    best_row = np.full(width, -1, np.int64)
    # Side by side, so that a look fetches them at once: when last met, how often, and whether it must be compared.
    state = np.zeros((width, 4), np.int32)
    state[:, 0] = -1
    for j in range(width):
        state[j, 2] = not settled_column[j]
    touched = np.empty(width, np.int64)
    nothing = (np.empty(0), np.empty(0))
    definite = len(cases.case_of_row) == width
    for i in range(begin, end):
        if rule.skip_reference[i]:
            continue
        kind, place, first, last, _, keep = generators(i, sides, rule)
        every = not counting or recall_wanted[i] > 0.0
        many, met = 0, 0
        for each in range(len(kind)):
            if not keep[each]:
                continue
            if kind[each] == 0:
                if credits.recall[place[each]] > 0.0 and credits.precision[place[each]] > 0.0:
                    rows = postings.cases[first[each] : last[each]]
                    many, met = _touch(rows, i, cases, definite, rule, state, touched, every, many, met)
            elif kind[each] == 1:
                low, high = positive_window(i, place[each], first[each], last[each], sides)
                rows = postings.order[place[each], low:high]
                many, met = _touch(rows, i, cases, definite, rule, state, touched, every, many, met)
            else:
                row = place[each]
                for code in reference.table_codes[reference.table_start[row, i] : reference.table_start[row, i + 1]]:
                    for column in credits.table_column[credits.table_start[code] : credits.table_start[code + 1]]:
                        rows = postings.table_cases[postings.table_start[column] : postings.table_start[column + 1]]
                        many, met = _touch(rows, i, cases, definite, rule, state, touched, every, many, met)
        if counting:
            counts[i - begin] = met
        for j in touched[:many]:
            if counting and state[j, 2] == 0 and best_recall[i - begin] >= recall_wanted[i]:
                continue
            recall, precision, gain = compare_case(i, j, cases, sides, rule, nothing)
            if gain <= 0.0:
                continue
            if not counting:
                counts[i - begin] += 1
                popular[j] += 1
            best_recall[i - begin] = max(best_recall[i - begin], recall)
            best_precision[j] = max(best_precision[j], precision)
            if gain > best_gain[j]:
                best_gain[j] = gain
                best_row[j] = i
            if best_gain[j] >= gain_wanted[j] and best_precision[j] >= precision_wanted[j]:
                state[j, 2] = 0
    if counting:
        popular[:] = state[:, 1]
    return counts, best_recall, popular, best_precision, best_gain, best_row


@compiled
def _touch(
    rows: Integers,
    i: int,
    cases: Cases,
    definite: bool,
    rule: Admission,
    state: Any,
    touched: Integers,
    every: bool,
    many: int,
    met: int,
) -> tuple[int, int]:
    """Meet the cases of some rows: count those met for the first time, and note those that must be compared."""
    for row in rows:
        if definite:
            j = row
        elif cases.probability[row] > 0.0:
            j = cases.case_of_row[row]
        else:
            continue
        if state[j, 0] == i or rule.skip_hypothesis[j]:
            continue
        state[j, 0] = i
        state[j, 1] += 1
        met += 1
        if every or state[j, 2] > 0:
            touched[many] = j
            many += 1
    return many, met


@compiled
def positive_window(i: int, row: int, first: int, last: int, sides: Sides) -> tuple[int, int]:
    """Narrow a window of near numbers to those that earn something: at the very edge a curve may be down to zero."""
    value, ordered = sides.reference.numbers[row, i], sides.postings.ordered[row]
    nominal, curve = sides.credits.nominal[row], sides.credits.curve[row]
    while first < last and curve_credit(abs(value - ordered[first]) / nominal, curve) <= 0.0:
        first += 1
    while first < last and curve_credit(abs(value - ordered[last - 1]) / nominal, curve) <= 0.0:
        last -= 1
    return first, last
