"""CompiledTask: a task as arrays of numbers, for the compiled step."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Lock, Rotate, Select, Shut, Steer, Wave

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
BODY = ("mass", "kinetic", "static", "gravity", "slope", "drag", "low", "high", "value", "velocity")
MOTOR = ("power", "reverse", "waste")
GOAL = ("target", "tolerance", "held", "after", "before", "later", "within", "above", "below")
CHANGE = 4
"""How many numbers a transition has at most."""
NUMBERS: dict[type, tuple[str, ...]] = {
    Lock: ("above", "below"),
    Shut: ("period", "share", "phase"),
    Kick: ("period", "velocity"),
    Wave: ("centre", "amplitude", "period", "phase"),
    Fuel: ("dry", "tank", "density"),
    Steer: (),
    Select: (),
    Rotate: (),
}
"""The numbers of each kind of transition; its place here is its code in the compiled step."""
KINDS = tuple(NUMBERS)


class Fixed(NamedTuple):
    """What is alike in all instances of a family."""

    body_kind: Ints
    """0: moved by forces; 1: steered; 2: led along a wave."""
    locked: Ints
    share: Floats
    """Motor × body: the part of the motor's power that goes to the body."""
    change: Ints
    """Transition × (kind, and the numbers of up to four blocks)."""
    listed: Ints
    """The motors that Select chooses from, one list after the other."""
    goal: Ints
    """Goal × (body, of velocity, target body or -1, crossing, present, body of the reset or -1, its velocity)."""
    needs: Ints
    dependents: Ints
    order: Ints
    """Goals in an order in which prerequisites come first."""
    limits: Floats


class Numbers(NamedTuple):
    """What may differ between instances; one row each."""

    body: Floats
    motor: Floats
    change: Floats
    goal: Floats


@dataclass(frozen=True, eq=False)
class CompiledTask:
    """A task as arrays: what is fixed, the numbers of a family, and where its ranges lie in them."""

    task: Task
    fixed: Fixed
    numbers: Numbers
    slots: tuple[tuple[int, int, int], ...]
    """For each range of the task: which array of `Numbers`, row and column."""
    low: Floats
    width: Floats

    def drawn(self, rng: np.random.Generator, episodes: int) -> Floats:
        """Draw the numbers of the ranges for many instances, as `Task.draw` does for one."""
        return self.low + self.width * rng.random((episodes, len(self.slots)))

    def instances(self, drawn: Floats) -> Numbers:
        """Return the numbers of instances whose ranges have these numbers, one row each."""
        arrays = [np.repeat(array[None], len(drawn), axis=0) for array in self.numbers]
        for column, (array, row, place) in enumerate(self.slots):
            arrays[array][:, row, place] = drawn[:, column]
        return Numbers(*arrays)


@lru_cache(maxsize=64)
def compile_task(task: Task) -> CompiledTask:
    """Turn a task into arrays."""
    task = task.flat
    bodies = {body.name: number for number, body in enumerate(task.bodies)}
    motors = {motor.name: number for number, motor in enumerate(task.motors)}
    rows: tuple[list[list[Any]], ...] = (
        [[getattr(body, name) for name in BODY] for body in task.bodies],
        [[getattr(motor, name) for name in MOTOR] for motor in task.motors],
        [_change_numbers(change) for change in task.transitions],
        [_goal_numbers(goal) for goal in task.goals],
    )
    ranges = list(task.ranges.values())
    arrays = [
        np.array([[_number(value, name) for value, name in zip(row, names, strict=True)] for row in part], dtype=float)
        .reshape(len(part), len(names))
        for part, names in zip(rows, (BODY, MOTOR, ("",) * CHANGE, GOAL), strict=True)
    ]  # fmt: skip
    return CompiledTask(
        task,
        _fixed(task, bodies, motors),
        Numbers(*arrays),
        tuple(_slot(task, path) for path in task.ranges),
        np.array([value.low for value in ranges]),
        np.array([value.high - value.low for value in ranges]),
    )


def _slot(task: Task, path: str) -> tuple[int, int, int]:
    """Find where the number of a range lies, from its place in the task: `bodies.car.value`."""
    part, rest = path.split(".", 1)
    name, field = rest.rsplit(".", 1)
    array = ("bodies", "motors", "transitions", "goals").index(part)
    blocks = getattr(task, part)
    row = int(name) if part == "transitions" else [block.name for block in blocks].index(name)
    columns = (BODY, MOTOR, NUMBERS[type(blocks[row])] if part == "transitions" else (), GOAL)[array]
    return array, row, columns.index(field)


