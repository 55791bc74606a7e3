"""Task: blocks, goals and limits; one instance, or a family of them where numbers are ranges."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import Goal, TaskLimits
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import FORBID, Range
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.system import System, flattened, own_names
from mensura.catalog.task_environments.task.transition import Transition
from mensura.dialogue.canonical import short_hash

Physics = Literal["exact", "paper", "original"]
UNNAMED = ("name", "about", "others")
"""What can move no score, and so is no part of a task's id."""


@dataclass(frozen=True)
class Task:
    """What is to be done, in which world, with what.

    Parameters
    ----------
    name, about
        What it is called, and a sentence about it.
    bodies, motors, sensors, transitions, systems
        The environment.
    goals, limits
        What is to be reached with how much time and energy; it is solved when all goals are met.
    others
        Goals of other tasks that could be pursued in the same world, with numbers and no ranges. They count for
        nothing; by them a report knows that another task was taken up.

    Examples
    --------
    >>> race = Task("race", bodies=(Body("car", value=Range(0, 90)),), motors=(Motor("engine", ("car",), power=200),),
    ...             sensors=(Sensor("place", ("car",)),), goals=(Goal("there", "car", 100, 5),))
    >>> race.id == Task.read(race.data()).id
    True
    >>> race.fix([20.0]).bodies[0].value
    20.0
    """

    name: str
    bodies: tuple[Body, ...] = ()
    motors: tuple[Motor, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    transitions: tuple[Transition, ...] = ()
    goals: tuple[Goal, ...] = ()
    limits: TaskLimits = field(default=TaskLimits())
    systems: tuple[System, ...] = ()
    about: str = ""
    others: tuple[Goal, ...] = ()
    __pydantic_config__ = FORBID

    def __post_init__(self) -> None:
        from mensura.catalog.task_environments.task.refusing import refuse_task

        refuse_task(self)

    @classmethod
    def read(cls, source: str | Path | Mapping[str, Any]) -> "Task":
        """Read a task from a JSON file or from what one holds; a sentence says what is wrong with it."""
        from mensura.catalog.task_environments.task.reading import read_task

        return read_task(source)

    @staticmethod
    def schema() -> dict[str, Any]:
        """Return the JSON Schema of a task."""
        from mensura.catalog.task_environments.task.reading import task_schema

        return task_schema()

    def data(self) -> dict[str, Any]:
        """Return it as JSON, without what is as usual."""
        data: dict[str, Any] = _plain(self)
        return data

    @cached_property
    def id(self) -> str:
        """What tells it from other tasks: a hash of its content, alike for Python and JSON."""
        return short_hash({key: value for key, value in self.data().items() if key not in UNNAMED})

    @cached_property
    def flat(self) -> "Task":
        """The same task without systems: their blocks stand beside the others under their full names."""
        if not self.systems:
            return self
        # Blocks and goals outside name what is inside by full names, so nothing outside has to be renamed.
        inside = flattened(self.systems, {name: name for name in own_names(self)})
        return replace(self, systems=(), **{part: getattr(self, part) + blocks for part, blocks in inside.items()})

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Who acts, in the order in which motors name them."""
        return tuple(dict.fromkeys(role for motor in self.flat.motors for role in motor.agents))

    def observed(self, role: str) -> list[tuple[int, str]]:
        """Return number and name of the sensors that a role sees; a reward channel is none of them."""
        sensors = enumerate(self.flat.sensors)
        return [(n, one.name) for n, one in sensors if not one.reward and (not one.agents or role in one.agents)]

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """The ranges that numbers are drawn from, by their place: `bodies.car.value`."""
        return dict(_ranges(self.flat, ""))

    def draw(self, rng: np.random.Generator) -> "Task":
        """Draw one instance of the family."""
        return self.fix(self.numbers(rng.random(len(self.ranges))))

    def numbers(self, shares: Sequence[float] | np.ndarray[Any, Any]) -> list[float]:
        """Return the numbers at these shares of the ranges, in the order of `ranges`."""
        return [span.at(float(share)) for span, share in zip(self.ranges.values(), shares, strict=True)]

    def fix(self, numbers: Sequence[float]) -> "Task":
        """Return the instance with these numbers for its ranges, in the order of `ranges`; it has no systems."""
        if not self.ranges:
            return self.flat
        fixed: Task = _fixed(self.flat, iter(numbers))
        # Known, and not looked for: every attempt is scored against an instance, and what was found would be kept.
        fixed.__dict__["ranges"] = {}
        return fixed


def _plain(block: Any) -> Any:
    """Return a block as JSON; defaults are left out, so that one content has one text."""
    if isinstance(block, (tuple, list)):
        return [_plain(part) for part in block]
    if not is_dataclass(block):
        return float(block) if isinstance(block, (int, float)) and not isinstance(block, bool) else block
    kept = {}
    for part in fields(block):
        value = getattr(block, part.name)
        # The kind of a transition is its default, and without it nobody could tell which one it is.
        if part.name == "kind" or value != part.default:
            kept[part.name] = _plain(value)
    return kept


def _ranges(block: Any, path: str) -> Iterator[tuple[str, Range]]:
    if isinstance(block, Range):
        yield path, block
    elif isinstance(block, tuple):
        for number, one in enumerate(block):
            inside = f"{path}.{getattr(one, 'name', number)}"
            yield from ((inside + place, span) for place, span in _inside(one))
    elif is_dataclass(block):
        for part in fields(block):
            yield from _ranges(getattr(block, part.name), f"{path}.{part.name}" if path else part.name)


@lru_cache(maxsize=4096)
def _inside(block: Any) -> tuple[tuple[str, Range], ...]:
    """List the ranges in a block by their place behind it; most blocks of a task are alike in all its instances."""
    found = (
        (_ranges(getattr(block, part.name), f".{part.name}") for part in fields(block)) if is_dataclass(block) else ()
    )
    return (("", block),) if isinstance(block, Range) else tuple(one for ranges in found for one in ranges)


def _fixed(block: Any, numbers: Iterator[float]) -> Any:
    if isinstance(block, Range):
        return float(next(numbers))
    if isinstance(block, tuple):
        parts = tuple(_fixed(part, numbers) for part in block)
        return parts if any(one is not part for one, part in zip(parts, block, strict=True)) else block
    # Most blocks of a task are alike in all its instances, and every attempt is scored against an instance.
    if isinstance(block, (str, float, int)) or block is None or not _inside(block):
        return block
    # Made without being refused anew: the family was not, and making is most of what an oracle for an instance costs.
    fixed = object.__new__(type(block))
    fixed.__dict__.update((part.name, _fixed(getattr(block, part.name), numbers)) for part in fields(block))
    return fixed
