"""The class of all tasks as reports of courses see it: how large a task is, and how far it is from another."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import TaskClass, generator

SEED = 0
"""Properties of two tasks compare best where both are acted on in the same way."""


def task_sizes(*, task: str, **others: Any) -> dict[str, float]:
    """Return how many parts a task has, and the least time that it takes."""
    _, (parts, seconds, _) = _described(task)
    return {"size": parts, "least time": seconds}


def task_distance(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    """Return how far two tasks are apart in their properties, in size and in what they take at least.

    Properties are of what a world is like, not of what is wanted in it: racing and parking share all of them.
    """
    sides = [_described(str(one["task"])) for one in (first, second)]
    properties = np.array([one for one, _ in sides])
    sizes = np.log1p([one for _, one in sides])
    return float(np.abs(properties[0] - properties[1]).sum() + np.abs(sizes[0] - sizes[1]).sum())


@lru_cache(maxsize=256)
def _described(task: str) -> tuple[tuple[float, ...], tuple[float, float, float]]:
    """Return the eleven properties of a task; the number of its parts, its least time and its least energy."""
    from mensura.catalog.task_environments.theory.comparing import least_of, size_of
    from mensura.catalog.task_environments.theory.properties import properties_of

    found = find_task(task)
    least = least_of(found)
    sizes = float(sum(size_of(found).values())), float(least["t_min"]), float(least["e_min"])
    return tuple(properties_of(found, generator(SEED)).values()), sizes


TASKS = TaskClass(
    task_sizes,
    task_distance,
    "The size of a task is the number of its bodies, motors, sensors, transitions and goals; its least time is the "
    "oracle's, in seconds, in the middle of the family. The distance of two tasks is the sum of the differences of "
    "their eleven properties and of log(1 + x) of their sizes, least times and least energies, all without sign.",
    spent=("time", "energy"),
)
