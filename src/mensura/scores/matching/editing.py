"""The inner loop of edit distance between many strings."""

import numpy as np

from mensura.scores.matching.arrays import Floats, Integers
from mensura.scores.matching.compiled import compiled


@compiled
def edit_block(
    begin: int,
    end: int,
    start: Integers,
    letters: Integers,
    other_start: Integers,
    other_letters: Integers,
    at_least: float,
) -> tuple[Integers, Integers, Floats]:
    """One minus the Levenshtein distance over the longer length, where it is positive and at least so much."""
    rows = np.empty(1024, np.int64)
    columns = np.empty(1024, np.int64)
    values = np.empty(1024)
    filled = 0
    longest = 0
    for j in range(len(other_start) - 1):
        longest = max(longest, other_start[j + 1] - other_start[j])
    before = np.empty(longest + 1, np.int64)
    for i in range(begin, end):
        mine = letters[start[i] : start[i + 1]]
        for j in range(len(other_start) - 1):
            other = other_letters[other_start[j] : other_start[j + 1]]
            most = max(len(mine), len(other))
            if most > 0 and min(len(mine), len(other)) < at_least * most - 1e-9:
                continue
            value = 1.0 - _distance(mine, other, before) / most if most > 0 else 1.0
            if value <= 0.0 or value < at_least:
                continue
            if filled == len(rows):
                rows = np.concatenate((rows, np.empty(len(rows), np.int64)))
                columns = np.concatenate((columns, np.empty(len(columns), np.int64)))
                values = np.concatenate((values, np.empty(len(values))))
            rows[filled] = i
            columns[filled] = j
            values[filled] = value
            filled += 1
    return rows[:filled].copy(), columns[:filled].copy(), values[:filled].copy()


@compiled
def _distance(mine: Integers, other: Integers, before: Integers) -> int:
    for column in range(len(other) + 1):
        before[column] = column
    for row in range(len(mine)):
        diagonal = before[0]
        before[0] = row + 1
        for column in range(len(other)):
            above = before[column + 1]
            change = diagonal + (mine[row] != other[column])
            before[column + 1] = min(change, above + 1, before[column] + 1)
            diagonal = above
    return before[len(other)]  # type: ignore[no-any-return]
