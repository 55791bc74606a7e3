"""Agents in an order: each counts its constraints with those before it, so that costs add up along the order."""

from collections.abc import Mapping
from math import inf
from typing import Any

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.relation import Relation

Pairs = tuple[tuple[str, Any], ...]
"""Agents with their values."""


class OrderedAgent(Agent):
    """Knows who comes before and after, and what a value adds to the cost of those before."""

    def take_place(self) -> None:
        """Find the neighbours in the order, and the constraints with those before."""
        order = sorted(self.ranks, key=self.ranks.__getitem__)
        self.before = order[self.rank - 1] if self.rank else None
        self.later = tuple(order[self.rank + 1 :])
        with_agents = [(one, tuple(self.owners[name] for name in one.scope[1:])) for one in self.relations]
        self.mine: list[tuple[Relation, tuple[str, ...]]] = [
            (one, agents) for one, agents in with_agents if all(self.ranks[agent] < self.rank for agent in agents)
        ]
        # Costs count from the least of each constraint: a sum that only grows is what pruning rests on.
        self.least = [least_of(one) for one, _ in self.mine]

    def added(self, value: Any, given: Mapping[str, Any]) -> float:
        """Return what a value costs with those that are given."""
        total = 0.0
        for (one, agents), least in zip(self.mine, self.least, strict=True):
            if all(agent in given for agent in agents):
                total += one.cost(value, *map(given.__getitem__, agents)) - least
                if total == inf:
                    break
        return total


def written(cost: float) -> float | None:
    """Return a cost as letters hold it: JSON knows no infinity."""
    return None if cost == inf else cost


def read(cost: float | None) -> float:
    """Return a cost from a letter."""
    return inf if cost is None else cost


def least_of(relation: Relation) -> float:
    """Return the least cost of a constraint; 0 where it forbids everything."""
    least = float(relation.costs.min())
    return 0.0 if least == inf else least
