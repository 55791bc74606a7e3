"""Transferring: which arms of a study are X, Y, X then Y and both within Y's time, for every pair of its tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from mensura.running.adaptivity.gathering import Courses
from mensura.running.adaptivity.levels import CourseLevels
from mensura.running.adaptivity.tasks import WAYS, by_subject, named, only, tasks_of, trained
from mensura.stats import Estimate
from mensura.stats.adaptivity import (
    MEASURES,
    CurveTransfer,
    TransferForms,
    curve_transfer,
    first_reached,
    transfer_forms,
    transfer_points,
)

FORMS = {
    "raw": "raw performance",
    "loss": "performance loss",
    "gain_extra": "gain with extra time",
    "gain_fixed": "gain at a fixed budget",
    "knowledge": "raw knowledge",
    "knowledge_saved": "knowledge saved",
    "training_time": "training time",
    "composite_time": "composite time",
    "detour": "is the detour worth it?",
}
LEVELLED = ("raw", "loss", "gain_extra", "gain_fixed")
"""Forms that are levels, or differences of them, and so share an axis."""
DEFINITIONS = {measure.field.partition("().")[2]: measure.definition for measure in reversed(MEASURES)}
DEFINITIONS["knowledge_saved"] = "knowledge added on Y alone - on Y after X"
Placed = tuple[Courses, int]
"""Courses of an arm, and how many of their training phases lie before the probes that are read."""


@dataclass(frozen=True)
class Carried:
    """The effects of training on one task on another, for one subject, by one way of probing."""

    who: str
    first: str
    second: str
    way: str
    """"frozen" or "learning": how levels were probed."""
    forms: TransferForms
    curves: CurveTransfer | None
    apart: str = ""
    """The reason why the arms' courses are not pairs; empty where they are."""
    points: tuple[dict[str, Any], ...] = ()
    """The same by the sessions spent on the first task, where there are several amounts of them."""


def pairs(levels: CourseLevels) -> list[Carried]:
    """Find every transfer from one task to another that the arms of a study allow to be measured."""
    return [
        one for (who, where), arms in by_subject(levels).items() for one in carried(levels, arms, who=named(who, where))
    ]


def carried(levels: CourseLevels, arms: Sequence[Courses], *, who: str) -> list[Carried]:
    """Find the transfers between all tasks of one subject that these arms allow to be measured."""
    found = []
    tasks = list(dict.fromkeys(task for one in arms for task in tasks_of(one)))
    for first, second in permutations(tasks, 2):
        for way, frozen in WAYS.items():
            one = _carried(levels, arms, first, second, frozen=frozen)
            if one is not None:
                forms, curves, points = one
                apart = "" if forms.paired else next(each.apart for each in arms if each.apart)
                found.append(Carried(who, first, second, way, forms, curves, apart, points))
    return found


def arm_roles(arms: Sequence[Courses], first: str, second: str) -> dict[str, Courses]:
    """Return which arm is which for the transfer from one task to another; those that are not there are left out."""
    roles: dict[str, Courses] = {}
    alone = only(arms, second)
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


def _carried(
    levels: CourseLevels, arms: Sequence[Courses], first: str, second: str, *, frozen: bool
) -> tuple[TransferForms, CurveTransfer | None, tuple[dict[str, Any], ...]] | None:
    roles = arm_roles(arms, first, second)
    enough = "x" in roles or {"y", "x_then_y"} <= set(roles) or {"y", "split"} <= set(roles)
    if not enough or not any(one.probes(frozen=frozen) for one in roles.values()):
        return None
    ends = {role: (one, len(one.training)) for role, one in roles.items()}
    held = _measured(levels, ends, first, second, frozen=frozen)
    horizon = float(trained(roles["y"], second)) if "y" in roles else None
    paired = not any(one.apart for one in roles.values())
    curves = None
    if {"y", "x_then_y"} <= set(roles):
        after, alone = (levels.curve(roles[role], second) for role in ("x_then_y", "y"))
        count = min(len(after), len(alone))
        whole = ~(np.isnan(after[:count]).any(axis=1) | np.isnan(alone[:count]).any(axis=1))
        sides = after[:count][whole], alone[:count][whole]
        curves = curve_transfer(after=sides[0], alone=sides[1], scale=levels.scale) if whole.any() else None
    amounts = _amounts(arms, first, second, frozen=frozen)
    points = []
    for amount, places in amounts.items():
        at_amount = _measured(levels, places, first, second, frozen=frozen)
        if at_amount.keys() - {"y"}:
            points.append({"training": amount, "arms": at_amount})
    by_training = transfer_points(points, horizon=horizon, paired=paired, scale=levels.scale) if len(points) > 1 else ()
    forms = transfer_forms(held, horizon=horizon, paired=paired, scale=levels.scale)
    forms = replace(forms, raw=_level(levels, ends.get("x"), second, forms.raw, frozen=frozen))
    for point in by_training:
        place = amounts[int(point["training"])].get("x")
        point["level"] = _level(levels, place, first, point["level"], frozen=frozen)
        raw = _level(levels, place, second, point["forms"].raw, frozen=frozen)
        point["forms"] = replace(point["forms"], raw=raw)
    return forms, curves, by_training


