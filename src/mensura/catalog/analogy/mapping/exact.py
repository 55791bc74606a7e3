"""Exact mapping by an integer programme; for small graphs."""

from dataclasses import replace
from typing import Any

import numpy as np

from mensura.catalog.analogy.mapping.greedy import solve_greedy
from mensura.catalog.analogy.mapping.objective import JOIN, SECOND, MappingProblem, SolvedMapping, value_of
from mensura.catalog.analogy.mapping.programme import Row, most_worth


def solve_exact(problem: MappingProblem, *, seconds: float) -> SolvedMapping:
    """Return the mapping of the greatest value, or the best found in so many seconds with the bound that is known."""
    may = problem.shapes_match()
    x = {(int(one), int(other)): at for at, (one, other) in enumerate(np.argwhere(may))}
    nothing = np.full(len(problem.relations), -1, np.int64), np.full(len(problem.concepts), -1, np.int64)
    if not x:
        return value_of(problem, nothing[1], nothing[0], bound=0.0)
    y: dict[tuple[int, int], int] = {}
    for one, other in x:
        for role in range(2):
            mine, theirs = int(problem.places[0][one, role]), int(problem.places[1][other, role])
            if mine >= 0:
                y.setdefault((mine, theirs), len(x) + len(y))
    z = {
        (at, to): len(x) + len(y) + count
        for count, (at, to) in enumerate(
            (at, to)
            for at, link in enumerate(problem.links[0].tolist())
            for to, other in enumerate(problem.links[1].tolist())
            if link[0] == other[0] and (link[1], other[1]) in x and (link[2], other[2]) in x
        )
    }
    rows = _constraints(problem, x, y, z)
    worth = np.zeros(len(x) + len(y) + len(z))
    for (one, other), at in x.items():
        roles = int((problem.places[0][one] >= 0).sum())
        worth[at] = 1 + JOIN * roles + problem.epsilon * problem.relations[one, other]
    for (one, other), at in y.items():
        worth[at] = -JOIN + problem.epsilon * problem.concepts[one, other]
    for at in z.values():
        worth[at] = SECOND
    taken, bound = most_worth(worth, rows, seconds=seconds)
    relations, concepts = nothing
    if taken is not None:
        for (one, other), at in x.items():
            if taken[at]:
                relations[one] = other
                for role in range(2):
                    if problem.places[0][one, role] >= 0:
                        concepts[problem.places[0][one, role]] = problem.places[1][other, role]
    # Where the time was too short the programme may have found nothing, or less than growth does.
    found, grown = value_of(problem, concepts, relations, bound=bound), solve_greedy(problem)
    return found if found.value >= grown.value else replace(grown, bound=found.bound)


def _constraints(
    problem: MappingProblem, x: dict[tuple[int, int], int], y: dict[tuple[int, int], int], z: dict[tuple[int, int], int]
) -> list[Row]:
    rows: list[Row] = []
    for pairs in (x, y):
        for side in range(2):
            same: dict[int, list[int]] = {}
            for pair, at in pairs.items():
                same.setdefault(pair[side], []).append(at)
            for held in same.values():
                rows.append((dict.fromkeys(held, 1.0), 1.0))
    # All relations that one relation could be mapped to with the same subject need that one pair of subjects.
    needs: dict[tuple[Any, ...], dict[int, float]] = {}
    for (one, other), at in x.items():
        for role in range(2):
            mine, theirs = int(problem.places[0][one, role]), int(problem.places[1][other, role])
            if mine >= 0:
                needed = y[mine, theirs]
                needs.setdefault(("first", one, role, needed), {needed: -1.0})[at] = 1.0
                needs.setdefault(("second", other, role, needed), {needed: -1.0})[at] = 1.0
    for row in needs.values():
        rows.append((row, 0.0))
    for side in range(2):
        shared: dict[int, dict[int, float]] = {}
        for couple, at in z.items():
            shared.setdefault(couple[side], {})[at] = 1.0
        for row in shared.values():
            rows.append((row, 1.0))
    for (link, other_link), at in z.items():
        for end in (1, 2):
            pair_of_ends = int(problem.links[0][link, end]), int(problem.links[1][other_link, end])
            rows.append(({at: 1.0, x[pair_of_ends]: -1.0}, 0.0))
    return rows
