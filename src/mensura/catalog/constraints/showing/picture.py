"""Picture: where the agents of a problem are drawn: on a board, a lattice or a terrain, or as springs would have it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from mensura.catalog.constraints.families.chain import Chain
from mensura.catalog.constraints.families.robots import STEPS, Exploration
from mensura.catalog.constraints.problem.problem import Problem

Places = np.ndarray[Any, Any]
ROUNDS = 120
LARGEST = 2000
"""Agents up to which springs are reckoned with; more stand in rows."""
LEAN = 0.3
"""How far a robot leans the way that it wants to go, in cells."""


def picture_of(problem: Problem, *, chain: Chain | None = None) -> dict[str, Any]:
    """Return where agents stand, in units of about the distance of neighbours.

    `at` is where each agent stands; `steps` is how far each value of each domain moves it from there, and `rest`
    where it stands while it has no value. `board` is how many columns and rows of cells lie beneath, and `cells` their
    rows: "#" blocked, "." explored.
    """
    if isinstance(chain, Exploration):
        return _terrain(problem, chain)
    if "lattice" in problem.notes:
        return _lattice(problem, problem.notes)
    place = problem.place
    if place is None or any(variable not in place for variable in problem.variables):
        return {"kind": "network", "at": _rounded(springs(problem))}
    at = [place[held[0]] if held else (0.0, 0.0) for held in problem.agents.values()]
    if problem.name != "queens":
        return {"kind": "network", "at": _rounded(at)}
    n = len(at)
    steps = [[(column, 0) for column in range(len(values))] for values in problem.domains.values()]
    return {"kind": "board", "at": at, "steps": steps, "rest": [(-1.0, y) for _, y in at], "board": [n, n]}


def _terrain(problem: Problem, chain: Exploration) -> dict[str, Any]:
    blocked, explored = chain.grid.blocked, chain.explored
    cells = [
        "".join("#" if wall else "." if seen else " " for wall, seen in zip(*rows, strict=True))
        for rows in zip(blocked, explored, strict=True)
    ]
    steps = [
        [(LEAN * STEPS[value][0], LEAN * STEPS[value][1]) for value in values] for values in problem.domains.values()
    ]
    side = chain.grid.side
    return {
        "kind": "terrain",
        "at": [list(map(float, cell)) for cell in chain.at],
        "steps": steps,
        "board": [side, side],
        "cells": cells,
    }


def _lattice(problem: Problem, notes: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a chain in its box; the third axis of a cubic one goes up and to the right."""
    side, flat = int(notes["side"]), notes["lattice"] == "square"

    def spot(cell: int) -> tuple[float, float]:
        x, y, z = cell % side, cell // side % side, 0 if flat else cell // side**2
        return x + 0.35 * z, y - 0.35 * z

    steps = [[spot(value) for value in values] for values in problem.domains.values()]
    n = len(problem.agents)
    # Who has no cell yet waits beneath the box, in rows as wide as it is.
    rest = [(float(i % side), side + 0.3 + 0.8 * (i // side)) for i in range(n)]
    found = {
        "kind": "lattice",
        "at": [(0.0, 0.0)] * n,
        "steps": steps,
        "rest": rest,
        "chain": True,
        "marks": notes["sequence"],
    }
    return found | ({"board": [side, side]} if flat else {})


def springs(problem: Problem) -> Places:
    """Place agents so that linked ones are near and others apart, the same way each time."""
    index = {agent: place for place, agent in enumerate(problem.agents)}
    links = ((index[agent], index[one]) for agent, near in problem.graph.items() for one in near)
    return _springs(len(index), tuple(links))


@lru_cache(maxsize=8)
def _springs(n: int, links: tuple[tuple[int, int], ...]) -> Places:
    """Let forces act on what is placed evenly at first [1]_; two algorithms on one instance share the work.

    References
    ----------
    .. [1] Fruchterman and Reingold (1991), Software: Practice and Experience 21, 1129-1164.
    """
    if n > LARGEST:
        wide = int(np.ceil(n**0.5))
        return np.array([(i % wide, i // wide) for i in range(n)], dtype=float)
    linked = np.zeros((n, n), dtype=np.float32)
    if links:
        linked[tuple(np.array(links).T)] = 1
    # A sunflower's seeds: spread evenly, and no two in line.
    turn, far = np.arange(n) * 2.399963, np.sqrt(np.arange(n) + 0.5)
    at: Places = (np.column_stack([np.cos(turn), np.sin(turn)]) * far[:, None]).astype(np.float32)
    for heat in np.linspace(0.15 * n**0.5 + 0.3, 0.02, ROUNDS if n <= 300 else ROUNDS // 3):
        square = (at**2).sum(1)
        apart = np.maximum(square[:, None] + square[None] - 2 * at @ at.T, np.float32(0.01))
        # Push ~ 1/d along the line, pull ~ d² along a link; both as weights of the difference of places. A weak pull to
        # the middle keeps parts together that nothing links.
        weight = 1 / apart - linked * np.sqrt(apart)
        move = weight.sum(1)[:, None] * at - weight @ at - np.float32(0.01) * at
        length = np.sqrt((move**2).sum(1, keepdims=True)) + np.float32(1e-9)
        at = at + move / length * np.minimum(length, np.float32(heat))
    return at


def _rounded(at: Any) -> list[list[float]]:
    return [[round(float(x), 3), round(float(y), 3)] for x, y in at]
