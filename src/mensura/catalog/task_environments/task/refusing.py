"""What is refused: tasks that nobody could take, or that are done before they begin."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from math import cos, isfinite, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.quantity import Quantity, Range, highest, lowest
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Lock, Rotate, Select, Shut, Steer, Wave
from mensura.errors import BadParameter, unknown

if TYPE_CHECKING:
    from mensura.catalog.task_environments.task.task import Task

SEEDS = 200
"""How many instances of a family are looked at."""


# An agent that plans and a question about other worlds make the same few tasks again and again.
@lru_cache(maxsize=1024)
def refuse_task(task: "Task") -> None:
    """Raise a sentence where a task cannot be taken."""
    if task.systems:
        # The flat form is a task of its own, and refused where it is to be.
        _refuse_twice("system", [system.name for system in task.systems])
        _ = task.flat
        return
    _refuse_names(task)
    for body in task.bodies:
        _refuse_body(body)
    _refuse_motors(task)
    _refuse_transitions(task)
    for goal in task.goals:
        _refuse_goal(task, goal)
    _refuse_circles("goals", {goal.name: goal.requires for goal in task.goals}, "each waits for the other")
    sensors = {sensor.name for sensor in task.sensors}
    reads = {sensor.name: [name for name in sensor.of if name in sensors] for sensor in task.sensors}
    _refuse_circles("sensors", reads, "each reads the other")
    if not isfinite(task.limits.time) or task.limits.time <= 0 or (task.limits.energy or 1) <= 0:
        raise BadParameter(f"{task.name}: the limits of time and energy are above 0.")
    _refuse_family(task)


def _refuse_names(task: "Task") -> None:
    for part in ("bodies", "motors", "sensors", "goals"):
        _refuse_twice(part, [block.name for block in getattr(task, part)])
    bodies = [body.name for body in task.bodies]
    motors = [motor.name for motor in task.motors]
    _refuse_twice("bodies and sensors", bodies + [sensor.name for sensor in task.sensors])
    if not bodies:
        raise BadParameter(f"{task.name} has no body, so nothing can happen in it; add bodies.")
    for motor in task.motors:
        _known("body", motor.targets, bodies, f"the motor {motor.name}")
    for goal in task.goals:
        wanted = [goal.body, *([goal.target] if isinstance(goal.target, str) else [])]
        wanted += [goal.reset.body] if goal.reset else []
        _known("body", wanted, bodies, f"the goal {goal.name}")
        _known("goal", goal.requires, [one.name for one in task.goals], f"the goal {goal.name}")
    for other in task.others:
        _known("body", [other.body], bodies, f"the goal {other.name} of another task")
        if other.of != "value" or not isinstance(other.target, int | float) or isinstance(other.tolerance, Range):
            raise BadParameter(f"The goal {other.name} of another task needs a place, as numbers without ranges.")
    hidden = {body.name for body in task.bodies if body.hidden}
    for sensor in task.sensors:
        _known("body or sensor", sensor.of, bodies + [one.name for one in task.sensors], f"the sensor {sensor.name}")
        if not sensor.of or (sensor.weights and len(sensor.weights) != len(sensor.of)):
            raise BadParameter(f"The sensor {sensor.name} needs something to read, and a weight for each or none.")
        if seen := hidden & set(sensor.of):
            raise BadParameter(f"The sensor {sensor.name} reads {min(seen)}, which is hidden.")
        if min(sensor.noise, sensor.resolution, sensor.latency) < 0:
            raise BadParameter(f"Noise, resolution and latency of the sensor {sensor.name} are at least 0.")
    for change in task.transitions:
        words = f"a transition {change.kind}"
        names = [
            getattr(change, name) for name in ("body", "speed", "orientation", "selector") if hasattr(change, name)
        ]
        _known("body", names + ([change.when.body] if isinstance(change, Lock) else []), bodies, words)
        if isinstance(change, Fuel | Rotate):
            _known("motor", [change.motor], motors, words)
        if isinstance(change, Select):
            _known("motor", [change.main, *change.motors], motors, words)


def _refuse_body(body: Body) -> None:
    where = f"The body {body.name}"
    if not lowest(body.mass) > 0:
        raise BadParameter(f"{where} has a mass of {lowest(body.mass):g} kg; a mass is above 0.")
    if min(lowest(body.kinetic), lowest(body.static), lowest(body.gravity), lowest(body.drag)) < 0:
        raise BadParameter(f"{where} has a negative friction, gravity or drag; they are at least 0.")
    if max(abs(lowest(body.slope)), abs(highest(body.slope))) > np.pi / 2 + 1e-12:
        raise BadParameter(f"{where} has a slope of {highest(body.slope):g}; it lies between -π/2 and π/2, in radians.")
    low, high = -np.inf if body.low is None else body.low, np.inf if body.high is None else body.high
    if not low < high:
        raise BadParameter(f"{where} has bounds from {low:g} to {high:g}; low is below high.")
    if lowest(body.value) < low or highest(body.value) > high:
        raise BadParameter(
            f"{where} starts from {lowest(body.value):g} to {highest(body.value):g}, outside {low:g} to {high:g}."
        )


def _refuse_motors(task: "Task") -> None:
    for motor in task.motors:
        if lowest(motor.power) <= 0 or not isfinite(highest(motor.power)):
            raise BadParameter(f"The motor {motor.name} has a power of {lowest(motor.power):g} W; it is above 0.")
        if motor.reverse < 0 or not 0 <= lowest(motor.waste) <= highest(motor.waste) < 1:
            raise BadParameter(f"The motor {motor.name}: reverse is at least 0, and waste from 0 to below 1.")
    if not any(motor.agents for motor in task.motors):
        raise BadParameter(f"{task.name} has no motor that an agent sets, so nobody can do anything; add motors.")


def _refuse_transitions(task: "Task") -> None:
    driven = {name for motor in task.motors for name in motor.targets}
    led: set[str] = set()
    for change in task.transitions:
        if isinstance(change, Steer | Wave):
            if change.body in driven or change.body in led:
                raise BadParameter(f"{change.body} is led by a {change.kind}; no motor or second one can lead it too.")
            led.add(change.body)
        if isinstance(change, Wave | Shut | Kick) and lowest(change.period) <= 0:
            raise BadParameter(f"The {change.kind} of {change.body} has a period of 0 s or less; it is above 0.")
        if isinstance(change, Fuel) and min(lowest(change.dry), lowest(change.tank), lowest(change.density)) <= 0:
            raise BadParameter(f"The fuel of {change.body}: dry mass, tank and density are above 0.")
        if isinstance(change, Rotate) and len(next(m.targets for m in task.motors if m.name == change.motor)) != 2:
            raise BadParameter(f"The motor {change.motor} rotates, so it has two targets.")
        if isinstance(change, Lock) and (change.when.above is None) == (change.when.below is None):
            raise BadParameter(f"The lock of {change.body} needs a condition: above or below a number.")
    for change in task.transitions:
        if isinstance(change, Steer) and {change.speed, change.orientation} & led:
            raise BadParameter(
                f"{change.body} is steered by a body that is led itself; steer by bodies that motors move."
            )


def _refuse_goal(task: "Task", goal: Goal) -> None:
    where = f"The goal {goal.name}"
    if lowest(goal.tolerance) <= 0 and not goal.crossing:
        raise BadParameter(
            f"{where} has a tolerance of {lowest(goal.tolerance):g}, which a value that moves in steps never meets; "
            "give a tolerance, or crossing."
        )
    if goal.crossing and goal.held:
        raise BadParameter(f"{where} is met by crossing, so it cannot be held for {goal.held:g} s.")
    if goal.held < 0 or (goal.before is not None and goal.before < (goal.after or 0) + goal.held):
        raise BadParameter(f"{where} has no time in which it could be met; before comes after `after` plus `held`.")
    if goal.within is not None and goal.within < (goal.later or 0) + goal.held:
        raise BadParameter(f"{where} has no time in which it could be met; within is at least `later` plus `held`.")


def _refuse_circles(what: str, waits: Mapping[str, Iterable[str]], why: str) -> None:
    try:
        list(TopologicalSorter({name: list(others) for name, others in waits.items()}).static_order())
    except CycleError as error:
        raise BadParameter(f"The {what} {' → '.join(error.args[1])} form a circle: {why}.") from None


def _refuse_family(task: "Task") -> None:
    """Refuse a family one of whose instances is solved at its start, or cannot be solved; name its seed."""
    if not task.goals:
        return
    spans = list(task.ranges.values())
    for seed in range(SEEDS if spans else 1):
        # An instance is looked up by the numbers that its seed draws, without being made: it would be refused itself.
        shares = _shares(seed, len(spans))
        drawn = dict(zip(task.ranges, (span.at(share) for span, share in zip(spans, shares, strict=True)), strict=True))
        instance = _Instance(task, drawn)
        which = f"{task.name}, drawn with seed {seed}," if spans else task.name
        if all(instance.met_at_start(goal) for goal in task.goals):
            raise BadParameter(f"{which} is solved at its start; move starts or goals apart.")
        for goal in task.goals:
            if why := instance.impossible(goal):
                raise BadParameter(f"{which} cannot be solved: the goal {goal.name} {why}.")


@lru_cache(maxsize=32 * SEEDS)
def _shares(seed: int, count: int) -> tuple[np.float64, ...]:
    """Return where in its range each number of an instance lies; kept, since every task asks for the same seeds."""
    return tuple(np.random.default_rng(seed).random(count))


class _Instance:
    """The numbers of one instance, as far as they say whether it is trivial or impossible."""

    def __init__(self, task: "Task", drawn: Mapping[str, float]) -> None:
        self.task, self.drawn = task, drawn
        self.bodies = {body.name: body for body in task.bodies}
        self.led = {change.body: change for change in task.transitions if isinstance(change, Wave | Steer)}

    def number(self, block: Any, part: str, field: str) -> float:
        value: Quantity = getattr(block, field)
        return self.drawn.get(f"{part}.{block.name}.{field}", value)  # type: ignore[arg-type]

    def met_at_start(self, goal: Goal) -> bool:
        if goal.held or goal.crossing or goal.after or goal.later or isinstance(goal.target, str):
            return False
        if goal.body in self.led:
            return False
        start = self.number(self.bodies[goal.body], "bodies", goal.of)
        return abs(start - self.number(goal, "goals", "target")) <= self.number(goal, "goals", "tolerance")

    def impossible(self, goal: Goal) -> str:
        body = self.bodies[goal.body]
        if isinstance(goal.target, str) or goal.of == "velocity":
            return ""
        target, width = self.number(goal, "goals", "target"), self.number(goal, "goals", "tolerance")
        if (body.low is not None and target + width < body.low) or (
            body.high is not None and target - width > body.high
        ):
            return f"lies at {target:g} ± {width:g}, outside the bounds of {body.name}"
        if goal.body in self.led:
            return ""
        return self._out_of_reach(goal, body, target, width)

    def _out_of_reach(self, goal: Goal, body: Body, target: float, width: float) -> str:
        way = target - self.number(body, "bodies", "value")
        needed = abs(way) - width
        if (
            needed <= 0
            or self.number(body, "bodies", "velocity")
            or any(isinstance(c, Kick) for c in self.task.transitions)
        ):
            return ""
        slope = self.number(body, "bodies", "slope")
        falls = -sin(slope) * way > 0
        motors = [motor for motor in self.task.motors if goal.body in motor.targets]
        if not falls and not any(way > 0 or motor.reverse > 0 for motor in motors):
            return f"asks for {body.name} to move where no motor can push it"
        if self.task.limits.energy is None or any(isinstance(c, Fuel) for c in self.task.transitions):
            return ""
        # Whatever the path, friction and the slope take this much.
        pull = self.number(body, "bodies", "kinetic") * cos(slope) + sin(slope) * (1 if way > 0 else -1)
        least = pull * self.number(body, "bodies", "mass") * self.number(body, "bodies", "gravity") * needed
        if least > self.task.limits.energy:
            return f"takes at least {least:.6g} J, and the limit is {self.task.limits.energy:g} J"
        return ""


def _refuse_twice(part: str, names: Sequence[str]) -> None:
    for name in names:
        if not name or names.count(name) > 1:
            raise BadParameter(f"Names of {part} differ from each other and are not empty; {name!r} is there twice.")


def _known(what: str, names: Iterable[str], known: Sequence[str], who: str) -> None:
    for name in names:
        if name not in known:
            see = f"It is named by {who}; there are {', '.join(known) or 'none'}."
            raise unknown(what, name, known=known, see=see)
