"""Agents with several variables, compiled to one each; constraints of which each side knows a part."""

from itertools import product

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.oracle.brute_force import try_all
from mensura.catalog.constraints.problem.compiling import product_domain, virtual_agents
from mensura.catalog.constraints.problem.problem import Problem


@pytest.mark.parametrize(
    "text", ["random:n=6,m=3,p2=0.3", "max-discsp:n=6,m=3", "meetings:n=4,count=3,attend=2,slots=3"]
)
@pytest.mark.parametrize("compile_", [product_domain, virtual_agents])
@pytest.mark.parametrize("seed", range(5))
def test_compiled_problems_have_the_same_solutions(text, compile_, seed):
    text = text if text.startswith("meetings") else f"{text},per_agent=2"
    problem = find_problem(text, np.random.default_rng(seed))
    compiled = compile_(problem)
    first, second = try_all(problem), try_all(compiled.problem)
    assert all(len(held) == 1 for held in compiled.problem.agents.values())
    assert (first.solutions, first.optimum) == (second.solutions, second.optimum)
    if second.assignment is not None:
        assert problem.cost(compiled.expand(second.assignment)) == compiled.problem.cost(second.assignment)


def test_an_agent_that_cannot_keep_its_own_constraints_makes_the_problem_unsolvable():
    data = {
        "domains": {"d": [0, 1]},
        "variables": {"x": "d", "y": "d", "z": "d"},
        "agents": {"a": ["x", "y"], "b": ["z"]},
        "constraints": [{"scope": ["x", "y"], "forbidden": [[a, b] for a in (0, 1) for b in (0, 1)]}],
    }
    assert try_all(product_domain(Problem.read(data)).problem).solutions == 0


def test_virtual_agents_know_who_they_stand_for():
    problem = find_problem("random:n=6,m=3,per_agent=2", np.random.default_rng(1))
    assert virtual_agents(problem).owner == {"x0": "x0", "x1": "x0", "x2": "x1", "x3": "x1", "x4": "x2", "x5": "x2"}


@pytest.mark.parametrize("family", ["random:n=5,m=3", "weighted-colouring:n=5,links=6"])
def test_sides_together_are_the_whole_constraint(family):
    whole = find_problem(family, np.random.default_rng(3))
    split = find_problem(f"{family},private=yes", np.random.default_rng(3))
    assert len(split.constraints) == 2 * len(whole.constraints)
    assert {one.known_to for one in split.constraints} <= {(agent,) for agent in whole.agents}
    for values in product(range(3), repeat=5):
        assignment = dict(zip(whole.variables, values, strict=True))
        assert split.cost(assignment) == whole.cost(assignment)
