"""Patterns are closed cycles of king steps with exactly the wanted complexity."""

import itertools

import numpy as np
import pytest

from mensura.catalog.lambda_star.batch.chance import seeded
from mensura.catalog.lambda_star.environment.complexity import lempel_ziv
from mensura.catalog.lambda_star.environment.pattern import closing_counts, make_pattern, reachable, wanted_range
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.errors import BadParameter


def patterns(torus, *, wanted, iterations=50, count=20):
    rows, columns = closing_counts(torus, iterations // 2)
    for number in range(count):
        path = np.zeros(iterations + 1, dtype=np.int64)
        assert make_pattern(rows, columns, wanted, iterations, path, seeded(np.uint64(1), number, 1))
        yield path


def period_of(path):
    return next(p for p in range(1, len(path)) if np.array_equal(path[p:], path[:-p]))


@pytest.mark.parametrize("size", ["5", "10", "3", "8x12", "1x10", "2x9"])
def test_every_reachable_complexity_is_made_as_wanted(size):
    torus = Torus.of(size)
    reach = wanted_range(torus, iterations=50, lowest=None, highest=None)
    for wanted in range(reach.lowest, reach.highest + 1):
        for path in patterns(torus, wanted=wanted, count=3):
            assert lempel_ziv(path[:50]) == wanted
            assert period_of(path) <= 25
            assert all(torus.distance(a, b) <= 1 for a, b in itertools.pairwise(path))


def test_patterns_of_one_complexity_differ():
    made = {tuple(path) for path in patterns(Torus(10, 10), wanted=12, count=200)}
    assert len(made) == 200


@pytest.mark.parametrize(("size", "iterations"), [("2x2", 10), ("1x3", 16), ("3x3", 8), ("1x7", 14), ("2x3", 10)])
def test_reachable_range_is_that_of_all_closed_cycles(size, iterations):
    torus = Torus.of(size)
    longest = iterations // 2
    found = set()
    for period in range(1, longest + 1):
        for cycle in itertools.product(range(torus.cells), repeat=period):
            pairs = zip(cycle, cycle[1:] + cycle[:1], strict=True)
            if cycle[0] == 0 and all(torus.distance(a, b) <= 1 for a, b in pairs):
                found.add(lempel_ziv((cycle * iterations)[:iterations]))
    reach = reachable(torus, iterations=iterations)
    assert found == set(range(reach.lowest, reach.highest + 1))


@pytest.mark.parametrize(("lowest", "highest"), [(1, 5), (2, 27), (9, 8)])
def test_complexities_out_of_reach_are_refused_with_the_reachable_range(lowest, highest):
    with pytest.raises(BadParameter, match="reach K = 2 to 26"):
        wanted_range(Torus(10, 10), iterations=50, lowest=lowest, highest=highest)


def test_an_episode_too_short_for_a_pattern_is_refused():
    with pytest.raises(BadParameter, match="at least 2 iterations"):
        reachable(Torus(10, 10), iterations=1)


def test_closed_walks_are_drawn_uniformly():
    """On 3 × 3 with period 2 the nine closed walks are a step and its reverse; chi-square over 9000 draws."""
    from mensura.catalog.lambda_star.environment.pattern import draw_closed_steps

    rows, _ = closing_counts(Torus(3, 3), 2)
    stream = seeded(np.uint64(3), 0, 0)
    steps = np.zeros(2, dtype=np.int64)
    counts = dict.fromkeys([(-1, 1), (0, 0), (1, -1)], 0)
    for _ in range(9000):
        draw_closed_steps(rows, steps, 2, stream)
        counts[tuple(int(step) for step in steps)] += 1
    assert sum((count - 3000) ** 2 / 3000 for count in counts.values()) < 13.8
