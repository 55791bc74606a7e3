"""AgentShare: what an agent is told of the problem when it starts, and nothing of anybody else's."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from mensura.catalog.constraints.mail.letter import frozen
from mensura.catalog.constraints.order.tree import PseudoTree
from mensura.catalog.constraints.problem.problem import Problem

Table = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class AgentShare:
    """One agent's own variables and constraints, with the domains of those it shares constraints with."""

    agent: str
    objective: str
    variables: tuple[str, ...]
    domains: Mapping[str, tuple[Any, ...]]
    """The values of each variable that it knows of."""
    owners: Mapping[str, str]
    """Who holds each of these variables."""
    neighbours: tuple[str, ...]
    relations: tuple[tuple[tuple[str, ...], Table], ...]
    """Scopes with tables: whether values are allowed (bool), or what they cost. Its own variables come first."""
    ranks: Mapping[str, int]
    """The public order of all agents, 0 first."""
    tree: Mapping[str, Any] | None = None
    """Its own place in the pseudo-tree: parent, pseudo_parents, children, pseudo_children, depth."""

    def data(self) -> dict[str, Any]:
        """Return it as JSON."""
        relations = [
            {"scope": list(scope), "hard": table.dtype == bool, "table": _written(table)}
            for scope, table in self.relations
        ]
        return {
            "agent": self.agent,
            "objective": self.objective,
            "variables": list(self.variables),
            "domains": {name: list(values) for name, values in self.domains.items()},
            "owners": dict(self.owners),
            "neighbours": list(self.neighbours),
            "relations": relations,
            "order": sorted(self.ranks, key=self.ranks.__getitem__),
            "tree": None if self.tree is None else dict(self.tree),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "AgentShare":
        """Make it again from its data."""
        return cls(
            data["agent"],
            data["objective"],
            tuple(data["variables"]),
            {name: frozen(values)[0] for name, values in data["domains"].items()},
            data["owners"],
            tuple(data["neighbours"]),
            tuple((tuple(one["scope"]), _read(one["table"], hard=one["hard"])) for one in data["relations"]),
            {agent: rank for rank, agent in enumerate(data["order"])},
            data["tree"],
        )


def shares_of(problem: Problem, ranks: Mapping[str, int], tree: PseudoTree | None = None) -> dict[str, AgentShare]:
    """Return every agent's share of a problem."""
    owner, values = problem.owner, problem.values
    known: dict[str, dict[frozenset[str], tuple[tuple[str, ...], Table]]] = {agent: {} for agent in problem.agents}
    for constraint in problem.constraints:
        told = {owner[variable]: None for variable in constraint.scope} if constraint.known_to is None else None
        for agent in told if told is not None else constraint.known_to or ():
            scope, table = _own_first(constraint.scope, constraint.table, problem.agents[agent])
            same = known[agent].get(frozenset(scope))
            if same is not None:
                # Two constraints on the same variables are one relation to who looks them up.
                table = merged(same[1], np.moveaxis(table, range(table.ndim), [same[0].index(one) for one in scope]))
                scope = same[0]
            known[agent][frozenset(scope)] = scope, table
    shares = {}
    public = MappingProxyType(dict(ranks))
    for agent, variables in problem.agents.items():
        relations = tuple(known[agent].values())
        names = dict.fromkeys([*variables, *(name for scope, _ in relations for name in scope)])
        shares[agent] = AgentShare(
            agent,
            problem.objective,
            variables,
            {name: values[name] for name in names},
            {name: owner[name] for name in names},
            problem.neighbours(agent),
            relations,
            public,
            None if tree is None else _place(tree, agent),
        )
    return shares


def _place(tree: PseudoTree, agent: str) -> dict[str, Any]:
    return {
        "parent": tree.parent[agent],
        "pseudo_parents": tree.pseudo_parents[agent],
        "children": tree.children[agent],
        "pseudo_children": tree.pseudo_children[agent],
        "depth": tree.depth[agent],
    }


def _own_first(scope: tuple[str, ...], table: Table, own: tuple[str, ...]) -> tuple[tuple[str, ...], Table]:
    # A copy: two agents must not hold one array, through which they could talk.
    if len(scope) == 1 or (len(scope) == 2 and scope[0] in own):
        return scope, table.copy()
    order = sorted(range(len(scope)), key=lambda place: scope[place] not in own)
    return tuple(scope[place] for place in order), table.transpose(order).copy()


def merged(first: Table, second: Table) -> Table:
    if first.dtype == bool and second.dtype == bool:
        return first & second
    first, second = (np.where(one, 0.0, np.inf) if one.dtype == bool else one for one in (first, second))
    return first + second


def _written(table: Table) -> Any:
    # JSON knows no infinity: null stands for what is forbidden.
    cells = table.astype(object)
    if table.dtype != bool:
        cells[~np.isfinite(table)] = None
    return cells.tolist()


def _read(table: Any, *, hard: bool) -> Table:
    if hard:
        return np.array(table, dtype=bool)
    cells = np.array(table, dtype=object)
    cells[cells == None] = np.inf  # noqa: E711
    return cells.astype(float)
