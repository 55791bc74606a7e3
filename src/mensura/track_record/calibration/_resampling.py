"""The compiled loops of resampling; imported only where they are needed."""

from functools import cache
from math import exp, factorial
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)


@numba.njit(cache=True, nogil=True, inline="always")  # type: ignore[untyped-decorator, unused-ignore]
def _mix(state: Any) -> Any:
    """SplitMix64: a counter, well mixed; each resample has its own stream."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def multinomial_means(values: NDArray[np.float64], seeds: NDArray[np.uint64]) -> Any:
    """Draw as many values of each line as there are, with replacement, once per seed; give the means."""
    lines, size = values.shape
    bound = np.uint64(size)
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    means = np.zeros((len(seeds), lines))
    picked = np.zeros(size + 1, dtype=np.int64)
    for draw in range(len(seeds)):
        state = seeds[draw]
        for i in range((size + 1) // 2):
            state += STEP
            bits = _mix(state)
            picked[2 * i] = np.int64(((bits & low) * bound) >> half)
            picked[2 * i + 1] = np.int64(((bits >> half) * bound) >> half)
        for line in range(lines):
            total = 0.0
            for i in range(size):
                total += values[line, picked[i]]
            means[draw, line] = total / size
    return means


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def poisson_means(
    sums: NDArray[np.float64], counts: NDArray[np.float64], seeds: NDArray[np.uint64], table: NDArray[np.float64]
) -> Any:
    """Give each group a Poisson(1) weight, once per seed; give the weighted means of each line."""
    lines, size = sums.shape
    means = np.zeros((len(seeds), lines))
    mask, shift = np.uint64(0xFFFF), np.uint64(16)
    weights = np.zeros(size + 3)
    for draw in range(len(seeds)):
        state = seeds[draw]
        for i in range(0, size, 4):
            state += STEP
            bits = _mix(state)
            for k in range(4):
                weights[i + k] = table[np.int64(bits & mask)]
                bits >>= shift
        under = 0.0
        for i in range(size):
            under += weights[i] * counts[i]
        for line in range(lines):
            total = 0.0
            for i in range(size):
                # Zero times an infinite loss is nothing: that group was not drawn.
                if weights[i] > 0:
                    total += weights[i] * sums[line, i]
            means[draw, line] = total / under
    return means


@cache
def poisson_table() -> NDArray[np.float64]:
    """Return 65536 equally likely Poisson(1) weights."""
    chances = np.cumsum([exp(-1) / factorial(k) for k in range(12)])
    return np.searchsorted(chances, (np.arange(65536) + 0.5) / 65536).astype(np.float64)
