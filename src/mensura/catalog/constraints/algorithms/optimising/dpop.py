"""Dynamic programming: tables of least costs go up the pseudo-tree, values come down."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from mensura.catalog.constraints.agent import Agent, Called
from mensura.catalog.constraints.mail.letter import Letter
from mensura.errors import BadParameter
from mensura.json_file import loads

Costs = np.ndarray[Any, Any]
Utility = tuple[tuple[str, ...], Costs]
"""Agents and what each combination of their values costs at the least, one axis for each agent."""
MOST_CELLS = 50_000_000


def write_utility(agents: Sequence[str], table: Costs) -> dict[str, Costs]:
    """Write a table for a letter, under the names of its axes: its size is its cells, as others count it too."""
    return {json.dumps(list(agents)): table}


def read_utility(data: Mapping[str, Any]) -> Utility:
    """Read a table from a letter; it may have been JSON, which knows no infinity."""
    ((agents, table),) = data.items()
    if not isinstance(table, np.ndarray):
        costs = np.asarray(table, dtype=float)
        table = np.where(np.isnan(costs), np.inf, costs)
    return tuple(loads(agents)), table


def cut_at(part: Utility, now: Mapping[str, int]) -> Utility:
    """Cut a table at the agents that are fixed."""
    agents, costs = part
    cut = costs[tuple(now.get(agent, slice(None)) for agent in agents)]
    return tuple(agent for agent in agents if agent not in now), cut


class Dpop(Agent):
    """Sends its parent what its subtree costs for every combination of values above, then takes the best value told.

    The size of a table grows exponentially with the number of ancestors that it is about; one that would be too large
    is refused before it is made.

    Parameters
    ----------
    cells
        The most cells of one table.

    References
    ----------
    .. [1] Petcu and Faltings (2005), A scalable method for multiagent constraint optimization, IJCAI, 266-271.
    """

    needs = frozenset({"one variable", "shared constraints"})
    complete = True

    def __init__(self, cells: int = MOST_CELLS) -> None:
        self.most = int(cells)

    def start(self) -> Iterator[Called]:
        """Leaves begin."""
        place = self.tree
        assert place is not None
        self.parent: str | None = place["parent"]
        self.children: tuple[str, ...] = tuple(place["children"])
        self.above = {*place["pseudo_parents"], self.parent}
        self.heard: dict[str, Utility] = {}
        yield from self.add_up()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Add up what children say; take the value that what was told allows."""
        for letter in mail:
            if letter.kind == "util":
                self.heard[letter.sender] = read_utility(letter.data)
                yield from self.add_up()
            else:
                yield from self.take(dict(letter.data))

    def add_up(self) -> Iterator[Called]:
        """Once all children have spoken, tell the parent what each of its cases costs at the least."""
        if len(self.heard) < len(self.children):
            return
        self.joint = self.join()
        agents, table = self.joint
        if self.parent is None:
            yield from self.take({})
        else:
            yield self.send(self.parent, "util", write_utility(agents[1:], table.min(axis=0)))

    def join(self) -> Utility:
        """Sum one's own constraints with those above and the children's tables, one's own axis first."""
        parts = self.parts()
        sizes = {agent: size for agents, table in parts for agent, size in zip(agents, table.shape, strict=True)}
        agents = (self.name, *sorted((one for one in sizes if one != self.name), key=self.ranks.__getitem__))
        cells = prod(sizes[agent] for agent in agents)
        if cells > self.most:
            raise BadParameter(
                f"DPOP needs a table of {cells:.3g} cells at {self.name}, about {len(agents) - 1} agents above it, and "
                f"{self.most:.3g} are allowed. Take a problem of less induced width, another tree, or mb-dpop."
            )
        self.count(cells)
        total = np.zeros([sizes[agent] for agent in agents])
        axis = {agent: place for place, agent in enumerate(agents)}
        for owners, table in parts:
            order = sorted(range(len(owners)), key=[axis[owner] for owner in owners].__getitem__)
            shape = [1] * len(agents)
            for owner, size in zip(owners, table.shape, strict=True):
                shape[axis[owner]] = size
            total += table.transpose(order).reshape(shape)
        return agents, total

    def parts(self) -> list[Utility]:
        """Return the tables that are summed: one's own constraints with those above, then the children's."""
        parts: list[Utility] = [((self.name,), np.zeros(len(self.domain)))]
        for relation in self.relations:
            agents = tuple(self.owners[name] for name in relation.scope)
            if self.above.issuperset(agents[1:]):
                parts.append((agents, relation.costs))
        return parts + [self.heard[child] for child in self.children]

    def take(self, chosen: dict[str, int]) -> Iterator[Called]:
        """Take the best value for what is chosen above, by positions in the domains, and tell the children."""
        agents, table = self.joint
        if self.parent is None and np.isinf(table.min()):
            yield self.stop("unsolvable")
            return
        above: tuple[Any, ...] = tuple(chosen[agent] for agent in agents[1:])
        best = int(np.argmin(table[(slice(None), *above)]))
        yield self.assign(self.variable, self.domain[best])
        chosen = {**chosen, self.name: best}
        for child in self.children:
            yield self.send(child, "value", tuple((agent, chosen[agent]) for agent in self.about(child)))

    def about(self, child: str) -> Iterable[str]:
        """Return the agents above a child that its subtree is about."""
        return self.heard[child][0]
