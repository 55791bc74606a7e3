"""The distributed breakout algorithm: it solves what can be solved, ends by itself, and claims nothing false."""

import pytest

from tests.catalog.constraints.runs import run


@pytest.mark.parametrize("terms", [{}, {"execution": "async"}, {"delay": "uniform:1,4"}, {"reading": "each"}])
def test_it_solves_colourings_and_knows_that_it_has(terms):
    for seed in range(6):
        found = run("dba", "colouring:n=12,k=3,links=18,solvable=yes", seed=seed, **terms)
        assert (found["verdict"], found["over"]) == ("solved", "quiet")


def test_every_turn_costs_two_messages_on_each_side_of_a_link():
    found = run("dba", "queens:n=3", stop="cycles=11")
    assert found["verdict"] == "limit"
    assert found["messages"]["by_kind"] == {"ok": 6 * 6, "improve": 6 * 6}
