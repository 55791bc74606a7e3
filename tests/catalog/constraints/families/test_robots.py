"""Robots: they keep in touch, run into nothing, and explore what they can reach."""

from itertools import product

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_chain
from mensura.catalog.constraints.families.robots import STEPS
from mensura.catalog.constraints.families.terrain import draw_terrain
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.library.runs import run as run_test


def connected(cells, reach):
    seen, todo = set(), [0]
    while todo:
        i = todo.pop()
        if i not in seen:
            seen.add(i)
            todo += [
                j for j, cell in enumerate(cells) if np.hypot(cell[0] - cells[i][0], cell[1] - cells[i][1]) <= reach
            ]
    return len(seen) == len(cells)


@pytest.mark.parametrize("goal", ["satisfy", "min"])
@pytest.mark.parametrize("seed", range(3))
def test_every_move_keeps_robots_in_touch_and_apart(goal, seed):
    chain = find_chain(f"robots:n=4,side=12,obsd=0.15,moves=25,cr=4,goal={goal}", np.random.default_rng(seed))
    shares = [chain.report()["explored"]]
    while not chain.over:
        before = list(chain.at)
        chain.advance(truth_of(chain.problem).assignment)
        assert connected(chain.at, 4)
        assert len(set(chain.at)) == 4
        assert all(chain.grid.open(cell) for cell in chain.at)
        assert all(max(abs(a - c), abs(b - d)) <= 1 for (a, b), (c, d) in zip(before, chain.at, strict=True))
        shares.append(chain.report()["explored"])
    assert shares == sorted(shares)
    assert shares[-1] > shares[0]
    assert chain.report()["travelled"] >= 4 * chain.report()["moves"] > 0


def test_robots_stay_where_they_are_without_an_agreement():
    chain = find_chain("robots:n=3,moves=2", np.random.default_rng(1))
    start = list(chain.at)
    chain.advance(None)
    choices = (dict(zip(chain.problem.variables, ways, strict=True)) for ways in product(STEPS, repeat=3))
    chain.advance(next(choice for choice in choices if chain.problem.violated(choice)))
    assert (chain.at, chain.over, chain.report()["moves"], chain.report()["travelled"]) == (start, True, 0, 0)


def test_robots_do_not_see_obstacles_that_they_have_not_explored():
    """The same start on grids that differ far away is the same problem."""
    first = find_chain("robots:n=2,side=20,obsd=0.1,sr=2", np.random.default_rng(3))
    second = find_chain("robots:n=2,side=20,obsd=0.1,sr=2", np.random.default_rng(3))
    second.grid.blocked[~second.explored] = True
    second._look()
    assert second.problem == first.problem


def test_obstacles_have_their_number_and_size_or_cover_their_share():
    rng = np.random.default_rng(1)
    assert abs(draw_terrain(rng, side=30, share=0.2, count=0, size=1).blocked.mean() - 0.2) < 1e-9
    assert abs(draw_terrain(rng, side=30, share=0.2, count=0, size=3).blocked.mean() - 0.2) < 0.01
    one = draw_terrain(rng, side=10, share=0.9, count=1, size=4).blocked
    assert one.sum() == 16


def test_a_run_lists_what_the_robots_of_each_session_came_to(tmp_path):
    asked = {"problem": "robots:n=3,side=6,moves=3", "oracle": 0.0}
    found = run_test("constraints", "awcs", parameters=asked, sessions=2, seed=1, store=tmp_path / "s.db")
    told = found.results[0].details["by_session"]
    assert [one["moves"] for one in told] == [3, 3]
    assert all(0 < one["explored"] <= 1 for one in told)
    shown = {one.title: one for one in found.exhibits()}["What robots explored"]
    assert shown.columns == ("who", "explored", "travelled", "moves")
    # The chain of hashes that an audit follows stands under a name of its own.
    assert "chain" not in found.results[0].details
