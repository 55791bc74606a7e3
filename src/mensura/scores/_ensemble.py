"""The compiled loop over ensembles; imported only by the function that needs it."""

import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

SMALL = 24
"""Up to this many members, insertion sort in a local row beats the general sort."""


@numba.njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator, unused-ignore]
def crps_rows(members: NDArray[np.float64], outcomes: NDArray[np.float64], fair: bool) -> Any:
    """Give the CRPS of each row: mean distance to the outcome less half the mean distance of pairs."""
    count, size = members.shape
    result = np.empty(count)
    row = np.empty(size)
    pairs = size * (size - 1) if fair else size * size
    for i in range(count):
        outcome = outcomes[i]
        distance = 0.0
        if size <= SMALL:
            for j in range(size):
                value = members[i, j]
                distance += math.fabs(value - outcome)
                place = j
                while place > 0 and row[place - 1] > value:
                    row[place] = row[place - 1]
                    place -= 1
                row[place] = value
        else:
            for j in range(size):
                value = members[i, j]
                row[j] = value
                distance += math.fabs(value - outcome)
            row.sort()
        spread = 0.0
        for j in range(size):
            spread += row[j] * (2 * j - size + 1)
        # Sorted, the sum over pairs of |x - x'| is twice the sum of x times its rank about the middle.
        result[i] = distance / size - spread / pairs
    return result
