"""Transferring: which arms of a study are X, Y, X then Y and both within Y's time, for every pair of its tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from mensura.running.adaptivity.gathering import Courses
from mensura.running.adaptivity.levels import Levels
from mensura.stats.adaptivity import CurveTransfer, TransferForms, curve_transfer, first_reached, transfer_forms


@dataclass(frozen=True)
class Carried:
    """What training on one task does for another, for one subject, by one way of probing."""

    who: str
    first: str
    second: str
    way: str
    """"frozen" or "learning": how levels were probed."""
    forms: TransferForms
    curves: CurveTransfer | None


def tasks_of(courses: Courses) -> list[str]:
    """List the tasks that were trained, in the order in which they first were."""
    return list(dict.fromkeys(one.phase.task or one.phase.name for one in courses.training))


def trained(courses: Courses, task: str) -> int:
    """Return how many sessions were spent on a task."""
    return sum(one.phase.sessions for one in courses.training if (one.phase.task or one.phase.name) == task)


def pairs(levels: Levels) -> list[Carried]:
    """Find every transfer from one task to another that the arms of a study allow to be measured."""
    found = []
    by_subject: dict[tuple[str, str], list[Courses]] = {}
    for one in levels.sound:
        condition = one.cell.condition.removesuffix(one.cell.arm)
        by_subject.setdefault((one.cell.cast.name, f"{one.cell.test} {condition}"), []).append(one)
    for (who, _), arms in by_subject.items():
        tasks = list(dict.fromkeys(task for one in arms for task in tasks_of(one)))
        for first, second in permutations(tasks, 2):
            roles = arm_roles(arms, first, second)
            if "x" in roles or {"y", "x_then_y"} <= set(roles) or {"y", "split"} <= set(roles):
                found += [
                    _carried(levels, roles, (who, first, second), way=way)
                    for way in ("frozen", "learning")
                    if any(one.probes(frozen=way == "frozen") for one in roles.values())
                ]
    return found


def arm_roles(arms: Sequence[Courses], first: str, second: str) -> dict[str, Courses]:
    """Return which arm is which for the transfer from one task to another; those that are not there are left out."""
    roles: dict[str, Courses] = {}
    alone = next((one for one in arms if tasks_of(one) == [second]), None)
    for one in arms:
        tasks, spent = tasks_of(one), (trained(one, first), trained(one, second))
        if tasks == [first]:
            roles.setdefault("x", one)
        elif one is alone:
            roles["y"] = one
        elif alone is not None and set(tasks) == {first, second}:
            if tasks[0] == first and spent[1] == trained(alone, second) and len(one.training) == 2:
                roles.setdefault("x_then_y", one)
            elif sum(spent) == trained(alone, second) and (tasks[0] == first or len(one.training) > 2):
                roles.setdefault("split", one)
    return roles


def _carried(levels: Levels, roles: dict[str, Courses], named: tuple[str, str, str], *, way: str) -> Carried:
    who, first, second = named
    arms: dict[str, dict[str, Any]] = {}
    for role, one in roles.items():
        last = len(one.training)
        held: dict[str, Any] = {}
        for name, task in (("on_x", first), ("on_y", second)):
            probes = [
                taken for at, taken in one.probes(frozen=way == "frozen") if at == last and taken.phase.task == task
            ]
            if probes and (name == "on_y" or role == "x"):
                held[name] = levels.scaled(one, probes[-1], probes[-1].levels).tolist()
        if role in ("y", "x_then_y"):
            held |= _spent(levels, one, second)
        if role == "x_then_y" and "time" in held:
            held["time_on_x"] = float(trained(one, first))
        arms[role] = held
    watched = float(trained(roles["y"], second)) if "y" in roles else None
    forms = transfer_forms({role: held for role, held in arms.items() if held}, horizon=watched)
    curves = None
    if {"y", "x_then_y"} <= set(roles):
        after, alone = (levels.curve(roles[role], second) for role in ("x_then_y", "y"))
        whole = ~(np.isnan(after).any(axis=1) | np.isnan(alone).any(axis=1))
        curves = curve_transfer(after=after[whole], alone=alone[whole]) if whole.sum() else None
    return Carried(who, first, second, way, forms, curves)


def _spent(levels: Levels, one: Courses, task: str) -> dict[str, list[float]]:
    """Return the sessions that each course took to reach the level on a task, and the knowledge it added."""
    spent: dict[str, list[float]] = {}
    reach, block = levels.measures.reach, levels.measures.block
    if reach is not None:
        spent["time"] = (
            first_reached(list(levels.curve(one, task)), target=reach, better=levels.better) * block
        ).tolist()
    known = np.concatenate(
        [each.knowledge for each in one.training if (each.phase.task or each.phase.name) == task], axis=1
    )
    if not np.isnan(known).all():
        spent["knowledge"] = (known[:, -1] - known[:, 0]).tolist()
    return spent
