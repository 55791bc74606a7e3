"""Asynchronous search with aggregations: what is proposed in the end is a product of sets of solutions."""

from itertools import product

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.aas import Aas
from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.problem.constraint import forbidding
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter
from tests.catalog.constraints.runs import carry


@pytest.mark.parametrize("execution", ["sync", "async"])
def test_any_choice_from_the_final_proposals_is_a_solution(execution):
    wide = 0
    for seed in range(20):
        problem = find_problem("random:n=6,m=4,p1=0.5,p2=0.2,solvable=yes", np.random.default_rng(seed))
        mailman, agents = carry(problem, Aas, seed=seed, execution=execution)
        assert mailman.over == "quiet"
        held = [agents[name].held for name in problem.agents]
        for values in product(*held):
            assert problem.violated(dict(zip(problem.agents, values, strict=True))) == []
        wide += any(len(values) > 1 for values in held)
    assert wide > 0


def test_constraints_on_three_variables_are_refused_in_a_sentence():
    names = ["x0", "x1", "x2"]
    values = dict.fromkeys(names, (0, 1))
    agents = {name: (name,) for name in names}
    problem = Problem(
        "", "satisfy", {"d": (0, 1)}, dict.fromkeys(names, "d"), agents, (forbidding(names, [[0, 0, 0]], values),)
    )
    with pytest.raises(BadParameter, match="Aas needs constraints on two variables, and one is on x0, x1, x2"):
        carry(problem, Aas)
