"""The eleven properties of a task environment as numbers from 0 to 1, by simulation where there is something to run."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.task_environments.physics.batch import Batch
from mensura.catalog.task_environments.physics.program import compile_task
from mensura.catalog.task_environments.task.goal import TaskLimits
from mensura.catalog.task_environments.task.quantity import highest, lowest
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Kick, Shut, Wave
from mensura.catalog.task_environments.theory.making import split
from mensura.dialogue import generator

Floats = NDArray[np.float64]
DEFINITIONS = {
    "determinism": "1 / (1 + s): s is the standard deviation of readings when one instance is acted on in one way again"
    " and again, in widths of the bodies",
    "ergodicity": "how much of a random excursion of the bodies is undone by pushing them back for twice as long",
    "continuity": "1 - r: r is the resolution of sensors in widths of the bodies, at most 1, their mean",
    "asynchrony": "l / (1 + l): l is the latency of sensors in ticks, their mean",
    "dynamism": "d / (1 + d): d is the way that bodies make while nobody acts, in widths, their mean",
    "observability": "share of the variance of values and velocities of all bodies that a linear reading of the sensors"
    " of the same moment explains, while motors are set at random",
    "controllability": "c / (1 + c): c is how far random actions bring bodies from where they are without any, in"
    " widths, their mean",
    "parallel causal chains": "1 - 1 / n: n is the number of parts, each with goals, that have nothing to do with"
    " each other",
    "agents": "1 - 1 / n: n is the number of agents",
    "periodicity": "c / (1 + c): c is how many times periodic events recur within the limit of time, all together",
    "repeatability": "1 / (1 + s): s is the standard deviation of values when instances of the family are acted on in"
    " one way, in widths of the bodies",
}
"""What each number is. A body's width is the distance between its bounds, else from its start to its goal, else 1."""
INSTANCES, TICKS, HELD = 24, 40, 4
STEP = 0.005
"""Seconds of a step: `exact` physics needs no finer one for numbers that are read to three digits."""


def properties_of(task: Task, rng: np.random.Generator) -> dict[str, float]:
    """Compute the eleven properties, in the order of `DEFINITIONS`.

    Numbers of two tasks compare best with generators of one seed: both are then acted on in the same way.
    """
    # Without goals and limits a run is not cut short where chance happens to solve the task.
    free = replace(task.flat, goals=(), limits=TaskLimits(time=1e6))
    seeds = [int(seed) for seed in rng.integers(2**63, size=4)]
    # Goals are left out, and with them the ranges of their targets and tolerances.
    shares = generator(seeds[0]).random((INSTANCES, len(free.ranges)))
    drawn = np.array([free.numbers(row) for row in shares]).reshape(INSTANCES, len(free.ranges))
    middle = np.tile(free.numbers([0.5] * len(free.ranges)), (INSTANCES, 1))
    each, one = _actions(free, seeds[1], INSTANCES), np.repeat(_actions(free, seeds[2], 1), INSTANCES, axis=1)
    wide = widths(task)
    acted = _Run(free, drawn, each, seeds[3])
    idle = _Run(free, drawn, np.zeros_like(each), seeds[3])
    repeated = _Run(free, drawn, one, seeds[3])
    again = _Run(free, middle, one, seeds[3])
    seen = [wide[[body.name for body in free.bodies].index(name)] for name in _read_bodies(free)]
    sensors = free.sensors
    found = {
        "determinism": 1 / (1 + _mean(again.readings.std(axis=1) / seen)) if sensors else 1.0,
        "ergodicity": _undone(free, drawn, each),
        "continuity": 1 - _mean([min(s.resolution / w, 1) for s, w in zip(sensors, seen, strict=True)]),
        "asynchrony": _squash(_mean([sensor.latency for sensor in sensors]) / acted.tick),
        "dynamism": _squash(_mean(np.abs(np.diff(idle.values, axis=0)).sum(axis=0) / wide)),
        "observability": _explained(acted),
        "controllability": _squash(_mean(np.abs(acted.values - idle.values) / wide)),
        "parallel causal chains": 1 - 1 / len(split(task)),
        "agents": 1 - 1 / max(len(task.roles), 1),
        "periodicity": _squash(sum(_recurs(change, task.limits.time) for change in free.transitions)),
        "repeatability": 1 / (1 + _mean(repeated.values.std(axis=1) / wide)),
    }
    return {name: float(found[name]) for name in DEFINITIONS}


