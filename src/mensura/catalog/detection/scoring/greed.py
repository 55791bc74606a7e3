"""The inner loops of greedy pairing: the largest entry whose row and column are both free, again and again."""

import heapq
from typing import Any

import numpy as np
from numba import njit

from mensura.catalog.detection.scoring.arrays import Floats, Integers


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
