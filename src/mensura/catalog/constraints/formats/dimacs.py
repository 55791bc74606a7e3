"""DIMACS `.col`: graphs to colour."""

import re

import numpy as np

from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData, BadFile, BadParameter

COLOURS = re.compile(r"c\s+colou?rs\s+(\d+)", re.IGNORECASE)


def read_dimacs(text: str, *, name: str, k: int | None = None) -> Problem:
    """Read a graph; the number of colours is k, or what a comment `c colours 3` says, or enough by a greedy colouring.

    Nodes are the variables x1, x2, ...; links that stand there twice count once.
    """
    n: int | None = None
    links: dict[tuple[int, int], None] = {}
    said: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            if comment := COLOURS.match(line.strip()):
                said = int(comment[1])
            continue
        try:
            if words[0] == "p" and words[1] in ("edge", "edges", "col"):
                n = int(words[2])
                continue
            if words[0] != "e":
                raise ValueError
            i, j = int(words[1]), int(words[2])
        except (ValueError, IndexError):
            raise BadFile(f"Line {number} is not DIMACS: {line.strip()!r}; it is `p edge N M` or `e I J`.") from None
        if n is None:
            raise BadFile(f"Line {number} has a link before the line `p edge N M`.")
        if not (1 <= i <= n and 1 <= j <= n):
            raise BadFile(f"Line {number} links {i} and {j}; nodes go from 1 to {n}.")
        if i == j:
            raise BadFile(f"Line {number} links {i} with itself.")
        links[min(i, j), max(i, j)] = None
    if not n:
        raise BadFile("There is no line `p edge N M` with at least one node.")
    colours = k if k is not None else said if said is not None else _enough(n, list(links))
    if colours < 1:
        raise BadParameter(f"Colouring needs at least one colour; got k={colours}.")
    differ = ~np.eye(colours, dtype=bool)
    names = [f"x{i + 1}" for i in range(n)]
    return Problem(
        name=name,
        objective="satisfy",
        domains={"colours": tuple(range(colours))},
        variables=dict.fromkeys(names, "colours"),
        agents={one: (one,) for one in names},
        constraints=tuple(Constraint((names[i - 1], names[j - 1]), differ) for i, j in links),
        notes={"links_per_variable": len(links) / n, "colours": "given" if k or said else "by a greedy colouring"},
    )


def write_dimacs(problem: Problem) -> str:
    """Write a problem that is nothing but a graph to colour."""
    names = list(problem.variables)
    at = {name: i + 1 for i, name in enumerate(names)}
    sizes = {len(values) for values in problem.values.values()}
    apart = ~np.eye(max(sizes), dtype=bool)
    plain = (
        problem.objective == "satisfy"
        and len(set(problem.variables.values())) == 1
        and all(len(held) == 1 for held in problem.agents.values())
        and all(len(one.scope) == 2 and one.known_to is None for one in problem.constraints)
        and all(np.array_equal(one.table, apart) for one in problem.constraints)
    )
    if not plain:
        raise BadData("DIMACS .col holds graphs to colour and nothing else; save it as .json.")
    links = [sorted(at[name] for name in one.scope) for one in problem.constraints]
    lines = [f"c colours {sizes.pop()}", f"p edge {len(names)} {len(links)}", *(f"e {i} {j}" for i, j in links)]
    return "\n".join(lines) + "\n"


def _enough(n: int, links: list[tuple[int, int]]) -> int:
    """Return how many colours a greedy colouring needs that takes nodes with most links first."""
    near: list[list[int]] = [[] for _ in range(n + 1)]
    for i, j in links:
        near[i].append(j)
        near[j].append(i)
    colour: dict[int, int] = {}
    for node in sorted(range(1, n + 1), key=lambda one: -len(near[one])):
        taken = {colour[other] for other in near[node] if other in colour}
        colour[node] = next(i for i in range(n) if i not in taken)
    return max(colour.values()) + 1
