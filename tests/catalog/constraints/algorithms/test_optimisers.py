"""Optimisers: the complete ones find the optimum on any network, local search does what its papers say."""

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.optimising.dsa import Dsa
from mensura.catalog.constraints.algorithms.optimising.max_sum import MaxSum
from mensura.catalog.constraints.algorithms.optimising.mb_dpop import MbDpop
from mensura.catalog.constraints.algorithms.optimising.mgm import Mgm
from mensura.catalog.constraints.algorithms.optimising.mgm2 import Mgm2
from mensura.catalog.constraints.mail.network import NetworkTerms
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.errors import BadParameter
from tests.catalog.constraints.runs import carry

NETWORKS = {
    "synchronous": {},
    "asynchronous": {"execution": "async"},
    "delayed": {"execution": "async", "terms": NetworkTerms(delay="uniform:0,5")},
}
COMPLETE = {name: SUBJECTS[name] for name in ("dpop", "mb-dpop", "adopt", "bnb-adopt", "sync-bb", "afb")}
COMPLETE["mb-dpop of one dimension"] = lambda: MbDpop(dimensions=1)


def weighed(links, *, size=3, objective="min"):
    """A problem from (i, j) → table of costs."""
    names = [f"x{i}" for i in range(1 + max(map(max, links)))]
    constraints = [
        {
            "scope": [names[i], names[j]],
            "costs": [[a, b, table[a][b]] for a in range(size) for b in range(size)],
        }
        for (i, j), table in links.items()
    ]
    return Problem.read(
        {
            "objective": objective,
            "domains": {"d": list(range(size))},
            "variables": dict.fromkeys(names, "d"),
            "agents": {name: [name] for name in names},
            "constraints": constraints,
        }
    )


def drawn(seed):
    """A small problem with costs of either sign, made small or large by turns."""
    rng = np.random.default_rng(seed)
    count, size = int(rng.integers(3, 7)), int(rng.integers(2, 4))
    pairs = [(i, j) for j in range(count) for i in range(j)]
    kept = [pair for pair in pairs if pair[1] == pair[0] + 1 or rng.random() < 0.4]
    links = {pair: rng.integers(-3, 10, (size, size)).tolist() for pair in kept}
    return weighed(links, size=size, objective="max" if seed % 3 == 0 else "min")


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 300), marks=pytest.mark.proof)])
def test_complete_ones_find_the_optimum(name, network, seeds):
    for seed in seeds:
        problem = drawn(seed)
        mailman, _ = carry(problem, COMPLETE[name], seed=seed, **NETWORKS[network])
        report = mailman.report()
        assert report["cost"] == truth_of(problem).optimum, (seed, report["over"])


def modi():
    """The example of Modi and others (2005): four variables, x1-x2, x1-x3, x2-x3, x2-x4, the same costs on each."""
    costs = [[1, 2], [2, 0]]
    # x2 comes first here: the tree's root is the agent with most neighbours.
    return weighed({(0, 1): costs, (0, 2): costs, (1, 2): costs, (0, 3): costs}, size=2)


def test_the_example_of_modi_costs_what_another_program_counted():
    dpop, adopt = (carry(modi(), SUBJECTS[name])[0].report() for name in ("dpop", "adopt"))
    assert dpop["cost"] == adopt["cost"] == 0
    assert dpop["messages"]["by_kind"] == {"util": 3, "value": 3}
    # Three tables on the longest way up: 8, 4 and 2 cells. Sizes: cells, and two for each agent that a value is about.
    assert (dpop["cycles"], dpop["nccc"]["0"], dpop["size"]) == (4, 14, 16)
    assert adopt["messages"]["by_kind"] == {"value": 25, "threshold": 19, "cost": 19, "terminate": 3}
    assert adopt["cycles"] == 7


def test_dpop_refuses_a_table_that_is_too_large():
    with pytest.raises(BadParameter, match="8 cells at x2, about 2 agents above"):
        carry(modi(), lambda: SUBJECTS["dpop"](cells=7))


@pytest.mark.parametrize("make", [Mgm, Mgm2])
def test_maximum_gain_never_makes_it_worse(make):
    for seed in range(8):
        mailman, _ = carry(drawn(3 * seed + 1), lambda: make(steps=20), seed=seed)
        costs = [cost for _, cost, _ in mailman.report()["curve"]]
        assert costs == sorted(costs, reverse=True)


def test_messages_of_local_search_are_as_many_as_pydcop_sends():
    problem = drawn(4)
    links = len(problem.constraints)
    dsa, mgm = (carry(problem, make)[0].report() for make in (lambda: Dsa(steps=50), lambda: Mgm(steps=49)))
    assert dsa["messages"]["total"] == 2 * links * 50
    assert mgm["messages"]["total"] == 2 * links * 2 * (50 - 1)


def test_two_together_leave_a_minimum_that_one_alone_cannot():
    # Both at 0 cost 1, both at 1 nothing, and between them lies a wall.
    problem = weighed({(0, 1): [[1, 9], [9, 0]]}, size=2)
    stuck = set()
    for seed in range(12):
        alone = carry(problem, lambda: Mgm(steps=10), seed=seed)[0].report()["cost"]
        together = carry(problem, lambda: Mgm2(steps=10), seed=seed)[0].report()["cost"]
        stuck.add(alone)
        assert together == 0
    assert stuck == {0, 1}


def test_max_sum_is_exact_on_trees():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        links = {(int(rng.integers(i)), i): rng.integers(0, 100, (3, 3)).tolist() for i in range(1, 8)}
        problem = weighed(links)
        mailman, _ = carry(problem, lambda: MaxSum(damping=0, steps=20), seed=seed)
        assert mailman.report()["cost"] == truth_of(problem).optimum


def test_only_c_moves_between_values_that_are_both_best():
    problem = weighed({(0, 1): [[0, 0], [0, 0]]}, size=2)
    changes = {}
    for variant in "ABC":
        _, agents = carry(problem, lambda variant=variant: Counting(variant, steps=30), seed=1)
        changes[variant] = sum(agent.changes for agent in agents.values())
    assert changes["A"] == changes["B"] == 2
    assert changes["C"] > 20


class Counting(Dsa):
    """Counts how often it takes a value, the first time too."""

    changes = 0

    def assign(self, variable, value):
        self.changes += 1
        return super().assign(variable, value)
