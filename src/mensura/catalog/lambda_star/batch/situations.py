"""Situations: all that an agent with a sight of 1 can know is one of a few.

Along each axis an object is at one of at most five offsets that matter, or too far to matter: 36 situations for each
object, 1296 for both. Reward and best actions of every situation are worked out once.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.environment.torus import STEPS, Torus

CLASSES = 6
FAR = 5
SITUATIONS = CLASSES * CLASSES
Small = npt.NDArray[np.int8]
Values = npt.NDArray[np.float64]


class Situations(NamedTuple):
    """Classes of offsets along rows and columns, and by situation the reward and the best actions, counted first."""

    row_class: Small
    column_class: Small
    reward: Values
    best: Small
    away: Small
    """Best actions where the only reward seen is a punishment on the object's own cell."""


@lru_cache(maxsize=16)
def situations_of(torus: Torus) -> Situations:
    """Work out every situation on a torus."""
    row_near = _near_offsets(torus.rows)
    column_near = _near_offsets(torus.columns)
    # After each action: the distance to an object in each situation, FAR where it cannot matter.
    distances = np.full((SITUATIONS, 9), FAR)
    for row, down in enumerate(row_near):
        for column, right in enumerate(column_near):
            for action, (step_down, step_right) in enumerate(STEPS):
                distances[row * CLASSES + column, action] = max(
                    _around(down - step_down, torus.rows), _around(right - step_right, torus.columns)
                )
    gain = np.where(distances < 2, 1.0 / (distances + 1.0), 0.0)
    stay = gain[:, 4]
    here = np.where(distances == 0, -0.5, 0.0)
    return Situations(
        _classes(torus.rows, row_near),
        _classes(torus.columns, column_near),
        np.subtract.outer(stay, stay).ravel(),
        _best(np.stack([gain[good] - gain[evil] for good in range(SITUATIONS) for evil in range(SITUATIONS)])),
        _best(here),
    )


def _near_offsets(length: int) -> list[int]:
    return sorted({offset % length for offset in range(-2, 3)})


def _around(offset: int, length: int) -> int:
    return min(offset % length, -offset % length)


def _classes(length: int, near: list[int]) -> Small:
    """Class of an offset from -(length - 1) to length - 1, shifted to begin at 0."""
    offsets = range(-(length - 1), length)
    return np.array([near.index(o % length) if o % length in near else FAR for o in offsets], dtype=np.int8)


def _best(values: npt.NDArray[np.float64]) -> Small:
    table = np.zeros((len(values), 10), dtype=np.int8)
    for row, actions in enumerate(values):
        best = np.flatnonzero(actions == actions.max())
        table[row, 0] = len(best)
        table[row, 1 : 1 + len(best)] = best
    return table
