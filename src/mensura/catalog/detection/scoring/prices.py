"""Entries held against the prices of a pairing: those that exceed them, and those that meet them exactly."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mensura.catalog.detection.scoring.arrays import Floats, Integers
from mensura.catalog.detection.scoring.strongest import insert

# Prices are sums of weights of order one, so a difference below this is rounding.
TOLERANCE = 1e-9


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
                insert(excess, names, over, j)
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
