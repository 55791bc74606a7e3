"""The inner loops of pairing: bids, shortest augmenting paths, greedy choice, and entries that prices do not cover."""

import heapq
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mensura.catalog.detection.scoring.arrays import Floats, Integers

# Prices are sums of weights of order one, so anything below these is rounding.
TOLERANCE = 1e-9
_ZERO = 1e-13


@njit(cache=True, nogil=True)
def bid(
    start: Integers,
    columns: Integers,
    worth: Floats,
    partner: Integers,
    owner: Integers,
    row_price: Floats,
    column_price: Floats,
) -> Integers:
    """Let rows bid for their best column against their second best (augmenting row reduction); give the losers.

    Columns start at price zero, and a column that was never taken keeps it.
    """
    height = len(start) - 1
    queue = np.arange(height)
    for _ in range(3):
        left = np.empty(height, np.int64)
        waiting = 0
        # Near ties could raise each other's price for ever; the paths settle what the bids leave.
        bids = 4 * height
        for position in range(len(queue)):
            i = queue[position]
            while i >= 0:
                first, second, best, other = 0.0, 0.0, -1, -1
                for entry in range(start[i], start[i + 1]):
                    value = worth[entry] - column_price[columns[entry]]
                    if value > first:
                        second, other = first, best
                        first, best = value, columns[entry]
                    elif value > second or (value == second and value > 0 and other >= 0 and owner[other] >= 0):
                        second, other = value, columns[entry]
                row_price[i] = second
                if best < 0:
                    break
                clear = first > second + _ZERO
                if not clear and owner[best] >= 0 and other >= 0:
                    best = other
                displaced = owner[best]
                if clear:
                    column_price[best] += first - second
                owner[best] = i
                partner[i] = best
                i = -1
                if displaced >= 0:
                    partner[displaced] = -1
                    bids -= 1
                    if clear and bids > 0:
                        i = displaced
                    else:
                        left[waiting] = displaced
                        waiting += 1
        queue = left[:waiting].copy()
    return queue


@njit(cache=True, nogil=True)
def augment(
    queue: Integers,
    start: Integers,
    columns: Integers,
    worth: Floats,
    partner: Integers,
    owner: Integers,
    row_price: Floats,
    column_price: Floats,
) -> None:
    """Place the rows of the queue, in the arrays given, by shortest paths of regret (Dijkstra with prices).

    A path ends at a free column, or at a row that had better stay alone. Prices stay such that row price + column
    price covers every entry and equals the worth of every pair taken.
    """
    height, width = len(partner), len(owner)
    distance = np.full(width, np.inf)
    before = np.full(width, -1, np.int64)
    done = np.zeros(width, np.bool_)
    row_distance = np.zeros(height)
    seen = np.empty(width, np.int64)
    rows = np.empty(height, np.int64)
    level = np.empty(width, np.int64)
    for each in range(len(queue)):
        root = queue[each]
        row_price[root] = 0.0
        for entry in range(start[root], start[root + 1]):
            row_price[root] = max(row_price[root], worth[entry] - column_price[columns[entry]])
        heap: Any = [(0.0, np.int64(-1))]
        heap.pop()
        many_seen, many_rows, many_level = 0, 1, 0
        rows[0] = root
        row_distance[root] = 0.0
        i = root
        alone = np.inf
        lonely = root
        last = np.int64(-1)
        length = 0.0
        while True:
            base = row_distance[i]
            if base + row_price[i] < alone:
                alone = base + row_price[i]
                lonely = i
            for entry in range(start[i], start[i + 1]):
                j = columns[entry]
                if done[j]:
                    continue
                regret = row_price[i] + column_price[j] - worth[entry]
                along = base + (regret if regret > _ZERO else 0.0)
                if along < distance[j] and along < alone:
                    if distance[j] == np.inf:
                        seen[many_seen] = j
                        many_seen += 1
                    distance[j] = along
                    before[j] = i
                    if along > base:
                        heapq.heappush(heap, (along, j))
                    elif owner[j] < 0:
                        last = j
                        break
                    else:
                        level[many_level] = j
                        many_level += 1
            if last >= 0:
                length = base
                break
            while many_level > 0 and last < 0:
                many_level -= 1
                if not done[level[many_level]]:
                    last = level[many_level]
            while len(heap) > 0 and last < 0:
                along, j = heapq.heappop(heap)
                if not done[j] and along <= distance[j]:
                    last = j
            if last < 0 or distance[last] >= alone:
                last = np.int64(-1)
                length = alone
                break
            length = distance[last]
            if owner[last] < 0:
                break
            done[last] = True
            i = owner[last]
            last = np.int64(-1)
            row_distance[i] = length
            rows[many_rows] = i
            many_rows += 1
        for place in range(many_rows):
            row = rows[place]
            row_price[row] = max(0.0, row_price[row] - (length - row_distance[row]))
        for place in range(many_seen):
            j = seen[place]
            if done[j]:
                column_price[j] += length - distance[j]
        if last < 0:
            last = partner[lonely]
            partner[lonely] = -1
            row_price[lonely] = 0.0
        while last >= 0:
            i = before[last]
            following = partner[i]
            partner[i] = last
            owner[last] = i
            last = following
        for place in range(many_seen):
            distance[seen[place]] = np.inf
            done[seen[place]] = False


