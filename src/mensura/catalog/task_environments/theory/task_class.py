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
    from mensura.catalog.task_environments.theory.comparing import least_of, size_of

    found = find_task(task)
    return {"size": float(sum(size_of(found).values())), "least time": float(least_of(found)["t_min"])}


def task_distance(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    """Return the Manhattan distance of two tasks in their eleven properties."""
    from mensura.catalog.task_environments.theory.comparing import METRICS

    return METRICS["manhattan"](*(np.array(_properties(str(one["task"]))) for one in (first, second)))


@lru_cache(maxsize=256)
def _properties(task: str) -> tuple[float, ...]:
    from mensura.catalog.task_environments.theory.properties import properties_of

    return tuple(properties_of(find_task(task), generator(SEED)).values())


TASKS = TaskClass(
    task_sizes,
    task_distance,
    "The size of a task is the number of its bodies, motors, sensors, transitions and goals; its least time is the "
    "oracle's, in seconds, in the middle of the family. The distance of two tasks is the sum of the differences, "
    "without sign, of their eleven properties, which are printed with their definitions.",
)
