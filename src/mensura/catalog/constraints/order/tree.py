"""Pseudo-trees: a depth-first search of the agents, in which every constraint lies between ancestor and descendant."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter, unknown

Near = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class PseudoTree:
    """Who stands where, in the order of the search; one tree for each component."""

    parent: Mapping[str, str | None]
    pseudo_parents: Mapping[str, tuple[str, ...]]
    """Ancestors that share a constraint, but for the parent, from the root down."""
    children: Mapping[str, tuple[str, ...]]
    pseudo_children: Mapping[str, tuple[str, ...]]
    depth: Mapping[str, int]

    @property
    def roots(self) -> tuple[str, ...]:
        """The root of each component."""
        return tuple(agent for agent, parent in self.parent.items() if parent is None)

    def separator(self) -> dict[str, tuple[str, ...]]:
        """Return the ancestors of each agent that its subtree shares a constraint with, from the root down."""
        found: dict[str, set[str]] = {}
        for agent in reversed(list(self.parent)):
            own = set(self.pseudo_parents[agent])
            if (parent := self.parent[agent]) is not None:
                own.add(parent)
            found[agent] = own.union(*(found[child] for child in self.children[agent])) - {agent}
        return {agent: tuple(sorted(found[agent], key=self.depth.__getitem__)) for agent in self.parent}

    @property
    def width(self) -> int:
        """The induced width: how many ancestors the largest table of DPOP is about."""
        return max(map(len, self.separator().values()), default=0)


def tree_of(problem: Problem, *, root: str = "max-degree", child: str = "max-visited") -> PseudoTree:
    """Search the agents depth first.

    Parameters
    ----------
    problem
        What they are to agree on; components that share nothing get a tree each.
    root
        How a component's root is chosen: `max-degree` (most neighbours, the first of equals), `pydcop` (the last of
        equals), `lex` (the first), or the name of an agent.
    child
        Which neighbour is visited next: `max-visited` (most neighbours visited already, the first of equals), `pydcop`
        (the same, equals in the order of the constraints), `max-degree`, or `lex`.
    """
    if child not in CHILDREN:
        raise unknown("rule for the next child", child, known=CHILDREN, see=f"There are {', '.join(CHILDREN)}.")
    near = _as_constrained(problem) if child == "pydcop" else problem.graph
    parent: dict[str, str | None] = {}
    depth: dict[str, int] = {}
    above: dict[str, tuple[str, ...]] = {}
    for first in _roots(near, root):
        if first in parent:
            continue
        parent[first], depth[first], above[first] = None, 0, ()
        path = [first]
        while path:
            here = path[-1]
            if not (free := [agent for agent in near[here] if agent not in parent]):
                path.pop()
                continue
            agent = CHILDREN[child](free, near, parent)
            parent[agent], depth[agent] = here, len(path)
            # Of the visited neighbours of a new node all lie on the path to it: the search is depth first.
            above[agent] = tuple(sorted((n for n in near[agent] if n in depth and n != here), key=depth.__getitem__))
            path.append(agent)
    below: dict[str, list[str]] = {agent: [] for agent in parent}
    pseudo: dict[str, list[str]] = {agent: [] for agent in parent}
    for agent, over in parent.items():
        if over is not None:
            below[over].append(agent)
        for ancestor in above[agent]:
            pseudo[ancestor].append(agent)
    return PseudoTree(parent, above, _fixed(below), _fixed(pseudo), depth)


def _fixed(lists: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {agent: tuple(found) for agent, found in lists.items()}


def _roots(near: Near, rule: str) -> list[str]:
    """Return the agents in the order in which they are tried as roots."""
    if rule in near:
        return [rule, *_roots(near, "max-degree")]
    if rule == "lex":
        return list(near)
    if rule == "max-degree":
        return sorted(near, key=lambda agent: -len(near[agent]))
    if rule == "pydcop":
        return sorted(near, key=lambda agent: len(near[agent]))[::-1]
    raise BadParameter(f"A root is chosen by max-degree, pydcop or lex, or is the name of an agent; got {rule!r}.")


def _as_constrained(problem: Problem) -> Near:
    """Return the neighbours of each agent in the order of the constraints that make them so."""
    rank = {agent: i for i, agent in enumerate(problem.agents)}
    near: dict[str, dict[str, None]] = {agent: {} for agent in problem.agents}
    for constraint in problem.constraints:
        agents = sorted({problem.owner[name] for name in constraint.scope}, key=rank.__getitem__)
        for agent in agents:
            near[agent].update(dict.fromkeys(other for other in agents if other != agent))
    return {agent: tuple(found) for agent, found in near.items()}


def _visited(agent: str, near: Near, parent: Mapping[str, str | None]) -> int:
    return sum(other in parent for other in near[agent])


CHILDREN: Mapping[str, Callable[[list[str], Near, Mapping[str, str | None]], str]] = {
    "max-visited": lambda free, near, parent: max(free, key=lambda agent: _visited(agent, near, parent)),
    "pydcop": lambda free, near, parent: max(free, key=lambda agent: _visited(agent, near, parent)),
    "max-degree": lambda free, near, parent: max(free, key=lambda agent: len(near[agent])),
    "lex": lambda free, near, parent: free[0],
}
TreeRoot = Annotated[
    str, "How the root of the tree of agents is chosen: max-degree, pydcop, lex or the name of an agent."
]
TreeChild = Annotated[str, f"Which neighbour the tree visits next: {', '.join(CHILDREN)}."]
