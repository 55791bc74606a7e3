"""Orders of agents by name: who comes before whom."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Annotated

import numpy as np

from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadFile, unknown
from mensura.text_file import read_text


def ranks_of(problem: Problem, name: str, rng: np.random.Generator) -> dict[str, int]:
    """Return the rank of each agent, 0 the highest.

    Parameters
    ----------
    problem
        What they are to agree on.
    name
        lex, random, max-degree, max-cardinality, min-width, min-domain, tree, or file:PATH.
    rng
        Only `random` draws from it; ties go by the order of the agents.
    """
    if name.startswith("file:"):
        order = _from_file(problem.agents, Path(name.removeprefix("file:")))
    elif name == "random":
        agents = list(problem.agents)
        order = [agents[i] for i in rng.permutation(len(agents))]
    else:
        check_order(name, problem.agents)
        order = ORDERS[name](problem)
    return {agent: rank for rank, agent in enumerate(order)}


def check_order(name: str, agents: Collection[str]) -> None:
    """Refuse an order that there is not, or a file that does not name these agents."""
    if name.startswith("file:"):
        _from_file(agents, Path(name.removeprefix("file:")))
    elif name not in (known := [*ORDERS, "random", "file:PATH"]):
        raise unknown("order of agents", name, known=known, see=f"There are {', '.join(known)}.")


def _lex(problem: Problem) -> list[str]:
    """Return the agents as the problem names them: x2 before x10."""
    return list(problem.agents)


def _max_degree(problem: Problem) -> list[str]:
    return sorted(problem.agents, key=lambda agent: -len(problem.graph[agent]))


def _max_cardinality(problem: Problem) -> list[str]:
    """Take next who has most neighbours among those taken; the first has most neighbours of all."""
    left = {agent: (0, len(near)) for agent, near in problem.graph.items()}
    order: list[str] = []
    while left:
        # Of those with most neighbours taken, the one with most neighbours: that also starts a new component well.
        agent = max(left, key=left.__getitem__)
        del left[agent]
        order.append(agent)
        for near in problem.graph[agent]:
            if near in left:
                left[near] = (left[near][0] + 1, left[near][1])
    return order


def _min_width(problem: Problem) -> list[str]:
    """Take from the end who has fewest neighbours among those left (Freuder 1982): the width is the least there is."""
    left = {agent: len(near) for agent, near in problem.graph.items()}
    order: list[str] = []
    while left:
        agent = min(reversed(left), key=left.__getitem__)
        del left[agent]
        order.append(agent)
        for near in problem.graph[agent]:
            if near in left:
                left[near] -= 1
    return order[::-1]


def _min_domain(problem: Problem) -> list[str]:
    sizes = {agent: [len(problem.values[name]) for name in held] for agent, held in problem.agents.items()}
    return sorted(problem.agents, key=lambda agent: np.prod(sizes[agent], dtype=float))


def _tree(problem: Problem) -> list[str]:
    """Return the agents in the order in which the depth-first tree visits them."""
    from mensura.catalog.constraints.order.tree import tree_of

    return list(tree_of(problem).parent)


def _from_file(agents: Collection[str], path: Path) -> list[str]:
    """Read a file with one agent a line, all of them."""
    order = [line.strip() for line in read_text(path).splitlines() if line.strip()]
    if strange := [agent for agent in order if agent not in agents]:
        raise BadFile(f"{path} names {strange[0]!r}, which is not an agent of the problem.")
    if len(set(order)) < len(order):
        twice = next(agent for agent in order if order.count(agent) > 1)
        raise BadFile(f"{path} names {twice!r} twice.")
    if missing := [agent for agent in agents if agent not in order]:
        raise BadFile(f"{path} does not name the agent {missing[0]!r}; name all {len(agents)}, one a line.")
    return order


ORDERS: Mapping[str, Callable[[Problem], list[str]]] = {
    "lex": _lex,
    "max-degree": _max_degree,
    "max-cardinality": _max_cardinality,
    "min-width": _min_width,
    "min-domain": _min_domain,
    "tree": _tree,
}
AgentOrder = Annotated[
    str, f"The order of the agents: {', '.join(ORDERS)}, random, or file:PATH with the name of an agent in each line."
]
