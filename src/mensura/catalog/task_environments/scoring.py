"""Scores of task environments: one number for each attempt."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mensura.catalog.task_environments.task.quantity import highest
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import Items, Record, Score, Scores


def result_key(attempt: int) -> str:
    """Return the key under which the result of an attempt is kept."""
    return f"result{attempt}"


def scores(*, task: str, physics: str, **others: Any) -> tuple[Score, ...]:
    """Declare the scores; an attempt that is not solved counts as having spent all that it may.

    Regrets are only given in `exact` physics: the others create energy, and the curve is not theirs.
    """
    found = find_task(task)
    time, energy = found.limits.time, energy_limit(found)
    declared = (
        Score("solved", better="more", proportion=True),
        Score("goals_met", better="more", low=0, high=1),
        Score("time", better="less", low=0, high=time, unit="seconds"),
        Score("energy", better="less", low=0, high=energy, unit="joules"),
    )
    if physics == "exact":
        return (
            *declared,
            Score("regret_time", better="less", low=0, high=time, unit="seconds"),
            Score("regret_energy", better="less", low=0, high=energy, unit="joules"),
        )
    return (*declared, Score("created", better=None, low=0, unit="joules", unanswered=None))


def energy_limit(task: Task) -> float:
    """Return the most energy that an attempt can be charged with."""
    flat = task.flat
    if flat.limits.energy is not None:
        return flat.limits.energy
    return flat.limits.time * sum(highest(motor.power) * max(1.0, motor.reverse) for motor in flat.motors)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score every attempt of a session; one that never ended, or that we lost, has no score of its own."""
    attempts = range(record.parameters["episodes"])
    keys = [f"attempt{attempt}" for attempt in attempts]
    lost = {answer.key for answer in record.answers if answer.status == "lost"}
    results = [None if keys[attempt] in lost else truths.get(result_key(attempt)) for attempt in attempts]
    return make_scores(results, keys, parameters=record.parameters)


def make_scores(
    results: Iterable[Mapping[str, Any] | None], keys: Iterable[str], *, parameters: Mapping[str, Any]
) -> Scores:
    """Make scores of what came of attempts, in the plain and the batch form alike."""
    task, exact = find_task(parameters["task"]), parameters["physics"] == "exact"
    names, keys = [one.name for one in scores(**parameters)], tuple(keys)
    table, kinds = np.empty((len(keys), len(names))), set()
    for place, result in enumerate(results):
        table[place], kind = _score_attempt(task, result, exact=exact)
        kinds |= {kind} - {""}
    return Scores(
        {name: Items(table[:, place], keys) for place, name in enumerate(names)},
        {"task": task.id, "oracle": sorted(kinds)},
    )


def _score_attempt(task: Task, result: Mapping[str, Any] | None, *, exact: bool) -> tuple[list[float], str]:
    if result is None:
        return [np.nan] * (6 if exact else 5), ""
    solved, most, longest = bool(result["solved"]), energy_limit(task), task.limits.time
    # The last step may go a little beyond the limits, which is no worse than reaching them.
    time, energy = (min(result["time"], longest), min(result["energy"], most)) if solved else (longest, most)
    found = [float(solved), result["goals_met"], time, energy]
    if not exact:
        return [*found, result["created"]], ""
    regrets, kind = _regrets(task, result["drawn"], time, energy, solved=solved)
    return [*found, *regrets], kind


def _regrets(
    task: Task, drawn: list[float], time: float, energy: float, *, solved: bool
) -> tuple[tuple[float, float], str]:
    """Return how much longer and costlier it was than the same instance has to be, and how the least is known."""
    from mensura.catalog.task_environments.oracle.find import oracle_of

    oracle = oracle_of(task.fix(drawn))
    if not solved:
        return (time - oracle.t_min, energy - oracle.e_min), oracle.kind
    # At the fastest, rounding must not ask for what nothing could do.
    return (time - oracle.least_time(energy), energy - oracle.least_energy(max(time, oracle.t_min))), oracle.kind
