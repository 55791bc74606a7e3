"""Forms: which algorithms can be run on arrays, and how a run of each begins."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.algorithms.abt import Abt
from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.algorithms.dba import Dba
from mensura.catalog.constraints.algorithms.optimising.dsa import Dsa
from mensura.catalog.constraints.algorithms.optimising.mgm import Mgm
from mensura.catalog.constraints.compiled.abt import AbtRun
from mensura.catalog.constraints.compiled.awcs import AwcsRun
from mensura.catalog.constraints.compiled.breakout import BreakoutRun
from mensura.catalog.constraints.compiled.lockstep import DsaRun, MgmRun, priced_links
from mensura.catalog.constraints.compiled.network import linked_agents
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.order.tree import tree_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.dialogue import Ask

Ranks = Mapping[str, int]
Chance = Callable[[str], np.random.Generator]
Form = Callable[[Problem, Ranks, Any, Chance, Any], Any]


def begin_awcs(problem: Problem, ranks: Ranks, like: Awcs, chance: Chance, latencies: Any) -> Any:
    """Begin a run of weak commitment that keeps all resolvents; None: other learning, and a cap on it, are plain."""
    agents = linked_agents(problem, ranks) if like.learning_by == "resolvent" and not like.most else None
    if agents is None:
        return None
    drawn = [int(chance(name).integers(size)) for name, size in zip(agents.names, agents.sizes, strict=True)]
    return AwcsRun(agents, np.array(drawn), latencies)


def begin_abt(problem: Problem, ranks: Ranks, like: Abt, chance: Chance, latencies: Any) -> Any:
    """Begin a run of asynchronous backtracking; None where the plain form is needed."""
    agents = linked_agents(problem, ranks)
    return None if agents is None else AbtRun(agents, latencies)


def in_lockstep(make: Callable[..., Any]) -> Form:
    """Return how a run of local search begins."""

    def begin(problem: Problem, ranks: Ranks, like: Agent, chance: Chance, latencies: Any) -> Any:
        agents = _begun(problem, ranks, like, chance)
        links = priced_links(agents)
        return None if links is None else make(links, agents, latencies)

    return begin


def _begun(problem: Problem, ranks: Ranks, like: Agent, chance: Chance) -> list[Agent]:
    """Make all agents like one, and let them begin: their first values, and what they hold, are their own."""
    agents = []
    for name, share in shares_of(problem, ranks, tree_of(problem)).items():
        agent = type(like).__new__(type(like))
        vars(agent).update(vars(like))
        agent.begin(chance(name), name)
        agent(Ask(Post(share, (), 0), role=name))
        agents.append(agent)
    return agents


FORMS: dict[type, Form] = {
    Abt: begin_abt,
    Awcs: begin_awcs,
    Dba: in_lockstep(BreakoutRun),
    Dsa: in_lockstep(DsaRun),
    Mgm: in_lockstep(MgmRun),
}
