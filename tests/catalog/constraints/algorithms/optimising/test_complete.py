"""Every complete optimiser against brute force: costs beside what is forbidden, on one to four variables."""

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.optimising.dpop import Dpop, read_utility
from mensura.catalog.constraints.algorithms.optimising.mb_dpop import MbDpop
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.network import NetworkTerms
from mensura.catalog.constraints.oracle.brute_force import try_all
from mensura.catalog.constraints.oracle.cp_sat import solve
from mensura.catalog.constraints.order.tree import tree_of
from mensura.catalog.constraints.subjects import SUBJECTS
from tests.catalog.constraints.algorithms.optimising.small import check_best, drawn, mixed
from tests.catalog.constraints.runs import carry

COMPLETE = ("dpop", "mb-dpop", "adopt", "bnb-adopt", "sync-bb", "afb")
NETWORKS = {"sync": {}, "async": {"execution": "async"}, "delayed": {"terms": NetworkTerms("uniform:1,5")}}
FAMILIES = ("meetings:n=3,count=3,attend=2,slots=3", "proteins:sequence=HPPH,box=2", "robots:n=3,side=6,goal=min")
FAMILIES += ("sensors:n=4,targets=1", "max-discsp:n=6,m=3,p1=0.25")
ENDS = RunEnds(cycles=20_000, messages=300_000)


def test_a_third_of_the_small_problems_cannot_be_solved():
    share = np.mean([not try_all(mixed(seed)).solutions for seed in range(300)])
    assert abs(share - 1 / 3) < 0.06


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(1000, 2000), marks=pytest.mark.proof)])
def test_small_problems_end_as_brute_force_says(name, network, seeds):
    for seed in seeds:
        check_best(SUBJECTS[name], mixed(seed), seed, ends=ENDS, **NETWORKS[network])


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("text", FAMILIES)
def test_problems_of_every_family_with_costs_end_as_brute_force_says(name, text):
    for seed in range(3):
        check_best(SUBJECTS[name], drawn(text, seed), seed, ends=ENDS)


# Searches need millions of messages where tables still do not.
THIRTY = dict.fromkeys(("adopt", "bnb-adopt", "sync-bb", "afb"), "weighted-colouring:n=30,k=2,links=30")
THIRTY |= dict.fromkeys(("dpop", "mb-dpop"), "weighted-colouring:n=30,k=3,links=40")


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 102), marks=pytest.mark.proof)])
def test_problems_of_thirty_variables_end_as_cp_sat_says(name, seeds):
    found = set()
    for seed in seeds:
        problem = drawn(THIRTY[name], seed)
        verdict, best = solve(problem, seconds=60)
        assert verdict == "best"
        make = SUBJECTS[name] if name != "mb-dpop" else lambda: MbDpop(4)
        mailman, _ = carry(problem, make, seed=seed, order="max-cardinality", ends=ENDS)
        assert mailman.over in ("quiet", "stopped"), (seed, mailman.why)
        found.add(problem.cost(best))
        assert problem.cost(mailman.standing.assignment()) == problem.cost(best)
    assert "k=3" in THIRTY[name] or max(found) > 0


@pytest.mark.parametrize("width", [1, 2, 3])
def test_no_table_is_about_more_agents_than_it_may_be(width):
    problem = drawn("weighted-colouring:n=7,k=3,links=16", 2)
    assert tree_of(problem).width > width
    seen = []

    class Watched(MbDpop):
        def send(self, to, kind, data=None):
            if kind == "util":
                seen.append(read_utility(data)[0])
            return super().send(to, kind, data)

    check_best(lambda: Watched(width), problem)
    assert max(map(len, seen)) == width


def test_messages_of_dpop_are_two_for_each_link_of_the_tree():
    problem = drawn("weighted-colouring:n=12,links=16", 1)
    links = len(problem.agents) - len(tree_of(problem).roots)
    assert carry(problem, Dpop)[0].messages == 2 * links


def test_estimates_save_assignments():
    """Forward bounding tries fewer partial assignments than plain branch and bound on the same problems."""
    tried = {}
    for name in ("sync-bb", "afb"):
        runs = [carry(drawn("max-discsp:n=7,m=3,p1=0.7", seed), SUBJECTS[name])[0].report() for seed in range(5)]
        tried[name] = sum(run["messages"]["by_kind"]["forward"] for run in runs)
    assert tried["afb"] < tried["sync-bb"]
