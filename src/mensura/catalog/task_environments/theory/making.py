"""Tasks made of tasks: composed, split, scaled, varied."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import TaskLimits
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import Quantity, Range
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.system import System, rename
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Select
from mensura.errors import BadParameter, unknown

PARTS = ("bodies", "motors", "sensors", "transitions", "goals")


def compose(tasks: Sequence[Task], *, name: str | None = None, shared: bool = False) -> Task:
    """Put tasks side by side in one, to be solved within one attempt.

    Parameters
    ----------
    tasks
        Two or more; each becomes a system, named after it and numbered.
    name
        What the whole is called.
    shared
        Whether one motor serves all of them, one at a time, as a selector says. Else each keeps its motors.

    Examples
    --------
    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> two = compose([find_task("car-race"), find_task("car-race")])
    >>> [goal.body for goal in two.goals]
    ['car-race-1.car', 'car-race-2.car']
    """
    if len(tasks) < 2:
        raise BadParameter(f"Composing takes two tasks or more; got {len(tasks)}.")
    systems, goals, chosen = [], [], []
    for number, task in enumerate((one.flat for one in tasks), 1):
        path = f"{task.name.replace('.', '-')}-{number}"
        blocks = {part: getattr(task, part) for part in PARTS[:-1]}
        own = [block.name for part in ("bodies", "motors", "sensors") for block in blocks[part]]
        names = {one: f"{path}.{one}" for one in (*own, *(goal.name for goal in task.goals))}
        goals += [rename(goal, names) for goal in task.goals]
        if shared:
            chosen += [motor for motor in blocks["motors"] if motor.agents]
            systems.append((path, {**blocks, "motors": tuple(replace(one, agents=()) for one in blocks["motors"])}))
        else:
            systems.append((path, blocks))
    times, energies = [task.limits.time for task in tasks], [task.limits.energy for task in tasks]
    whole = Task(
        name or " + ".join(task.name for task in tasks),
        goals=tuple(goals),
        limits=TaskLimits(
            time=sum(times) if shared else max(times),
            energy=None if None in energies else sum(one for one in energies if one is not None),
        ),
        systems=tuple(System(path, **blocks) for path, blocks in systems),
        **(_selector(systems, chosen) if shared else {}),
    )
    return whole


def split(task: Task) -> list[Task]:
    """Return the parts of a task that have nothing to do with each other, as tasks; itself if there is only one."""
    flat = task.flat
    blocks = [(part, block) for part in PARTS for block in getattr(flat, part)]
    groups = [{f"{part}:{number}", *_mentioned(block)} for number, (part, block) in enumerate(blocks)]
    merged: list[set[str]] = []
    for group in groups:
        touching = [one for one in merged if one & group]
        merged = [one for one in merged if not one & group] + [group.union(*touching)]
    parts = []
    for number, group in enumerate(merged, 1):
        kept: dict[str, Any] = {
            part: tuple(b for n, (p, b) in enumerate(blocks) if p == part and f"{p}:{n}" in group) for part in PARTS
        }
        if kept["goals"]:
            parts.append(Task(f"{task.name} part {number}", limits=flat.limits, **kept))
    return parts if len(parts) > 1 else [task]


def scale(task: Task, factor: float, *, of: str) -> Task:
    """Multiply one kind of number, such as `mass`, `power`, `noise` or `tolerance`, wherever a block has it."""
    if factor <= 0:
        raise BadParameter(f"A task is scaled by a factor above 0; got {factor:g}.")
    paths = [path for path in numbers_of(task) if path.rpartition(".")[2] == of]
    if not paths:
        raise unknown("number", of, known={path.rpartition(".")[2] for path in numbers_of(task)}, see="")
    found = numbers_of(task)
    return vary(task, {path: _times(found[path], factor) for path in paths})


def vary(task: Task, changes: Mapping[str, Quantity]) -> Task:
    """Return the task with other numbers, by place as `bodies.car.mass`; a `Range` there makes a family of it.

    Examples
    --------
    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> family = vary(find_task("car-race"), {"bodies.car.mass": Range(4, 6)})
    >>> sorted(family.ranges)
    ['bodies.car.mass', 'bodies.car.value']
    """
    known = numbers_of(task)
    for path in changes:
        if path not in known:
            raise unknown("number", path, known=known, see="Numbers are named by their place: bodies.car.mass.")
    varied: Task = _varied(task.flat, "", changes)
    return varied


def numbers_of(task: Task) -> dict[str, Quantity]:
    """Return every number of a task by its place."""
    found: dict[str, Quantity] = {}

    def look(block: Any, path: str) -> None:
        if isinstance(block, tuple):
            for number, part in enumerate(block):
                look(part, f"{path}.{getattr(part, 'name', number)}")
        elif isinstance(block, Range) or (isinstance(block, (int, float)) and not isinstance(block, bool)):
            found[path] = block
        elif is_dataclass(block):
            for field in fields(block):
                look(getattr(block, field.name), f"{path}.{field.name}" if path else field.name)

    look(task.flat, "")
    return found


def _varied(block: Any, path: str, changes: Mapping[str, Quantity]) -> Any:
    if path in changes:
        return changes[path]
    if isinstance(block, tuple):
        return tuple(_varied(part, f"{path}.{getattr(part, 'name', n)}", changes) for n, part in enumerate(block))
    if is_dataclass(block) and not isinstance(block, (type, Range)):
        places = {field.name: f"{path}.{field.name}" if path else field.name for field in fields(block)}
        return replace(block, **{name: _varied(getattr(block, name), at, changes) for name, at in places.items()})
    return block


def _times(quantity: Quantity, factor: float) -> Quantity:
    if isinstance(quantity, Range):
        return Range(quantity.low * factor, quantity.high * factor)
    return quantity * factor


def _selector(systems: Sequence[tuple[str, dict[str, Any]]], chosen: Sequence[Motor]) -> dict[str, Any]:
    """Return the blocks that choose one of the motors: the way the task of N dimensions does it."""
    powers = {motor.power for motor in chosen}
    if len(powers) != 1 or len({motor.reverse for motor in chosen}) != 1:
        raise BadParameter("Tasks that share a motor have motors of one power, forward and backward.")
    motors = [f"{path}.{motor.name}" for path, blocks in systems for motor in blocks["motors"] if motor in
              [replace(one, agents=()) for one in chosen]]  # fmt: skip
    selector = Body("selector", mass=0.01, kinetic=0.2, static=0.3, gravity=10.0, low=0.0, high=float(len(motors)))
    return {
        "bodies": (selector,),
        "motors": (
            Motor("power", power=powers.pop(), reverse=chosen[0].reverse),
            Motor("selection", ("selector",), power=0.1),
        ),
        "sensors": (Sensor("selected", ("selector",)),),
        "transitions": (Select("power", "selector", tuple(motors)),),
    }


def _mentioned(block: Any) -> set[str]:
    """Return the names of all blocks that a block mentions, its own among them."""
    found: set[str] = set()
    for field in fields(block):
        value = getattr(block, field.name)
        if field.name in ("about", "kind", "axis", "reads", "spread", "agents") or (
            field.name == "of" and isinstance(value, str)
        ):
            continue
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, tuple):
            found |= {one for one in value if isinstance(one, str)}
        elif is_dataclass(value) and not isinstance(value, Range):
            found |= _mentioned(value)
    return found
