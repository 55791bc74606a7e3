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
    """Return how many parts a task has, and the least time and energy that it takes."""
    return dict(_described(task)[1])


def task_distance(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    """Return how far two tasks are apart in their properties, and in what they take at least.

    Properties are of what a world is like, not of what is wanted in it: racing and parking share all of them.
    """
    sides = [_described(str(one["task"])) for one in (first, second)]
    properties = np.array([one for one, _ in sides])
    sizes = np.log([list(one.values()) for _, one in sides])
    return float(np.abs(properties[0] - properties[1]).sum() + np.abs(sizes[0] - sizes[1]).sum())


@lru_cache(maxsize=256)
def _described(task: str) -> tuple[tuple[float, ...], dict[str, float]]:
    from mensura.catalog.task_environments.theory.comparing import least_of, size_of
    from mensura.catalog.task_environments.theory.properties import properties_of

    found = find_task(task)
    least = least_of(found)
    sizes = {"size": sum(size_of(found).values()), "least time": least["t_min"], "least energy": least["e_min"]}
    # Nothing may be needed, and has no logarithm; a thousandth lies below whatever is needed.
    held = {name: max(float(value), 1e-3) for name, value in sizes.items()}
    return tuple(properties_of(found, generator(SEED)).values()), held


TASKS = TaskClass(
    task_sizes,
    task_distance,
    "The size of a task is the number of its bodies, motors, sensors, transitions and goals; least time and energy are "
    "the oracle's, in seconds and joules, in the middle of the family. The distance of two tasks is the sum of the "
    "differences of their eleven properties and of the logarithms of these three, all without sign.",
)
