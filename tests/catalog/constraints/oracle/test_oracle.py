"""The oracle: brute force against lists of everything, and CP-SAT against brute force."""

from itertools import product

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.oracle.brute_force import try_all
from mensura.catalog.constraints.oracle.cp_sat import solve
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.catalog.constraints.problem.problem import Problem

FAMILIES = [
    "random:n=6,m=3,p1=0.6,p2=0.4",
    "max-discsp:n=5,m=3,p1=0.7",
    "weighted-colouring:n=5,links=7",
    "sensors:n=4,targets=1",
]
FAMILIES += ["meetings:n=3,count=3,attend=2,slots=3", "random:n=5,m=3,private=yes,p2=0.5", "random:n=6,m=3,p1=0.2"]


def listed(problem):
    best, ways = None, 0
    for values in product(*problem.values.values()):
        assignment = dict(zip(problem.variables, values, strict=True))
        if problem.violated(assignment):
            continue
        cost = problem.cost(assignment)
        if best is None or cost < best:
            best, ways = cost, 0
        ways += cost == best
    return ways, best


@pytest.mark.parametrize("text", FAMILIES)
@pytest.mark.parametrize("seed", range(5))
def test_brute_force_finds_what_a_list_of_all_assignments_has(text, seed):
    problem = find_problem(text, np.random.default_rng(seed))
    found = try_all(problem)
    ways, best = listed(problem)
    assert (found.solutions, found.optimum) == (ways, best)


@pytest.mark.parametrize("text", FAMILIES)
def test_cp_sat_agrees_with_brute_force(text):
    """Forty instances of each family: 280 in all."""
    seen = set()
    for seed in range(40):
        problem = find_problem(text, np.random.default_rng(100 + seed))
        found, (verdict, assignment) = try_all(problem), solve(problem, seconds=10)
        seen.add(verdict)
        assert verdict == ("best" if found.solutions else "unsolvable")
        if assignment is not None:
            assert not problem.violated(assignment)
            assert problem.cost(assignment) == found.optimum
    assert seen == {"best", "unsolvable"} or not text.startswith("random:n=6,m=3,p1=0.6")


def test_what_is_to_be_large_is_made_large():
    data = {"domains": {"d": [0, 1]}, "variables": {"x": "d", "y": "d"}, "objective": "max"}
    costs = [[0, 0, 3], [0, 1, -2], [1, 0, 4.5], [1, 1, 9]]
    problem = Problem.read({**data, "constraints": [{"scope": ["x", "y"], "costs": costs, "forbidden": [[1, 1]]}]})
    assert truth_of(problem).optimum == 4.5
    assert problem.cost(solve(problem, seconds=1)[1]) == 4.5


def test_unknown_is_a_flag_of_its_own():
    problem = find_problem("scale-free:n=200,m=10,t=0.33,md=4", np.random.default_rng(1))
    for seconds in (0, 1e-6):
        truth = truth_of(problem, seconds=seconds)
        assert (truth.flag, truth.solvable, truth.solutions, bool(truth.why)) == ("unknown", None, None, True)


def test_large_problems_are_left_to_cp_sat():
    truth = truth_of(find_problem("queens:n=20", np.random.default_rng(1)))
    assert (truth.flag, truth.by, truth.solutions) == ("solvable", "cp-sat", None)
    assert truth == truth_of(find_problem("queens:n=20", np.random.default_rng(1)))


@pytest.mark.parametrize("text", ["scale-free:n=60,m=10,t=0.45,md=4", "colouring:n=120,k=3,links=290"])
def test_both_oracles_agree_on_larger_ones_that_cannot_be_solved(text):
    problem = find_problem(text, np.random.default_rng(1))
    assert try_all(problem).solutions == 0
    assert solve(problem, seconds=10) == ("unsolvable", None)


def test_costs_that_cp_sat_cannot_hold_are_said_to_be_so():
    names = [f"x{i}" for i in range(30)]
    constraints = [{"scope": [a, b], "costs": [[0, 0, 1 / 3]]} for i, a in enumerate(names) for b in names[:i]]
    data = {"domains": {"d": [0, 1]}, "variables": dict.fromkeys(names, "d"), "constraints": constraints}
    truth = truth_of(Problem.read(data))
    assert truth.flag == "unknown"
    assert "whole costs" in truth.why


def test_parts_that_share_nothing_are_tried_apart():
    problem = find_problem("colouring:n=30,k=3,links=0", np.random.default_rng(1))
    assert truth_of(problem).solutions == 3**30
