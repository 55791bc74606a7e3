"""The compiled loop that adds questions on a lattice; imported only where it is needed."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def convolve(shifts: NDArray[np.int64], chances: NDArray[np.float64], points: int) -> Any:
    """Give the weights of totals: each question moves all weight by its shifts with its chances."""
    weights = np.zeros(points)
    fresh = np.zeros(points)
    middle = points // 2
    weights[middle] = 1.0
    first, last = middle, middle
    for question in range(shifts.shape[0]):
        least, most = 0, 0
        for outcome in range(shifts.shape[1]):
            if chances[question, outcome] > 0:
                least = min(least, shifts[question, outcome])
                most = max(most, shifts[question, outcome])
        begin, end = max(0, first + least), min(points - 1, last + most)
        fresh[begin : end + 1] = 0.0
        for outcome in range(shifts.shape[1]):
            chance = chances[question, outcome]
            if chance > 0:
                shift = shifts[question, outcome]
                low, high = max(first, -shift), min(last, points - 1 - shift)
                for place in range(low, high + 1):
                    fresh[place + shift] += chance * weights[place]
                for place in range(first, min(low, last + 1)):
                    fresh[0] += chance * weights[place]
                for place in range(max(high + 1, first), last + 1):
                    fresh[points - 1] += chance * weights[place]
        weights, fresh = fresh, weights
        first, last = begin, end
    return weights
