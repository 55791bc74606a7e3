"""Local search at full speed: all that an agent with a sight of 1 can know is one of a few situations.

Along each axis an object is at one of at most five offsets that matter, or too far to matter: 36 situations for each
object, 1296 for both. Reward and best actions of every situation are worked out once.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch.ground import Cells, Ground, Values
from mensura.catalog.lambda_star.chance import Stream, below, seeded
from mensura.catalog.lambda_star.compiled import compiled
from mensura.catalog.lambda_star.torus import STEPS, Torus

CLASSES = 6
FAR = 5
SITUATIONS = CLASSES * CLASSES
Small = npt.NDArray[np.int8]


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


@compiled
def situation(rules: Situations, ground: Ground, row: int, column: int, cell: int) -> int:
    """Give the situation of an agent at a row and column with regard to an object on a cell."""
    down = rules.row_class[ground.row_of[cell] - row + ground.rows - 1]
    right = rules.column_class[ground.column_of[cell] - column + ground.columns - 1]
    return int(down * CLASSES + right)


@compiled
def pick(best: Small, which: int, stream: Stream) -> int:
    """Draw one of the best actions of a situation."""
    count = best[which, 0]
    if count == 1:
        return int(best[which, 1])
    return int(best[which, 1 + below(stream, count)])


@compiled
def near_search(
    rules: Situations,
    ground: Ground,
    good: Cells,
    evil: Cells,
    starts: Cells,
    original: bool,
    key: np.uint64,
    first: int,
    group: int,
    out: Values,
) -> None:
    """Go to the best cell in reach, for agents that see no further."""
    episodes, agents = starts.shape
    iterations = good.shape[1] - 1
    for episode in range(episodes):
        stream = seeded(key, first + episode, group)
        total = 0.0
        for j in range(agents):
            row = ground.row_of[starts[episode, j]]
            column = ground.column_of[starts[episode, j]]
            seen = situation(rules, ground, row, column, good[episode, 0]) * SITUATIONS + situation(
                rules, ground, row, column, evil[episode, 0]
            )
            for i in range(1, iterations + 1):
                if original and i == 1:
                    action = pick(rules.away, situation(rules, ground, row, column, 0), stream)
                else:
                    action = pick(rules.best, seen, stream)
                row = turned(row + action // 3 - 1, ground.rows)
                column = turned(column + action % 3 - 1, ground.columns)
                seen = situation(rules, ground, row, column, good[episode, i]) * SITUATIONS + situation(
                    rules, ground, row, column, evil[episode, i]
                )
                total += rules.reward[seen]
        out[episode, 0] = total / (agents * iterations)


@compiled
def turned(place: int, length: int) -> int:
    """Bring a place that is at most one step off the grid back onto it from the other side."""
    if place < 0:
        return place + length
    return place - length if place >= length else place
