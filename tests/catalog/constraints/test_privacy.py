"""What letters reveal of private tuples, against cases worked by hand."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.constraints.order.tree import tree_of
from mensura.catalog.constraints.privacy import NOT_COMPUTED, privacy_lost
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.cli.main import cli


def lost(problem, who="abt", **others):
    ranks = {agent: rank for rank, agent in enumerate(problem.agents)}
    return privacy_lost(problem, ranks=ranks, tree=tree_of(problem), make=SUBJECTS[who], **others)


def two_agents(*forbidden_to_a, values=(0, 1), differ=()):
    """Agent a has a constraint of its own; what both are told forbids nothing, or the pairs in `differ`."""
    return Problem.read(
        {
            "domains": {"d": list(values)},
            "variables": {"x": "d", "y": "d"},
            "agents": {"a": ["x"], "b": ["y"]},
            "constraints": [
                {"scope": ["x"], "forbidden": [[value] for value in forbidden_to_a]},
                {"scope": ["x", "y"], "forbidden": [list(pair) for pair in differ]},
            ],
        }
    )


@pytest.mark.parametrize(
    ("forbidden", "revealed"),
    [
        # a says 0, its first value: 0 is allowed, and nothing is said of 1 and 2.
        ((), 1),
        # a says 1: 0 must be forbidden and 1 allowed; 2 stays its own.
        ((0,), 2),
        # a says 2: all is known.
        ((0, 1), 3),
        # a says nothing and stops: only then is everything forbidden.
        ((0, 1, 2), 3),
    ],
)
def test_a_first_value_reveals_all_values_before_it(forbidden, revealed):
    found = lost(two_agents(*forbidden, values=(0, 1, 2)))
    assert found["pairs"] == {"a to b": {"revealed": revealed, "tuples": 3}}
    assert found["share"] == revealed / 3


def test_a_backtrack_reveals_more():
    # y can follow 1 and not 0: a says 0, b sends it back, a says 1. Both its values are now known to be allowed.
    found = lost(two_agents(differ=[(0, 0), (0, 1)]))
    assert found["pairs"]["a to b"] == {"revealed": 2, "tuples": 2}


def test_what_everybody_is_told_is_not_private():
    problem = Problem.read(
        {
            "domains": {"d": [0, 1]},
            "variables": {"x": "d", "y": "d"},
            "constraints": [{"scope": ["x", "y"], "forbidden": [[0, 0]]}],
        }
    )
    assert lost(problem) == {"share": None, "revealed": 0, "tuples": 0, "pairs": {}}


def test_one_who_hears_nothing_learns_nothing():
    # In the chain x - y - z nothing goes wrong: x tells y, y tells z; what is between y and z stays unknown to x.
    chain = Problem.read(
        {
            "domains": {"d": [0, 1]},
            "variables": dict.fromkeys("xyz", "d"),
            "constraints": [{"scope": ["x", "y"], "forbidden": [[1, 1]]}, {"scope": ["y", "z"], "forbidden": [[1, 1]]}],
        }
    )
    pairs = lost(chain)["pairs"]
    # x reads nothing: it only knows that y was left some value, and that does not decide any single pair.
    assert pairs["y to x"]["revealed"] == pairs["z to x"]["revealed"] == 0
    # z reads y = 0, which x's first value 0 must allow: of the four pairs of x and y, (0, 0) is revealed.
    assert pairs["x to z"] == pairs["y to z"] == {"revealed": 1, "tuples": 4}


def test_too_much_to_enumerate_and_chance_are_not_computed():
    assert lost(two_agents(values=(0, 1, 2)), most=2) == NOT_COMPUTED
    assert lost(two_agents(), who="dba") == NOT_COMPUTED


def test_a_run_says_it_where_it_is_asked(tmp_path):
    def told(*more):
        words = ["run", "constraints", "--as", "abt-sides", "--problem", "random:n=3,m=2,p1=0.7,p2=0.3,private=yes"]
        words += ["--sessions", "1", "--seed", "1", "--store", str(tmp_path / "runs.db"), "--json", *more]
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)["instances"][0]["privacy"]

    found = told("--privacy", "8")
    assert found["tuples"] == sum(one["tuples"] for one in found["pairs"].values()) > 0
    assert found["share"] == found["revealed"] / found["tuples"] > 0
    assert told() == NOT_COMPUTED
