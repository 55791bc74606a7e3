"""Problems: what is refused, what is counted, and what plain data say."""

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData

TWO = {"domains": {"d": [0, 1]}, "variables": {"x": "d", "y": "d"}}


def pair(**more):
    return {**TWO, "constraints": [{"scope": ["x", "y"], **more}]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"domains": {"d": []}, "variables": {"x": "d"}}, "The domain 'd' is empty"),
        ({"domains": {"d": [1, 1]}, "variables": {"x": "d"}}, "holds a value twice"),
        ({"domains": {"d": [[1]]}, "variables": {"x": "d"}}, "number or a text"),
        ({"domains": {}, "variables": {"x": "d"}}, "unknown domain 'd'"),
        ({"domains": {"d": [1]}, "variables": {}}, "no variables"),
        ({**TWO, "constraints": [{"scope": ["x", "x"], "forbidden": []}]}, "no variable constrains itself"),
        ({**TWO, "constraints": [{"scope": ["x", "z"], "forbidden": []}]}, "unknown variable 'z'"),
        ({**TWO, "constraints": [{"scope": [], "forbidden": []}]}, "scope is empty"),
        ({**TWO, "constraints": [{"scope": "x", "forbidden": []}]}, "The scope of a constraint is a list of names"),
        ({**TWO, "constraints": [{"scope": ["x"]}]}, "neither forbidden tuples nor costs"),
        (pair(forbidden=[[0, 2]]), "gives y 2, not of its domain"),
        (pair(forbidden=[[0]]), "has 1 values"),
        (pair(forbidden=[0]), "list of lists as forbidden"),
        (pair(costs=[[0, 0, "much"]]), "A cost is a number; got 'much'"),
        (pair(costs=[[0, 0, float("nan")]]), "A cost is a number"),
        (pair(costs=[[0, 0, float("-inf")]]), "better than everything"),
        ({**pair(costs=[[0, 0, 1]]), "objective": "satisfy"}, "say min or max"),
        ({**TWO, "objective": "least"}, "satisfy, min or max; got 'least'"),
        ({**TWO, "agents": {"a": ["x"]}}, "'y' is held by no agent"),
        ({**TWO, "agents": {"a": ["x", "y"], "b": ["y"]}}, "held by 'a' and by 'b'"),
        ({**TWO, "agents": {"a": ["x", "y", "z"]}}, "holds the unknown variable 'z'"),
        (pair(forbidden=[], known_to=["nobody"]), "known to the unknown agent 'nobody'"),
        ({**TWO, "constraint": []}, "got 'constraint'"),
        ({**TWO, "agents": {"a": ["x", ["y"]]}}, "What a holds is a list of names"),
        ({**TWO, "agents": ["x"]}, "Agents are an object of lists"),
        ({**TWO, "place": {"x": [1]}}, "place of x is two numbers"),
        ({**TWO, "notes": [1]}, "Notes are an object"),
        (pair(forbidden=[], known_to="x"), "known to is a list of names"),
        (pair(costs=[[0, 0, 10**400]]), "A cost is a number"),
        (pair(forbidden=[[0, [1]]]), r"gives y \[1\], not of its domain"),
        ([], "A problem is an object"),
    ],
)
def test_a_wrong_problem_is_refused_in_one_sentence(data, words):
    with pytest.raises(BadData, match=words):
        Problem.read(data)


def test_costs_add_up_and_what_is_forbidden_costs_without_bound():
    data = {
        **TWO,
        "objective": "min",
        "constraints": [
            {"scope": ["x", "y"], "costs": [[0, 1, 2.5]], "forbidden": [[1, 1]]},
            {"scope": ["x"], "costs": [[0, 1]]},
        ],
    }
    problem = Problem.read(data)
    assert [problem.cost({"x": x, "y": y}) for x in (0, 1) for y in (0, 1)] == [1, 3.5, 0, float("inf")]
    assert [len(problem.violated({"x": 1, "y": y})) for y in (0, 1)] == [0, 1]
    assert Problem.read({**data, "objective": "max"}).cost({"x": 1, "y": 1}) == float("-inf")
    assert problem.components == 1


def test_without_costs_a_problem_is_to_be_satisfied_and_costs_are_violations():
    problem = Problem.read({**pair(forbidden=[[0, 0]]), "objective": "max"})
    assert (problem.objective, problem.cost({"x": 0, "y": 0})) == ("satisfy", 1)


def test_costs_that_only_forbid_are_no_costs():
    inf = float("inf")
    assert Problem.read(pair(costs=[[0, 0, inf]])) == Problem.read(pair(forbidden=[[0, 0]]))
    free = Problem.read(pair(costs=[]))
    assert (free.objective, free.constraints[0].hard) == ("min", False)


@pytest.mark.parametrize(
    "text", ["queens:n=5", "sensors:n=9", "meetings", "random:private=yes", "max-discsp:per_agent=3"]
)
def test_what_is_read_from_plain_data_is_equal(text):
    problem = find_problem(text, np.random.default_rng(1))
    again = Problem.read(problem.data())
    assert again == problem
    assert again.data() == problem.data()
    assert again != find_problem(text, np.random.default_rng(2)) or text.startswith("queens")