def _number(value: Any, name: str) -> float:
    if value is None:
        return -np.inf if name == "low" else 0.0 if name in ("after", "later") else np.inf
    return np.nan if isinstance(value, Range | str) else float(value)


def _change_numbers(change: Any) -> list[Any]:
    source = change.when if isinstance(change, Lock) else change
    found = [getattr(source, name) for name in NUMBERS[type(change)]]
    if isinstance(change, Lock):
        found = [np.inf if source.above is None else source.above, -np.inf if source.below is None else source.below]
    return found + [0.0] * (CHANGE - len(found))


def _goal_numbers(goal: Goal) -> list[Any]:
    found = [getattr(goal, name) for name in GOAL[:-2]]
    reset = goal.reset
    above = np.inf if reset is None or reset.above is None else reset.above
    return [*found, above, -np.inf if reset is None or reset.below is None else reset.below]


def _fixed(task: Task, bodies: dict[str, int], motors: dict[str, int]) -> Fixed:
    kinds = np.zeros(len(bodies), dtype=np.int64)
    change = np.full((len(task.transitions), 5), -1, dtype=np.int64)
    listed: list[int] = []
    for row, one in zip(change, task.transitions, strict=True):
        names = [getattr(one, name) for name in ("body", "speed", "orientation") if hasattr(one, name)]
        row[1 : 1 + len(names)] = [bodies[name] for name in names]
        row[0] = KINDS.index(type(one))
        if isinstance(one, Steer):
            kinds[row[1]], row[4] = 1, one.axis == "sin"
        elif isinstance(one, Wave):
            kinds[row[1]] = 2
        elif isinstance(one, Lock):
            row[2], row[3] = bodies[one.when.body], one.when.of == "velocity"
        elif isinstance(one, Fuel):
            row[2] = motors[one.motor]
        elif isinstance(one, Rotate):
            row[2], (row[3], row[4]) = motors[one.motor], (bodies[name] for name in _driven(task, one.motor))
        elif isinstance(one, Select):
            row[1:] = bodies[one.selector], motors[one.main], len(listed), 2 * len(one.motors) + one.stay
            listed += [motors[name] for name in one.motors]
    share = np.zeros((len(motors), len(bodies)))
    for number, motor in enumerate(task.motors):
        for name in motor.targets:
            share[number, bodies[name]] = 1 / len(motor.targets)
    needs, order = _prerequisites(task.goals)
    return Fixed(
        kinds,
        np.array([body.locked for body in task.bodies], dtype=np.int64),
        share,
        change,
        np.array(listed, dtype=np.int64),
        np.array([_goal_row(goal, bodies) for goal in task.goals], dtype=np.int64).reshape(-1, 7),
        needs,
        _closure(needs.T),
        order,
        np.array([task.limits.time, np.inf if task.limits.energy is None else task.limits.energy]),
    )


def _driven(task: Task, motor: str) -> tuple[str, ...]:
    return next(one.targets for one in task.motors if one.name == motor)


def _goal_row(goal: Goal, bodies: dict[str, int]) -> list[int]:
    target = bodies[goal.target] if isinstance(goal.target, str) else -1
    reset = (-1, 0) if goal.reset is None else (bodies[goal.reset.body], int(goal.reset.of == "velocity"))
    return [bodies[goal.body], int(goal.of == "velocity"), target, int(goal.crossing), int(goal.present), *reset]


def _prerequisites(goals: tuple[Goal, ...]) -> tuple[Ints, Ints]:
    """Return who needs whom, and the goals in an order in which prerequisites come first."""
    from graphlib import TopologicalSorter

    numbers = {goal.name: number for number, goal in enumerate(goals)}
    needs = np.zeros((len(goals), len(goals)), dtype=np.int64)
    for goal in goals:
        needs[numbers[goal.name], [numbers[name] for name in goal.requires]] = 1
    first = TopologicalSorter({numbers[goal.name]: [numbers[name] for name in goal.requires] for goal in goals})
    return needs, np.array(list(first.static_order()), dtype=np.int64)


def _closure(reach: Ints) -> Ints:
    """Return who is reached in one step or more."""
    for _ in range(len(reach)):
        reach = ((reach + reach @ reach) > 0).astype(np.int64)
    return np.ascontiguousarray(reach)
