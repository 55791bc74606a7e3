"""Weak-commitment search of agents with several variables: right, and with fewer messages than virtual agents."""

from dataclasses import asdict

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.algorithms.multi_awcs import MultiAwcs
from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.network import NetworkTerms
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.catalog.constraints.problem.compiling import product_domain, virtual_agents
from mensura.catalog.constraints.scoring import verdict_of
from tests.catalog.constraints.runs import carry, run

ENDS = RunEnds(cycles=20_000, messages=500_000)
TERMS = [{}, {"execution": "async"}, {"terms": NetworkTerms("uniform:1,4")}, {"reading": "one"}]


def drawn(seed):
    rng = np.random.default_rng([seed, 3])
    p1, p2 = rng.uniform(0.4, 1), rng.uniform(0.25, 0.6)
    return find_problem(f"random:n=7,m=3,p1={p1:.2f},p2={p2:.2f},per_agent=3", rng)


@pytest.mark.parametrize("terms", TERMS)
@pytest.mark.parametrize(
    ("make", "compiled"),
    [
        (MultiAwcs, lambda problem: problem),
        *((Awcs, form) for form in (lambda p: product_domain(p).problem, lambda p: virtual_agents(p).problem)),
    ],
    ids=["as it is", "product", "virtual"],
)
def test_agents_of_several_variables_come_to_the_end_of_brute_force(make, compiled, terms):
    ends = set()
    for seed in range(20):
        problem = drawn(seed)
        truth = asdict(truth_of(problem))
        report = carry(compiled(problem), make, seed=seed, ends=ENDS, **terms)[0].report()
        assert verdict_of(report, truth) == ("solved" if truth["solvable"] else "unsolvable")
        ends.add(truth["solvable"])
    assert ends == {True, False}


def test_what_stays_within_an_agent_is_no_message():
    whole = "random:n=12,m=4,p1=0.4,p2=0.3,per_agent=4,solvable=yes"
    several, single = (
        run(*who, several=how) for *who, how in (("multi-awcs", whole, "as-is"), ("awcs", whole, "virtual"))
    )
    assert several["verdict"] == single["verdict"] == "solved"
    assert several["messages"]["total"] < single["messages"]["total"]


def test_a_cap_on_nogoods_holds_for_each_variable():
    whole = "colouring:n=12,k=3,links=26,per_agent=2"
    free, capped = (run(MultiAwcs(most), whole, several="as-is", stop="cycles=200") for most in (0, 3))
    assert capped["nogoods"] <= 3 * 12 < free["nogoods"]


def test_assignments_are_those_of_the_original_variables():
    for how in ("product", "virtual"):
        found = run("awcs", "queens:n=6,per_agent=2", several=how)
        assert (found["verdict"], list(found["assignment"])) == ("solved", [f"x{i}" for i in range(6)])
