"""Brute force: every assignment, variable by variable, with all that violate something dropped."""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from mensura.catalog.constraints.problem.problem import Problem

MOST = 2_000_000
"""Partial assignments that are held at once; beyond, a problem is not small."""


@dataclass(frozen=True)
class Exhausted:
    """What trying everything found: how many assignments are best (all that are allowed, without costs), and one."""

    solutions: int
    optimum: float | None
    assignment: dict[str, Any] | None


def try_all(problem: Problem, *, most: int = MOST) -> Exhausted | None:
    """Try every assignment; None where that would be more than `most` at once.

    Components that share nothing are tried apart: their solutions multiply and their costs add up.
    """
    parts = [_component(problem, names, most) for names in components(problem)]
    found = [part for part in parts if part is not None]
    if not all(part.solutions for part in found):
        return Exhausted(0, None, None)
    if len(found) < len(parts):
        return None
    assignment = {name: value for part in found for name, value in (part.assignment or {}).items()}
    best = sum(part.optimum or 0.0 for part in found)
    return Exhausted(
        prod(part.solutions for part in found), best, {name: assignment[name] for name in problem.variables}
    )


def components(problem: Problem) -> list[list[str]]:
    """Return the variables of each part that shares nothing with the others, in an order that joins early."""
    near: dict[str, dict[str, None]] = {name: {} for name in problem.variables}
    for constraint in problem.constraints:
        for name in constraint.scope:
            near[name].update(dict.fromkeys(constraint.scope))
    left, parts = dict.fromkeys(problem.variables), []
    while left:
        part = [next(iter(left))]
        del left[part[0]]
        joined: dict[str, int] = {}
        while True:
            for name in near[part[-1]]:
                if name in left:
                    joined[name] = joined.get(name, 0) + 1
            if not joined:
                break
            part.append(max(joined, key=joined.__getitem__))
            del left[part[-1]], joined[part[-1]]
        parts.append(part)
    return parts


def _component(problem: Problem, names: list[str], most: int) -> Exhausted | None:
    column = {name: i for i, name in enumerate(names)}
    waiting: list[list[Any]] = [[] for _ in names]
    for constraint in problem.constraints:
        if constraint.scope[0] in column:
            waiting[max(column[name] for name in constraint.scope)].append(constraint)
    rows = np.zeros((1, 0), dtype=np.int16)
    cost = np.zeros(1)
    for i, name in enumerate(names):
        size = len(problem.values[name])
        if len(rows) * size > most:
            return None
        rows = np.hstack([np.repeat(rows, size, axis=0), np.tile(np.arange(size, dtype=np.int16), len(rows))[:, None]])
        cost = np.repeat(cost, size)
        for constraint in waiting[i]:
            cells = constraint.table[tuple(rows[:, column[other]] for other in constraint.scope)]
            kept = cells if constraint.hard else np.isfinite(cells)
            cost = cost[kept] if constraint.hard else cost[kept] + cells[kept]
            rows = rows[kept]
    if not len(rows):
        return Exhausted(0, None, None)
    best = int(np.argmax(cost) if problem.objective == "max" else np.argmin(cost))
    alike = int(np.sum(np.abs(cost - cost[best]) < 1e-9))
    values = {name: problem.values[name][place] for name, place in zip(names, rows[best].tolist(), strict=True)}
    return Exhausted(alike, float(cost[best]), values)
