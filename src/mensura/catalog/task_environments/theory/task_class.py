"""The class of all tasks as reports of courses see it: how large a task is, and how far it is from another."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import TaskClass, generator

if TYPE_CHECKING:
    from mensura.catalog.task_environments.theory.comparing import Floats

SEED = 0
"""Properties of two tasks compare best where both are acted on in the same way."""


DISTANCE = (
    "the sum of the differences of the eleven properties and of log(1 + x) of the number of parts, the least time and "
    "the least energy, all without sign"
)
"""How far two tasks are apart, for `mensura task-environments compare` and reports of courses alike."""


def task_sizes(*, task: str, **others: Any) -> dict[str, float]:
    """Return how many parts a task has, and the least time that it takes."""
    found = _described(task)
    return {"size": found.parts, "least time": found.seconds}


def task_distance(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    """Return how far two tasks are apart, as `mensura task-environments compare` prints it."""
    from mensura.catalog.task_environments.theory.comparing import METRICS

    one, other = (_described(str(side["task"])) for side in (first, second))
    return METRICS["manhattan"](one.vector, other.vector)


@dataclass(frozen=True)
class _Described:
    parts: float
    seconds: float
    vector: "Floats"


@lru_cache(maxsize=256)
def _described(task: str) -> _Described:
    from mensura.catalog.task_environments.theory.comparing import least_of, size_of, vector_of
    from mensura.catalog.task_environments.theory.properties import properties_of

    found = find_task(task)
    least, size = least_of(found), size_of(found)
    vector = vector_of(properties_of(found, generator(SEED)), least, size)
    return _Described(float(sum(size.values())), float(least["t_min"]), vector)


TASKS = TaskClass(
    task_sizes,
    task_distance,
    "The size of a task is the number of its bodies, motors, sensors, transitions and goals; its least time is the "
    f"oracle's, in seconds, in the middle of the family. The distance of two tasks is {DISTANCE}.",
    spent=("time", "energy"),
)
