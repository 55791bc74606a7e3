"""Failing: what an attempt that was not solved shows of how it failed, by acts and what was true."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.task_environments.attempt import HELP, STOP
from mensura.catalog.task_environments.behaviour import Path, distances, path_of
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import Record

HOME = 0.1
"""How near its start a body is safe, as a share of its way to the goal from there."""
LEAST_TRIES = 2
"""One push from rest may be an attempt that was given up; who tries twice wants to know something."""


def failing(record: Record, truths: Mapping[str, Any]) -> dict[str, list[int]] | None:
    """Return at which asks the subject did what tells how it fails; None where that cannot be told.

    stopped, asked for help
        By its signals.
    retreated to safety
        The attempt was not solved and ends with every body within a tenth of its way from its start, after one was
        farther out, and with all motors at rest. It is dated by the first ask of that rest.
    gathered information
        The attempt was not solved, and at least twice a motor was tried: set for one tick while all bodies were at
        rest, and then let be until they were again. Each try is dated.
    took up another task
        The attempt was not solved and ends within a goal that the task names as another's and that it began outside of.
        It is dated by the first ask from which its body only came nearer.
    """
    if len(find_task(record.parameters["task"]).roles) > 1:
        return None
    found: dict[str, list[int]] = {
        "retreated to safety": [],
        "gathered information": [],
        "took up another task": [],
        **_signals(record),
    }
    for attempt in range(record.parameters["episodes"]):
        if truths.get(f"result{attempt}") is None:
            continue
        path = path_of(record, truths, attempt=attempt)
        if path.solved or not path.numbers:
            continue
        found["retreated to safety"] += _retreat(path)
        tries = _tries(path)
        found["gathered information"] += tries if len(tries) >= LEAST_TRIES else []
        found["took up another task"] += _other(path)
    return found


def _signals(record: Record) -> dict[str, list[int]]:
    if not record.parameters["signals"]:
        return {}
    given = [(one.number, round(one.value[-1])) for one in record.answers if one.status == "answered"]
    signals = {"stopped": STOP, "asked for help": HELP}
    return {way: [number for number, said in given if said == signal] for way, signal in signals.items()}


def _retreat(path: Path) -> list[int]:
    out = np.zeros(len(path.value), dtype=bool)
    names = [body.name for body in path.instance.bodies]
    for goal in path.instance.goals:
        if goal.of == "value":
            way = distances(path, goal.body, goal.target, goal.tolerance)[0]
            places = path.value[:, names.index(goal.body)]
            out |= np.abs(places - places[0]) > HOME * way
    resting = (path.powers == 0).all(axis=1) & ~out[1:]
    if not resting[-1] or not out.any():
        return []
    return [path.numbers[_first_of_last(resting)]]


def _tries(path: Path) -> list[int]:
    still, on = (path.velocity == 0).all(axis=1), (path.powers != 0).any(axis=1)
    found, last = [], len(on)
    for tick in np.flatnonzero(on & still[:-1] & ~np.r_[False, on[:-1]]):
        # Where bodies came to rest after the push, before which nothing may be set.
        rest = next((later for later in range(tick + 1, last + 1) if still[later]), last + 1)
        if rest <= last and not on[tick + 1 : rest].any() and not (rest < last and rest == tick + 1 and on[rest]):
            found.append(path.numbers[tick])
    return found


def _other(path: Path) -> list[int]:
    ways = [distances(path, goal.body, goal.target, goal.tolerance) for goal in path.instance.others]
    return [path.numbers[_first_of_last(np.diff(way) <= 0)] for way in ways if way[-1] == 0 < way[0]]


def _first_of_last(held: Any) -> int:
    """Return where the last stretch begins that holds to the end."""
    broken = np.flatnonzero(~held)
    return min(int(broken[-1]) + 1 if len(broken) else 0, len(held) - 1)
