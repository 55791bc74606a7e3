"""Behaviour: what an attempt shows beside its scores; pure functions on a record and its truths."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.task_environments.agents.oracle import OracleController
from mensura.catalog.task_environments.attempt import STOP
from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.scoring import result_key
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import Record
from mensura.errors import BadData

SHARP = 10.0
"""How much likelier a goal is of which the whole way was made than one of which none was: e to this."""


@dataclass(frozen=True)
class Path:
    """Where every body was at the start and after each tick of an attempt, what was done, and when goals were met."""

    instance: Task
    value: Floats
    velocity: Floats
    powers: Floats
    """What was set at each tick, in order: one row less than there are places."""
    numbers: list[int]
    """The number of the ask at which it was set."""
    met_at: dict[str, float]
    """Goal → seconds; infinite where it was not met."""
    solved: bool


def path_of(record: Record, truths: Mapping[str, Any], *, attempt: int = 0) -> Path:
    """Carry out the powers of an attempt again, on its own instance; for one role."""
    parameters, result = record.parameters, truths.get(result_key(attempt))
    task = find_task(parameters["task"]).flat
    if result is None:
        raise BadData(f"Attempt {attempt} has no result, so nothing can be said of how it went.")
    if len(task.roles) > 1:
        raise BadData("Behaviour is read off attempts of one role.")
    world = World(task, parameters["physics"], tick=parameters["tick"], drawn=result["drawn"])
    count = len(world.batch.limits)
    states, done, powers = [world.state], [], [0.0] * count
    for one in record.answers:
        if one.key == f"attempt{attempt}" and not world.over:
            # Who does not answer leaves the motors as they were; who stops leaves the world.
            powers = list(one.value[:count]) if one.status == "answered" else powers
            if one.status == "answered" and parameters["signals"] and round(one.value[-1]) == STOP:
                break
            world.tick(powers, cut=True)
            states.append(world.state)
            done.append((one.number, powers))
    met = dict(zip((goal.name for goal in task.goals), world.batch.met_at[0].tolist(), strict=True))
    return Path(
        task.fix(result["drawn"]),
        np.array([state.value for state in states]),
        np.array([state.velocity for state in states]),
        np.array([powers for _, powers in done]).reshape(-1, count),
        [number for number, _ in done],
        met,
        world.solved,
    )


def first_deviation(path: Path, *, tick: float, width: float, energy: float | None = None) -> float | None:
    """Return when a body with a goal was first more than `width` from where the oracle's would be; None if none was.

    Parameters
    ----------
    energy
        What the oracle may spend; none: it takes the fastest way.
    """
    oracle, world = OracleController(path.instance, energy=energy), World(path.instance, tick=tick)
    aimed = {goal.body for goal in path.instance.goals}
    bodies = [place for place, body in enumerate(path.instance.bodies) if body.name in aimed]
    for number, places in enumerate(path.value[1:], start=1):
        if not world.over:
            world.tick(oracle.powers((number - 1) * tick, tick))
        if np.abs(places - world.state.value)[bodies].max() > width:
            return number * tick
    return None


def goal_performance(path: Path) -> dict[str, float]:
    """Return for each goal the share of the way to its edge that was made, at best: 1 where it was met."""
    found = {}
    for goal in path.instance.goals:
        way = distances(path, goal.body, goal.target, goal.tolerance) if goal.of == "value" else np.ones(1)
        share = 1 - way.min() / way[0] if way[0] > 0 else 0.0
        found[goal.name] = 1.0 if path.met_at[goal.name] < np.inf else float(share)
    return found


def likeliest_goal(path: Path, targets: Mapping[str, tuple[str, float]]) -> dict[str, float]:
    """Return how likely each target (body, place) is to be what was pursued, by the share of its way that was made.

    All are taken as alike before; a target that was passed and left behind again counts by where it ended.
    """
    if not targets:
        raise BadData("Name the goals that may have been pursued.")
    shares = []
    for body, place in targets.values():
        way = distances(path, body, place, 0.0)
        shares.append(max(1 - way[-1] / way[0], -1.0) if way[0] > 0 else -1.0)
    weights = np.exp(SHARP * (np.array(shares) - max(shares)))
    return dict(zip(targets, (weights / weights.sum()).tolist(), strict=True))


def pursued(path: Path) -> dict[str, float]:
    """Return how likely each goal of the task, and of others that it names, is to be what was pursued.

    Goals that are places of bodies take part; empty where there are fewer than two.
    """
    goals = [*path.instance.goals, *path.instance.others]
    targets = {
        goal.name: (goal.body, float(goal.target))
        for goal in goals
        if goal.of == "value" and isinstance(goal.target, int | float)
    }
    return likeliest_goal(path, targets) if len(targets) > 1 else {}


def distances(path: Path, body: str, target: Any, width: Any) -> Floats:
    """Return how far a body was from the edge of a target at the start and after each tick."""
    names = [one.name for one in path.instance.bodies]
    there = path.value[:, names.index(target)] if isinstance(target, str) else float(target)
    found: Floats = np.maximum(np.abs(path.value[:, names.index(body)] - there) - float(width), 0.0)
    return found
