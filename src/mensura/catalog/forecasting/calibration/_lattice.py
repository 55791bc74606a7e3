"""The compiled loop that adds questions on a lattice; imported only where it is needed."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def convolve(shifts: NDArray[np.int64], chances: NDArray[np.float64], points: int) -> Any:
    """Give the weights of totals: each question moves all weight by its shifts with its chances.

    What would leave the lattice is gathered at its ends. Only the part in use is walked.
    """
    weights = np.zeros(points)
    fresh = np.zeros(points)
    first, last = points // 2, points // 2
    weights[first] = 1.0
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
            if chance <= 0:
                continue
            shift = shifts[question, outcome]
            low = min(max(first, -shift), last + 1)
            high = max(min(last, points - 1 - shift), low - 1)
            # Views that start at zero let the compiler use wide instructions.
            source = weights[low : high + 1]
            target = fresh[low + shift : high + 1 + shift]
            for place in range(source.shape[0]):
                target[place] += chance * source[place]
            for place in range(first, low):
                fresh[0] += chance * weights[place]
            for place in range(high + 1, last + 1):
                fresh[points - 1] += chance * weights[place]
        weights, fresh = fresh, weights
        first, last = begin, end
    return weights
