"""The inner loops over entries of sparse rows; a full matrix has no list of columns, as they follow from the place."""

import heapq
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.scores.matching.arrays import Floats, Integers
from mensura.scores.matching.compiled import compiled


@compiled
def column_of(entry: int, start: Integers, columns: Integers, i: int) -> Any:
    """Column of an entry of row ``i``."""
    return columns[entry] if len(columns) > 0 else np.int64(entry) - start[i]


@compiled
def greedy_matching(start: Integers, columns: Integers, worth: Floats, width: int) -> Integers:
    """Take the largest entry whose row and column are both free, again and again; ties go to the first row."""
    height = len(start) - 1
    partner = np.full(height, -1, np.int64)
    taken = np.zeros(width, np.bool_)
    heap: Any = [(-np.inf, np.int64(i), np.int64(-1)) for i in range(height)]
    while len(heap) > 0:
        _, i, last = heapq.heappop(heap)
        if last >= 0 and not taken[column_of(last, start, columns, i)]:
            partner[i] = column_of(last, start, columns, i)
            taken[partner[i]] = True
            continue
        best = np.int64(-1)
        # What was equal and came before is taken, and so is what was better: among many equals only the rest are met.
        for entry in range(last + 1 if last >= 0 else start[i + 1], start[i + 1]):
            if worth[entry] == worth[last] and not taken[column_of(entry, start, columns, i)]:
                best = np.int64(entry)
                break
        for entry in range(start[i] if best < 0 else start[i + 1], start[i + 1]):
            better = worth[entry] > 0 if best < 0 else worth[entry] > worth[best]
            if better and not taken[column_of(entry, start, columns, i)]:
                best = np.int64(entry)
        if best >= 0:
            heapq.heappush(heap, (-worth[best], i, best))
    return partner


@compiled
def flag_strongest(
    start: Integers, columns: Integers, worth: Floats, offset: Integers, width: int, keep: int
) -> NDArray[np.bool_]:
    """Flag the `keep` largest entries of every row and column; of equals, those met first, rows from their offset."""
    chosen = np.zeros(len(worth), np.bool_)
    values = np.zeros(keep)
    names = np.full(keep, -1, np.int64)
    column_values = np.zeros((width, keep))
    column_names = np.full((width, keep), -1, np.int64)
    for i in range(len(start) - 1):
        values[:] = 0.0
        names[:] = -1
        first = start[i] + offset[i]
        for step in range(start[i + 1] - start[i]):
            entry = first + step
            if entry >= start[i + 1]:
                entry -= start[i + 1] - start[i]
            if worth[entry] > values[0]:
                _insert(values, names, worth[entry], entry)
        for entry in range(start[i], start[i + 1]):
            j = column_of(entry, start, columns, i)
            if worth[entry] > column_values[j, 0]:
                _insert(column_values[j], column_names[j], worth[entry], entry)
        for entry in names:
            if entry >= 0:
                chosen[entry] = True
    for j in range(width):
        for entry in column_names[j]:
            if entry >= 0:
                chosen[entry] = True
    return chosen


@compiled
def _insert(smallest_first: Floats, names: Integers, value: float, name: int) -> None:
    place = 0
    while place + 1 < len(smallest_first) and smallest_first[place + 1] < value:
        smallest_first[place] = smallest_first[place + 1]
        names[place] = names[place + 1]
        place += 1
    smallest_first[place] = value
    names[place] = name


@compiled
def best_rows(start: Integers, columns: Integers, worth: Floats, width: int) -> tuple[Integers, Floats]:
    """For each column the row of its greatest sparse entry, the first of equals, -1 for none; and the entry."""
    row = np.full(width, -1, np.int64)
    value = np.zeros(width)
    for i in range(len(start) - 1):
        for entry in range(start[i], start[i + 1]):
            if worth[entry] > value[columns[entry]]:
                value[columns[entry]] = worth[entry]
                row[columns[entry]] = i
    return row, value