@njit(cache=True, nogil=True)
def greedy_matching(start: Integers, columns: Integers, worth: Floats, width: int) -> Integers:
    """Take the largest entry whose row and column are both free, again and again; ties go to the first row."""
    height = len(start) - 1
    partner = np.full(height, -1, np.int64)
    taken = np.zeros(width, np.bool_)
    heap: Any = [(0.0, np.int64(-1), np.int64(-1))]
    heap.pop()
    for i in range(height):
        entry = best_entry(i, start, columns, worth, taken)
        if entry >= 0:
            heapq.heappush(heap, (-worth[entry], np.int64(i), entry))
    while len(heap) > 0:
        _, i, entry = heapq.heappop(heap)
        if not taken[columns[entry]]:
            taken[columns[entry]] = True
            partner[i] = columns[entry]
            continue
        entry = best_entry(i, start, columns, worth, taken)
        if entry >= 0:
            heapq.heappush(heap, (-worth[entry], i, entry))
    return partner


@njit(cache=True, nogil=True)
def best_entry(i: int, start: Integers, columns: Integers, worth: Floats, taken: Any) -> Any:
    """Largest entry of a row in a column that is free, or -1."""
    best = np.int64(-1)
    for entry in range(start[i], start[i + 1]):
        if worth[entry] > 0 and not taken[columns[entry]] and (best < 0 or worth[entry] > worth[best]):
            best = np.int64(entry)
    return best


@njit(cache=True, nogil=True)
def greedy_dense(matrix: Floats) -> Integers:
    """`greedy_matching` of a full matrix."""
    height, width = matrix.shape
    partner = np.full(height, -1, np.int64)
    taken = np.zeros(width, np.bool_)
    heap: Any = [(0.0, np.int64(-1), np.int64(-1))]
    heap.pop()
    for i in range(height):
        j = best_free(matrix[i], taken)
        if j >= 0:
            heapq.heappush(heap, (-matrix[i, j], np.int64(i), j))
    while len(heap) > 0:
        _, i, j = heapq.heappop(heap)
        if not taken[j]:
            taken[j] = True
            partner[i] = j
            continue
        j = best_free(matrix[i], taken)
        if j >= 0:
            heapq.heappush(heap, (-matrix[i, j], i, j))
    return partner


@njit(cache=True, nogil=True)
def best_free(row: Floats, taken: Any) -> Any:
    """Column of the largest positive entry that is free, or -1."""
    best = np.int64(-1)
    most = 0.0
    for j in range(len(row)):
        if row[j] > most and not taken[j]:
            most = row[j]
            best = np.int64(j)
    return best


@njit(cache=True, nogil=True)
def strongest(matrix: Floats, keep: int) -> tuple[Integers, Integers, Floats]:
    """The `keep` largest entries of every row and of every column, as sparse rows.

    Among equals, rows start looking at different columns and columns at different rows, so that equals are spread.
    """
    height, width = matrix.shape
    by_row = np.full((height, keep), -1, np.int64)
    by_column = np.full((width, keep), -1, np.int64)
    row_value = np.zeros((height, keep))
    column_value = np.zeros((width, keep))
    stride = 1 + int(0.618 * width)
    for turn in range(height):
        i = turn
        offset = (i * stride) % width
        for step in range(width):
            j = step + offset
            if j >= width:
                j -= width
            value = matrix[i, j]
            if value > row_value[i, 0]:
                _insert(row_value[i], by_row[i], value, j)
            if value > column_value[j, 0]:
                _insert(column_value[j], by_column[j], value, i)
    flags = np.zeros(height + 1, np.int64)
    for j in range(width):
        for slot in range(keep):
            if by_column[j, slot] >= 0:
                flags[by_column[j, slot] + 1] += 1
    first = np.cumsum(flags)
    filled = first[:-1].copy()
    chosen = np.empty(first[-1], np.int64)
    for j in range(width):
        for slot in range(keep):
            i = by_column[j, slot]
            if i >= 0:
                chosen[filled[i]] = j
                filled[i] += 1
    start = np.zeros(height + 1, np.int64)
    columns = np.empty(first[-1] + height * keep, np.int64)
    total = 0
    for i in range(height):
        both = np.unique(np.concatenate((by_row[i][by_row[i] >= 0], chosen[first[i] : first[i + 1]])))
        columns[total : total + len(both)] = both
        total += len(both)
        start[i + 1] = total
    columns = columns[:total].copy()
    values = np.empty(total)
    for i in range(height):
        for entry in range(start[i], start[i + 1]):
            values[entry] = matrix[i, columns[entry]]
    return start, columns, values


