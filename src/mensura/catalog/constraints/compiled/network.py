"""Network: a problem of binary constraints as arrays, each agent with one variable."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.constraints.problem.problem import Problem

Ints = np.ndarray[Any, Any]
WIDEST = 64
"""Values that a mask of one word has room for."""


@dataclass(frozen=True)
class LinkedAgents:
    """Agents by number, in the order of the problem; links of an agent stand together, in the order of its neighbours.

    Link e leads from agent `source[e]` to `target[e]`; `back[e]` is the same link seen from the other side.
    """

    names: tuple[str, ...]
    ranks: Ints
    sizes: Ints
    """How many values each agent has."""
    first: Ints
    """Where the links of agent i begin; they end where those of i + 1 begin."""
    source: Ints
    target: Ints
    back: Ints
    masks: Ints
    """Link and value of the target → the values of the source that it allows, as a mask."""

    @property
    def count(self) -> int:
        """How many agents there are."""
        return len(self.names)


def linked_agents(problem: Problem, ranks: Mapping[str, int]) -> LinkedAgents | None:
    """Write a problem as arrays; None where the plain form is needed.

    That is where an agent has several variables, a constraint other than two, or a domain more values than a mask has
    bits; and where a problem is about costs or constraints are known to one side only.
    """
    values, constraints = problem.values, problem.constraints
    if problem.objective != "satisfy" or any(len(held) != 1 for held in problem.agents.values()):
        return None
    if any(len(one.scope) != 2 or one.known_to is not None for one in constraints):
        return None
    if max(map(len, values.values()), default=0) > WIDEST:
        return None
    names = tuple(problem.agents)
    number = {problem.agents[name][0]: place for place, name in enumerate(names)}
    pairs = np.array([[number[name] for name in one.scope] for one in constraints], dtype=np.int64).reshape(-1, 2)
    if len({(min(a, b), max(a, b)) for a, b in pairs.tolist()}) < len(pairs):
        return None
    sizes = np.array([len(values[problem.agents[name][0]]) for name in names])
    widest = int(sizes.max(initial=1))
    near = [[number[problem.agents[other][0]] for other in problem.neighbours(name)] for name in names]
    first = np.concatenate([[0], np.cumsum([len(one) for one in near])])
    source = np.repeat(np.arange(len(names)), np.diff(first))
    target = np.array([other for one in near for other in one], dtype=np.int64)
    place = {(a, b): edge for edge, (a, b) in enumerate(zip(source.tolist(), target.tolist(), strict=True))}
    back = np.array([place[b, a] for a, b in place], dtype=np.int64)
    masks = np.zeros((len(target), widest), dtype=np.uint64)
    for (a, b), one in zip(pairs.tolist(), constraints, strict=True):
        table = one.table if one.table.dtype == bool else np.isfinite(one.table)
        weights = np.uint64(1) << np.arange(widest, dtype=np.uint64)
        masks[place[a, b], : table.shape[1]] = weights[: table.shape[0]] @ table.astype(np.uint64)
        masks[place[b, a], : table.shape[0]] = table.astype(np.uint64) @ weights[: table.shape[1]]
    ranked = np.array([ranks[name] for name in names])
    return LinkedAgents(names, ranked, sizes, first, source, target, back, masks)
