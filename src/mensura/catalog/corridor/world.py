"""The corridor itself: cells in a row, a goal at one end, moves that may slip."""

from collections.abc import Mapping
from functools import lru_cache
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue import Action, Grid, TaskClass
from mensura.errors import BadParameter

MOVES = Action(("left", "right"), keys=("ArrowLeft", "ArrowRight"))
LEGEND = {"A": "you", "G": "goal"}


def check_corridor(length: int, slip: float, most_steps: int, episodes: int) -> None:
    """Refuse corridors that nobody could walk."""
    if length < 3:
        raise BadParameter(f"A corridor has at least 3 cells; got --length {length}.")
    if not 0 <= slip < 0.5:
        raise BadParameter(f"--slip lies between 0 and 0.5, else left and right change meaning; got {slip:g}.")
    if most_steps < 1 or episodes < 1:
        raise BadParameter(f"--most-steps and --episodes are at least 1; got {most_steps} and {episodes}.")


@lru_cache(maxsize=64)
def views(length: int, goal: int) -> tuple[Grid, ...]:
    """Draw the corridor once for each place one can be at, so that a step draws nothing."""
    rows = [["G" if cell == goal else "" for cell in range(length)] for _ in range(length)]
    for place, row in enumerate(rows):
        row[place] = "A"
    return tuple(Grid([row], legend=LEGEND, title="Walk to the goal.") for row in rows)


def see(grid: Grid) -> NDArray[np.float32]:
    """Return what an agent sees: its place from 0 (left end) to 1 (right end), and the end at which the goal is.

    >>> see(views(5, 4)[1])
    array([0.25, 1.  ], dtype=float32)
    """
    cells = grid.cells[0]
    # An agent on the goal hides it, so what the far end shows decides.
    left = cells[0] == "G" or (cells[0] == "A" and cells[-1] != "G")
    return np.array((cells.index("A") / (len(cells) - 1), 0.0 if left else 1.0), dtype=np.float32)


def chance_levels(*, length: int, slip: float, step_cost: float, most_steps: int, episodes: int) -> dict[str, float]:
    """Compute what a random walk scores, by following the probability of every place step by step.

    Left and right being equally likely, slips change nothing.
    """
    results = np.array([_walk(length, goal, step_cost, most_steps) for goal in (0, length - 1)]).mean(axis=0)
    return dict(zip(("return", "steps", "reached"), results.tolist(), strict=True))


def _walk(length: int, goal: int, step_cost: float, most_steps: int) -> tuple[float, float, float]:
    places = np.zeros(length)
    places[length // 2] = 1.0
    reached = steps = 0.0
    for _ in range(most_steps):
        steps += places.sum()
        moved = np.zeros(length)
        moved[1:] += places[:-1] / 2
        moved[:-1] += places[1:] / 2
        # At the wall a move into it stays.
        moved[0] += places[0] / 2
        moved[-1] += places[-1] / 2
        reached += moved[goal]
        moved[goal] = 0.0
        places = moved
    return reached - step_cost * steps, steps, reached


def task_sizes(*, length: int, slip: float, **others: Any) -> dict[str, float]:
    """Return how long a corridor is, and by what factor slips lengthen the way through it."""
    return {"size": float(length), "complexity": 1 / (1 - 2 * slip)}


def task_distance(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    """Return how far two corridors are apart.

    >>> task_distance({"length": 5, "slip": 0.0}, {"length": 5, "slip": 0.25})
    0.25
    """
    return float(abs(log(first["length"] / second["length"])) + abs(first["slip"] - second["slip"]))


TASKS = TaskClass(
    task_sizes,
    task_distance,
    "The size of a corridor is its length, its complexity 1 / (1 - 2 slip). The distance of two is the logarithm of "
    "the ratio of their lengths plus the difference of their slips, both without sign.",
)