@njit(cache=True, nogil=True)
def _insert(smallest_first: Floats, names: Integers, value: float, name: int) -> None:
    place = 0
    while place + 1 < len(smallest_first) and smallest_first[place + 1] < value:
        smallest_first[place] = smallest_first[place + 1]
        names[place] = names[place + 1]
        place += 1
    smallest_first[place] = value
    names[place] = name


@njit(cache=True, nogil=True)
def uncovered(matrix: Floats, row_price: Floats, column_price: Floats, keep: int) -> tuple[Integers, Integers, Floats]:
    """Of every row the `keep` entries that exceed their prices most, as sparse rows; none proves the optimum."""
    height, width = matrix.shape
    start = np.zeros(height + 1, np.int64)
    columns = np.empty(1024, np.int64)
    filled = 0
    excess = np.zeros(keep)
    names = np.full(keep, -1, np.int64)
    for i in range(height):
        excess[:] = TOLERANCE
        names[:] = -1
        for j in range(width):
            over = matrix[i, j] - row_price[i] - column_price[j]
            if over > excess[0] and matrix[i, j] > 0:
                _insert(excess, names, over, j)
        if filled + keep > len(columns):
            columns = np.concatenate((columns, np.empty(len(columns), np.int64)))
        for j in np.sort(names):
            if j >= 0:
                columns[filled] = j
                filled += 1
        start[i + 1] = filled
    columns = columns[:filled].copy()
    values = np.empty(filled)
    for i in range(height):
        for entry in range(start[i], start[i + 1]):
            values[entry] = matrix[i, columns[entry]]
    return start, columns, values


@njit(cache=True, nogil=True)
def strongest_entries(start: Integers, worth: Floats, keep: int) -> NDArray[np.bool_]:
    """Flag the `keep` largest entries of every sparse row; of equals, those met first from a place of the row's own."""
    chosen = np.zeros(len(worth), np.bool_)
    values = np.zeros(keep)
    names = np.full(keep, -1, np.int64)
    for i in range(len(start) - 1):
        length = start[i + 1] - start[i]
        if length <= keep:
            chosen[start[i] : start[i + 1]] = True
            continue
        values[:] = 0.0
        names[:] = -1
        offset = (i * 7919) % length
        for step in range(length):
            entry = start[i] + (step + offset) % length
            if worth[entry] > values[0]:
                _insert(values, names, worth[entry], entry)
        for entry in names:
            if entry >= 0:
                chosen[entry] = True
    return chosen


@njit(cache=True, nogil=True)
def strongest_in_columns(columns: Integers, worth: Floats, width: int, keep: int) -> NDArray[np.bool_]:
    """Flag the `keep` largest entries of every column; of equals, those met first."""
    values = np.zeros((width, keep))
    names = np.full((width, keep), -1, np.int64)
    for entry in range(len(columns)):
        if worth[entry] > values[columns[entry], 0]:
            _insert(values[columns[entry]], names[columns[entry]], worth[entry], entry)
    chosen = np.zeros(len(columns), np.bool_)
    for j in range(width):
        for entry in names[j]:
            if entry >= 0:
                chosen[entry] = True
    return chosen


@njit(cache=True, nogil=True)
def above(
    start: Integers, columns: Integers, worth: Floats, row_price: Floats, column_price: Floats, margin: float
) -> NDArray[np.bool_]:
    """Flag the sparse entries worth more than the sum of their prices by a margin."""
    chosen = np.zeros(len(columns), np.bool_)
    for i in range(len(start) - 1):
        for entry in range(start[i], start[i + 1]):
            chosen[entry] = worth[entry] > row_price[i] + column_price[columns[entry]] + margin
    return chosen


@njit(cache=True, nogil=True)
def tight(matrix: Floats, row_price: Floats, column_price: Floats) -> tuple[Integers, Integers]:
    """Rows and columns of the entries that their prices meet exactly."""
    rows = np.empty(1024, np.int64)
    columns = np.empty(1024, np.int64)
    filled = 0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            if matrix[i, j] > 0 and matrix[i, j] > row_price[i] + column_price[j] - TOLERANCE:
                if filled == len(rows):
                    rows = np.concatenate((rows, np.empty(len(rows), np.int64)))
                    columns = np.concatenate((columns, np.empty(len(columns), np.int64)))
                rows[filled] = i
                columns[filled] = j
                filled += 1
    return rows[:filled].copy(), columns[:filled].copy()
