"""Finding a task: by the name of one that comes with it, or by the path of a JSON file."""

import json
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.dimensions import many_dimensions
from mensura.errors import BadParameter, unknown

MADE = {"n-dimensions": False, "n-dimensions-original": True}
"""Tasks of any size, `n-dimensions:20`: whether motors stay on."""


def list_tasks() -> list[str]:
    """Return the names of the tasks that come with it."""
    folder = files("mensura.catalog.task_environments.tasks")
    held = (path.name for path in folder.iterdir() if path.name.endswith(".json"))
    return sorted([name.removesuffix(".json") for name in held] + list(MADE))


@lru_cache(maxsize=64)
def find_task(name: str | Path) -> Task:
    """Return the task of a name, `car-race` or `n-dimensions:20`, or of a JSON file; burdens stand behind it.

    >>> find_task("n-dimensions:3").goals[2].body
    'x3'
    >>> find_task("car-race#sensors=1#less_time=0.5").limits.time
    30.0
    """
    text, _, behind = str(name).partition("#")
    if behind:
        return _burdened(find_task(text), behind)
    if text.endswith(".json"):
        return Task.read(text)
    known, _, size = text.partition(":")
    if known in MADE:
        if size and not (size.isdecimal() and 1 <= int(size) <= 200):
            raise BadParameter(f"The dimensions of {known} are a number from 1 to 200; got {size!r}.")
        return many_dimensions(int(size or 10), stay=MADE[known])
    if text not in list_tasks():
        raise unknown("task", text, known=list_tasks(), see="Name a .json file, or see mensura task-environments list.")
    return Task.read(str(files("mensura.catalog.task_environments.tasks") / f"{text}.json"))


def _burdened(task: Task, behind: str) -> Task:
    """Read the burdens behind a name, `sensors=3#less_time=0.5`."""
    from mensura.catalog.task_environments.theory.burden import burden

    doses = {}
    for part in behind.split("#"):
        knob, _, dose = part.partition("=")
        try:
            doses[knob] = json.loads(dose)
        except ValueError:
            raise BadParameter(f"A burden is written #NAME=NUMBER behind a task; got #{part}.") from None
    return burden(task, **doses)
