"""The compiled loops that add questions on a lattice; imported only where they are needed."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def convolve(shifts: NDArray[np.int64], chances: NDArray[np.float64], points: int) -> Any:
    """Return the weights of totals: each question moves all weight by its shifts with its chances.

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


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def spectrum(
    shifts: NDArray[np.int64], chances: NDArray[np.float64], counts: NDArray[np.int64], angles: NDArray[np.float64]
) -> Any:
    """Multiply the characteristic functions of all questions at each angle; of each kind there are so many."""
    kinds, outcomes = shifts.shape
    products = np.ones(len(angles), dtype=np.complex128)
    for k in range(len(angles)):
        angle = angles[k]
        real, imaginary = 1.0, 0.0
        for kind in range(kinds):
            own_real, own_imaginary = 0.0, 0.0
            for outcome in range(outcomes):
                chance = chances[kind, outcome]
                shift = shifts[kind, outcome]
                if chance <= 0:
                    continue
                if shift == 0:
                    own_real += chance
                else:
                    turned = angle * shift
                    own_real += chance * np.cos(turned)
                    own_imaginary += chance * np.sin(turned)
            if counts[kind] > 1:
                size = np.hypot(own_real, own_imaginary) ** counts[kind]
                turned = np.arctan2(own_imaginary, own_real) * counts[kind]
                own_real, own_imaginary = size * np.cos(turned), size * np.sin(turned)
            real, imaginary = (
                real * own_real - imaginary * own_imaginary,
                real * own_imaginary + imaginary * own_real,
            )
        products[k] = complex(real, imaginary)
    return products
