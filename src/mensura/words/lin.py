"""The loop of Lin's similarity over many words at once, compiled."""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def lin_matrix(
    above: Any, least: Any, start: Any, other_above: Any, other_least: Any, other_start: Any, information: Any
) -> Any:
    """Return the similarity of every word with every other, from sorted runs of all that they are.

    For a fixed common ancestor the best senses are those under it with the least information, so that one walk along
    two sorted runs gives the greatest over all pairs of senses.
    """
    rows, columns = len(start) - 1, len(other_start) - 1
    found = np.zeros((rows, columns))
    for row in range(rows):
        for column in range(columns):
            one, end = start[row], start[row + 1]
            two, other_end = other_start[column], other_start[column + 1]
            best = 0.0
            while one < end and two < other_end:
                if above[one] < other_above[two]:
                    one += 1
                elif above[one] > other_above[two]:
                    two += 1
                else:
                    whole = least[one] + other_least[two]
                    alike = 2 * information[above[one]] / whole if whole > 0 else 1.0
                    best = max(best, alike)
                    one += 1
                    two += 1
            found[row, column] = best
    return found
