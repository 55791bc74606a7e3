"""Solvable: whether the limits of a task leave enough time and energy for every instance of its family."""

from dataclasses import replace
from typing import Any

import numpy as np

from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel
from mensura.errors import BadParameter

SEEDS = 100
"""How many instances of a family are looked at."""
SLACK = 1.05
"""The steps of `paper` and `original` physics make some energy, with which a little less than the least is enough."""


def refuse_unsolvable(task: Task) -> None:
    """Refuse a family one of whose instances takes more time or energy than its limits allow; name its seed.

    What it takes at least is the oracle's bound, without drag and with tanks that are empty, so that no family that can
    be solved is refused.
    """
    flat = task.flat
    if not flat.goals:
        return
    for seed in range(SEEDS if flat.ranges else 1):
        instance = flat.draw(np.random.default_rng(seed))
        if why := _unsolvable(instance):
            which = f"{task.name}, drawn with seed {seed}," if flat.ranges else task.name
            raise BadParameter(f"{which} cannot be solved: {why}.")


def _unsolvable(instance: Task) -> str:
    limits = instance.limits
    try:
        oracle = oracle_of(_lighter(instance))
        energy = np.inf if limits.energy is None else limits.energy * SLACK
        fastest = oracle.least_time(energy)
    except BadParameter as error:
        return str(error).removesuffix(".")
    if energy < oracle.e_min:
        return f"it takes at least {oracle.e_min:.6g} J, and the limit is {limits.energy:g} J"
    if fastest > limits.time * SLACK:
        spent = f" with the {limits.energy:g} J that may be spent" if fastest > oracle.t_min else ""
        return f"it takes at least {fastest:.4g} s{spent}, and the limit is {limits.time:g} s"
    return ""


def _lighter(instance: Task) -> Task:
    """Leave out what only numbers could solve and what can only slow it down."""
    fuel: dict[str, Any] = {one.body: one for one in instance.transitions if isinstance(one, Fuel)}
    bodies = [
        replace(body, drag=0.0, mass=fuel[body.name].dry if body.name in fuel else body.mass)
        for body in instance.bodies
    ]
    others = tuple(one for one in instance.transitions if not isinstance(one, Fuel))
    return replace(instance, bodies=tuple(bodies), transitions=others)
