"""The compiled loop behind a characteristic function; imported only where it is needed."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from mensura.track_record.calibration.total.inversion import BLOCK

VANISHED = 1e-32
"""Square of a modulus that no further question can make matter again."""


@numba.njit(cache=True, nogil=True, fastmath=True)  # type: ignore[untyped-decorator, unused-ignore]
def spectrum(
    values: NDArray[np.float64], chances: NDArray[np.float64], counts: NDArray[np.int64], spacing: float, blocks: int
) -> Any:
    """Multiply the characteristic functions of all kinds of questions at 1, 2, ... times the spacing, by blocks.

    Returns real and imaginary parts. A block whose frequencies have all vanished is left as it is.
    """
    real, imaginary = np.ones((blocks, BLOCK)), np.zeros((blocks, BLOCK))
    alive = np.arange(blocks)
    cosines, sines = np.empty((values.shape[1], BLOCK)), np.empty((values.shape[1], BLOCK))
    own, turned = np.empty(BLOCK), np.empty(BLOCK)
    for kind in range(values.shape[0]):
        for outcome in range(values.shape[1]):
            for k in range(BLOCK):
                angle = spacing * k * values[kind, outcome]
                cosines[outcome, k] = chances[kind, outcome] * np.cos(angle)
                sines[outcome, k] = chances[kind, outcome] * np.sin(angle)
        kept = 0
        for block in alive:
            own[:], turned[:] = 0.0, 0.0
            for outcome in range(values.shape[1]):
                angle = spacing * (block * BLOCK + 1) * values[kind, outcome]
                along, across = np.cos(angle), np.sin(angle)
                for k in range(BLOCK):
                    own[k] += along * cosines[outcome, k] - across * sines[outcome, k]
                    turned[k] += along * sines[outcome, k] + across * cosines[outcome, k]
            if counts[kind] > 1:
                for k in range(BLOCK):
                    size = np.hypot(own[k], turned[k]) ** counts[kind]
                    angle = np.arctan2(turned[k], own[k]) * counts[kind]
                    own[k], turned[k] = size * np.cos(angle), size * np.sin(angle)
            largest = 0.0
            for k in range(BLOCK):
                one, other = real[block, k], imaginary[block, k]
                real[block, k] = one * own[k] - other * turned[k]
                imaginary[block, k] = one * turned[k] + other * own[k]
                largest = max(largest, real[block, k] ** 2 + imaginary[block, k] ** 2)
            if largest > VANISHED:
                alive[kept] = block
                kept += 1
        alive = alive[:kept]
    return real, imaginary
