"""Blocks: long arrays walked in pieces that stay in the processor's cache."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.errors import BadParameter
from mensura.scores.alternatives import as_binary

Floats = NDArray[np.float64]

SIZE = 16_384


def binary_blocks(
    forecast: ArrayLike, outcome: ArrayLike, *, score: Callable[[Floats, Floats, Floats], None]
) -> Floats:
    """Apply a score of (probability, outcome, result) block by block, checking the input on the way.

    One pass over blocks of 128 kB is several times faster than whole-array steps, each of which goes to memory.
    """
    probabilities = np.ascontiguousarray(forecast, dtype=float)
    outcomes = np.ascontiguousarray(outcome, dtype=float)
    if probabilities.shape != outcomes.shape:
        probabilities, outcomes = (np.ascontiguousarray(part) for part in as_binary(probabilities, outcomes))
    result = np.empty(probabilities.shape)
    flat_probabilities, flat_outcomes, flat_result = probabilities.ravel(), outcomes.ravel(), result.ravel()
    scratch = np.empty(min(SIZE, flat_result.size))
    for start in range(0, flat_result.size, SIZE):
        piece = slice(start, start + SIZE)
        some_probabilities, some_outcomes = flat_probabilities[piece], flat_outcomes[piece]
        _check(some_probabilities, some_outcomes, scratch[: len(some_outcomes)], start)
        score(some_probabilities, some_outcomes, flat_result[piece])
    return result


def _check(probabilities: Floats, outcomes: Floats, scratch: Floats, start: int) -> None:
    # y (1 - y) is zero for 0 and 1 only; fmin and fmax step over NaN, so one comparison each is enough.
    np.subtract(1.0, outcomes, out=scratch)
    np.multiply(scratch, outcomes, out=scratch)
    low, high = np.fmin.reduce(probabilities), np.fmax.reduce(probabilities)
    if low < 0 or high > 1 or np.fmax.reduce(scratch) > 0 or np.fmin.reduce(scratch) < 0:
        try:
            as_binary(probabilities, outcomes)
        except BadParameter as problem:
            raise BadParameter(f"{problem} (counted from element {start})" if start else str(problem)) from None
