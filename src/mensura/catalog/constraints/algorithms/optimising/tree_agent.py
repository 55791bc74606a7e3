"""Agents of a pseudo-tree: who is above and below, and which constraints are an agent's own to count."""

from typing import Any

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.relation import Relation


class TreeAgent(Agent):
    """Knows its place in the tree. A constraint is counted by the lowest agent in it, so that none is counted twice."""

    def take_place(self) -> None:
        """Find parent, children, and the constraints with those above."""
        place: Any = self.tree
        self.parent: str | None = place["parent"]
        self.children: tuple[str, ...] = tuple(place["children"])
        self.above = (*([] if self.parent is None else [self.parent]), *place["pseudo_parents"])
        self.below = (*self.children, *place["pseudo_children"])
        with_agents = [(one, tuple(self.owners[name] for name in one.scope[1:])) for one in self.relations]
        self.mine: list[tuple[Relation, tuple[str, ...]]] = [
            (one, agents) for one, agents in with_agents if all(agent in self.above for agent in agents)
        ]
