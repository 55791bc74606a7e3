"""The inner loops of pairing two lists of values within two cases, by a table of credits."""

from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Credits, Floats, Integers
from mensura.scores.matching.compiled import compiled


@compiled
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


@compiled
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


@compiled
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
