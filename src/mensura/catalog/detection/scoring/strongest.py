"""The largest entries of every row and of every column."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mensura.catalog.detection.scoring.arrays import Floats, Integers


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
                insert(row_value[i], by_row[i], value, j)
            if value > column_value[j, 0]:
                insert(column_value[j], by_column[j], value, i)
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
                insert(values, names, worth[entry], entry)
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
            insert(values[columns[entry]], names[columns[entry]], worth[entry], entry)
    chosen = np.zeros(len(columns), np.bool_)
    for j in range(width):
        for entry in names[j]:
            if entry >= 0:
                chosen[entry] = True
    return chosen


@njit(cache=True, nogil=True)
def insert(smallest_first: Floats, names: Integers, value: float, name: int) -> None:
    place = 0
    while place + 1 < len(smallest_first) and smallest_first[place + 1] < value:
        smallest_first[place] = smallest_first[place + 1]
        names[place] = names[place + 1]
        place += 1
    smallest_first[place] = value
    names[place] = name


@njit(cache=True, nogil=True)
def flagged_entries(
    start: Integers, columns: Integers, worth: Floats, flags: NDArray[np.bool_]
) -> tuple[Integers, Integers, Floats]:
    """Only the flagged entries of sparse rows, as sparse rows."""
    total = 0
    for entry in range(len(flags)):
        total += flags[entry]
    kept = np.zeros(len(start), np.int64)
    found = np.empty(total, np.int64)
    values = np.empty(total)
    filled = 0
    for i in range(len(start) - 1):
        for entry in range(start[i], start[i + 1]):
            if flags[entry]:
                found[filled] = columns[entry]
                values[filled] = worth[entry]
                filled += 1
        kept[i + 1] = filled
    return kept, found, values


@njit(cache=True, nogil=True)
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
