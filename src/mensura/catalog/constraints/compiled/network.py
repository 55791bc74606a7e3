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
    pairs = np.array([[number[a], number[b]] for a, b in (one.scope for one in constraints)], dtype=np.int64)
    pairs = pairs.reshape(-1, 2)
    sizes = np.array([len(values[problem.agents[name][0]]) for name in names])
    both = np.concatenate([pairs, pairs[:, ::-1]])
    edge = np.lexsort((both[:, 1], both[:, 0]))
    source, target = both[edge].T
    if ((np.diff(source) == 0) & (np.diff(target) == 0)).any():
        return None
    first = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=len(names)))])
    place = np.argsort(edge)
    there, back = place[: len(pairs)], place[len(pairs) :]
    masks = np.zeros((len(target), int(sizes.max(initial=1))), dtype=np.uint64)
    # Tables of one shape are written together: a thousand agents have thousands.
    shapes: dict[tuple[int, ...], list[int]] = {}
    for link, one in enumerate(constraints):
        shapes.setdefault(one.table.shape, []).append(link)
    for (rows, columns), links in shapes.items():
        tables = np.array([constraints[link].table for link in links])
        masks[there[links], :columns] = _as_masks(tables.transpose(0, 2, 1))
        masks[back[links], :rows] = _as_masks(tables)
    ranked = np.array([ranks[name] for name in names])
    return LinkedAgents(names, ranked, sizes, first, source, target, np.roll(place, len(pairs))[edge], masks)


def _as_masks(tables: Ints) -> Ints:
    """Write the last axis of tables as the bits of a word."""
    octets = np.packbits(tables, axis=-1, bitorder="little")
    words = np.zeros((*octets.shape[:-1], 8), np.uint8)
    words[..., : octets.shape[-1]] = octets
    return words.view("<u8")[..., 0]
