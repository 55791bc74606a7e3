"""The table of properties that goes with every score of a task."""

from collections.abc import Sequence
from functools import lru_cache

from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.theory.properties import DEFINITIONS, properties_of
from mensura.dialogue import generator
from mensura.exhibit import Exhibit

SEED = 0
"""Of the simulations in reports: all tasks are acted on in the same way, so that their numbers compare."""


@lru_cache(maxsize=64)
def shown_properties(task: Task) -> dict[str, float]:
    """Return the properties of a task as reports show them."""
    return properties_of(task, generator(SEED))


def properties_exhibit(tasks: Sequence[Task]) -> Exhibit:
    """Return the table of the eleven properties, a column for each task, with their definitions."""
    found = [shown_properties(task) for task in tasks]
    return Exhibit(
        "Properties of the task environment",
        "Each lies between 0 and 1; where there is something to run, it is computed by simulation.",
        ("property", *(task.name for task in tasks), "definition"),
        [(name, *(one[name] for one in found), words) for name, words in DEFINITIONS.items()],
    )
