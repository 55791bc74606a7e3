"""Local search: the same steps over every network, minima nobody can leave, and no violation for a cost."""

from itertools import product

import pytest

from mensura.catalog.constraints.mail.network import NetworkTerms
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.subjects import SUBJECTS
from tests.catalog.constraints.algorithms.optimising.small import drawn, mixed
from tests.catalog.constraints.runs import carry

LOCAL = ("dsa", "mgm", "mgm2", "gdba", "max-sum")
NETWORKS = {"async": {"execution": "async"}, "delayed": {"terms": NetworkTerms("uniform:1,5")}}
TEXT = "weighted-colouring:n=8,links=14"


def played(name, problem, *, seed=1, steps=40, **terms):
    mailman, _ = carry(problem, lambda: SUBJECTS[name](steps=steps), seed=seed, **terms)
    assert mailman.over == "quiet"
    assert not mailman.refusals.counts
    return mailman


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("name", LOCAL)
def test_steps_are_the_same_over_every_network(name, network):
    plain, other = (played(name, drawn(TEXT, 3), **terms) for terms in ({}, NETWORKS[network]))
    assert other.standing.assignment() == plain.standing.assignment()
    assert other.report()["messages"]["by_kind"] == plain.report()["messages"]["by_kind"]


@pytest.mark.parametrize(("name", "together"), [("mgm", 1), ("mgm2", 2)])
def test_search_by_gains_ends_where_nobody_can_gain(name, together):
    for seed in range(6):
        problem = drawn(TEXT, seed)
        found = played(name, problem, seed=seed, steps=100).standing.assignment()
        groups = [one.scope for one in problem.constraints] if together == 2 else [(x,) for x in problem.variables]
        for names in groups:
            ways = product(*(problem.values[one] for one in names))
            least = min(problem.cost({**found, **dict(zip(names, way, strict=True))}) for way in ways)
            assert least >= problem.cost(found)


@pytest.mark.parametrize("name", LOCAL)
def test_no_cost_buys_a_violation(name):
    """Equal values are forbidden by one constraint and cost nothing in another, where unlike ones cost 50."""
    rows = [[a, b, 50 * (a != b)] for a in (0, 1) for b in (0, 1)]
    data = {"domains": {"d": [0, 1]}, "variables": dict.fromkeys("xyz", "d"), "objective": "min"}
    hard = {"scope": ["x", "y"], "forbidden": [[0, 0], [1, 1]]}
    soft = [{"scope": list(pair), "costs": rows} for pair in ("xz", "yz")]
    taste = {"scope": ["x"], "costs": [[1, 70]]}
    problem = Problem.read({**data, "constraints": [hard, *soft, taste]})
    for seed in range(10):
        assert not problem.violated(played(name, problem, seed=seed).standing.assignment())


@pytest.mark.parametrize("name", LOCAL)
def test_every_kind_of_small_problem_is_played_to_its_end(name):
    for seed in range(12):
        problem = mixed(seed)
        assert set(played(name, problem, seed=seed, steps=15).standing.assignment()) == set(problem.variables)
