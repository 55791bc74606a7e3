"""Finding a task: by the name of one that comes with it, or by the path of a JSON file, with numbers of one's own."""

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from mensura.catalog.task_environments.task.quantity import Quantity, Range
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.dimensions import many_dimensions
from mensura.errors import BadParameter, unknown
from mensura.json_file import loads

MADE = {"n-dimensions": False, "n-dimensions-original": True}
"""Tasks of any size, `n-dimensions:20`: whether motors stay on."""


def list_tasks() -> list[str]:
    """Return the names of the tasks that come with it."""
    folder = files("mensura.catalog.task_environments.tasks")
    held = (path.name for path in folder.iterdir() if path.name.endswith(".json"))
    return sorted([name.removesuffix(".json") for name in held] + list(MADE))


@lru_cache(maxsize=64)
def find_task(name: str | Path) -> Task:
    """Return the task of a name, `car-race` or `n-dimensions:20`, or of a JSON file.

    Other numbers stand behind commas, and burdens behind those.

    >>> find_task("n-dimensions:3").goals[2].body
    'x3'
    >>> find_task("car-race,bodies.car.mass=8,bodies.car.value=0..50").bodies[0].value
    Range(low=0.0, high=50.0)
    >>> find_task("car-race#sensors=1#less_time=0.5").limits.time
    30.0
    """
    from mensura.catalog.task_environments.oracle.solvable import refuse_unsolvable

    text, _, behind = str(name).partition("#")
    comma = text.find(",")
    if behind:
        found = _burdened(find_task(text), behind)
    elif comma > 0 and "=" in text[comma:]:
        found = _varied(find_task(text[:comma]), text)
    else:
        return _plain(text)
    refuse_unsolvable(found)
    return found


def _plain(text: str) -> Task:
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


def _varied(task: Task, text: str) -> Task:
    """Return the task with the numbers that stand behind its name."""
    from mensura.catalog.task_environments.theory.making import vary

    changes = dict(_change(part) for part in text.partition(",")[2].split(","))
    return replace(vary(task, changes), name=text)


def _change(written: str) -> tuple[str, Quantity]:
    """Read a change of a number: `bodies.car.mass=8`, or a range `bodies.car.mass=4..8`."""
    place, _, value = written.partition("=")
    try:
        low, *high = (float(end) for end in value.split("..", 1))
    except ValueError:
        raise BadParameter(f"Write a change as bodies.car.mass=8 or bodies.car.mass=4..8; got {written!r}.") from None
    return place, Range(low, high[0]) if high else low


def _burdened(task: Task, behind: str) -> Task:
    """Read the burdens behind a name, `sensors=3#less_time=0.5`."""
    from mensura.catalog.task_environments.theory.burden import burden

    doses = {}
    for part in behind.split("#"):
        knob, _, dose = part.partition("=")
        try:
            doses[knob] = loads(dose)
        except ValueError:
            raise BadParameter(f"A burden is written #NAME=NUMBER behind a task; got #{part}.") from None
    return burden(task, **doses)


TaskName = Annotated[
    str,
    f"The name of a task ({', '.join(list_tasks())}) or a JSON file of one; other numbers stand behind a comma, as in "
    "car-race,bodies.car.mass=8, and burdens behind #, as in car-race#sensors=3.",
]