def widths(task: Task) -> Floats:
    """Return the width of each body, by which distances are measured."""
    found = []
    for body in task.flat.bodies:
        width = 0.0
        if body.low is not None and body.high is not None:
            width = body.high - body.low
        for goal in task.flat.goals:
            if not width and goal.body == body.name and goal.of == "value" and not isinstance(goal.target, str):
                width = max(
                    abs(lowest(goal.target) - highest(body.value)), abs(highest(goal.target) - lowest(body.value))
                )
        found.append(width or 1.0)
    return np.array(found)


class _Run:
    """What happened to some instances: values, velocities and readings by tick, instance and column."""

    def __init__(self, task: Task, drawn: Floats, powers: Floats, seed: int) -> None:
        batch, rng = Batch(task, drawn, step=STEP), generator(seed)
        self.tick = batch.tick_seconds
        values, velocities, readings = [batch.value.copy()], [batch.velocity.copy()], [batch.sense(rng)]
        for row in powers:
            batch.tick(row)
            values.append(batch.value.copy())
            velocities.append(batch.velocity.copy())
            readings.append(batch.sense(rng))
        self.values, self.velocities, self.readings = np.array(values), np.array(velocities), np.array(readings)
        self.batch = batch


def _actions(task: Task, seed: int, count: int) -> Floats:
    """Return random powers by tick, instance and motor, each held for some ticks."""
    motors = [motor for motor in task.motors if motor.agents]
    # A range of power is acted on within its weakest motor, which all instances have.
    high = np.array([lowest(motor.power) for motor in motors])
    low = -high * [motor.reverse for motor in motors]
    drawn = generator(seed).random((TICKS // HELD, count, len(motors)))
    return np.repeat(low + (high - low) * drawn, HELD, axis=0)


def _undone(task: Task, drawn: Floats, powers: Floats) -> float:
    run = _Run(task, drawn, powers[: TICKS // 2], 0)
    batch, start, away = run.batch, run.values[0], run.values[-1]
    motors = [motor for motor in batch.task.motors if motor.agents]
    fixed = compile_task(task).fixed
    targets = fixed.share[[batch.task.motors.index(motor) for motor in motors]] > 0
    most = np.array([lowest(motor.power) for motor in motors])
    least = -most * [motor.reverse for motor in motors]
    nearest = np.abs(away - start)
    moved = nearest > 1e-6
    for _ in range(TICKS):
        back = (start - batch.value) @ targets.T
        batch.tick(np.where(back > 0, most, least))
        # Who has passed its start between two ticks was there.
        passed = (batch.value - start) * (away - start) <= 0
        nearest = np.where(passed, 0.0, np.minimum(nearest, np.abs(batch.value - start)))
    undone = 1 - nearest[moved] / np.abs(away - start)[moved]
    return _mean(undone) if undone.size else 1.0


def _explained(run: _Run) -> float:
    """Return the mean share of variance of each part of the state that readings explain, fitted by least squares."""
    readings = run.readings.reshape(-1, run.readings.shape[-1])
    states = np.concatenate((run.values, run.velocities), axis=2).reshape(len(readings), -1)
    states = states[:, states.std(axis=0) > 1e-9]
    if not states.shape[1]:
        return 1.0
    design = np.column_stack((np.ones(len(readings)), readings))
    left = states - design @ np.linalg.lstsq(design, states, rcond=None)[0]
    return _mean(1 - left.var(axis=0) / states.var(axis=0))


def _read_bodies(task: Task) -> list[str]:
    """Return for each sensor the first body that it reads, directly or by other sensors."""
    bodies, sensors = {body.name for body in task.bodies}, {sensor.name: sensor for sensor in task.sensors}
    found = []
    for sensor in task.sensors:
        name = sensor.of[0]
        while name not in bodies:
            name = sensors[name].of[0]
        found.append(name)
    return found


def _recurs(change: object, seconds: float) -> float:
    return seconds / lowest(change.period) if isinstance(change, Wave | Shut | Kick) else 0.0


def _squash(number: float) -> float:
    return number / (1 + number)


def _mean(numbers: object) -> float:
    array = np.asarray(numbers, dtype=float)
    return float(array.mean()) if array.size else 0.0