def _level(
    levels: CourseLevels, place: Placed | None, task: str, found: Estimate | None, *, frozen: bool
) -> Estimate | None:
    """Return the level on a task as every other table has it, where a form of transfer is one."""
    if place is None or found is None:
        return found
    one, at = place
    taken = next(each for where, each in one.probes(frozen=frozen) if where == at and each.task == task)
    return levels.level(one, taken)


def _amounts(arms: Sequence[Courses], first: str, second: str, *, frozen: bool) -> dict[int, dict[str, Placed]]:
    """Return for every amount of training on the first task the arms that have it.

    Courses that go on to something else, and were probed before they did, had that amount too.
    """
    alone = only(arms, second)
    found: dict[int, dict[str, Placed]] = {}
    for one in arms:
        for at in sorted({at for at, _ in one.probes(frozen=frozen) if at > 0}):
            amount = trained(one, first, at=at)
            if {taken.task for taken in one.training[:at]} == {first}:
                found.setdefault(amount, {}).setdefault("x", (one, at))
        both = set(tasks_of(one)) == {first, second}
        if both and alone is not None:
            places = {role: (arm, len(arm.training)) for role, arm in arm_roles([alone, one], first, second).items()}
            found[trained(one, first)] = {**places, **found.get(trained(one, first), {})}
    return dict(sorted(found.items()))


def _measured(
    levels: CourseLevels, places: Mapping[str, Placed], first: str, second: str, *, frozen: bool
) -> dict[str, dict[str, Any]]:
    """Return what each arm holds, one number per course, as `transfer_forms` takes it; empty arms are left out."""
    arms: dict[str, dict[str, Any]] = {}
    for role, (one, place) in places.items():
        held: dict[str, Any] = {}
        for name, task in (("on_x", first), ("on_y", second)):
            probes = [taken for at, taken in one.probes(frozen=frozen) if at == place and taken.task == task]
            if probes and (name == "on_y" or role == "x"):
                held[name] = levels.scaled(one, probes[-1], probes[-1].levels).tolist()
        if role in ("y", "x_then_y"):
            held |= _spent(levels, one, second)
        if role == "x" and held:
            held |= _known(one, first, at=place)
        if role == "x_then_y" and "time" in held:
            held["time_on_x"] = float(trained(one, first))
        if held:
            arms[role] = held
    return arms


def _spent(levels: CourseLevels, one: Courses, task: str) -> dict[str, list[float]]:
    """Return the sessions that each course took to reach the level on a task, and the knowledge it added."""
    spent: dict[str, list[float]] = {}
    reach, block = levels.measures.reach, levels.measures.block
    if reach is not None:
        spent["time"] = (
            first_reached(list(levels.curve(one, task, own=True)), target=reach, better=levels.better) * block
        ).tolist()
    return spent | _known(one, task)


def _known(one: Courses, task: str, *, at: int | None = None) -> dict[str, list[float]]:
    """Return the knowledge that each course added in its training on a task."""
    parts = [each.knowledge for each in one.training[:at] if each.task == task]
    known = np.concatenate(parts, axis=1)
    return {} if np.isnan(known).all() else {"knowledge": (known[:, -1] - known[:, 0]).tolist()}


def letters(first: str, second: str) -> str:
    """Return which tasks the definitions call X and Y; nothing where that is their name.

    >>> letters("race", "park"), letters("X", "Y")
    ('X is race, Y is park. ', '')
    """
    return "" if (first, second) == ("X", "Y") else f"X is {first}, Y is {second}. "
