"""Environments: what the definitions promise of every one of them."""

import itertools

import numpy as np
import pytest

from mensura.catalog.lambda_star.batch.chance import seeded
from mensura.catalog.lambda_star.batch.environments import make_environments, resolve_collisions
from mensura.catalog.lambda_star.environment.complexity import lempel_ziv
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus

SIZES = ["10", "5", "3", "8x12", "2x9", "1x4", "1x2"]


def printed(size, *, agents=3, episodes=300, reach=Reach(2, 5), iterations=50, key=1):
    return make_environments(
        Torus.of(size), episodes=episodes, first=0, iterations=iterations, agents=agents, reach=reach, key=key
    )


def program(size, *, agents=3, episodes=300, iterations=50):
    return make_environments(
        Torus.of(size), episodes=episodes, first=0, iterations=iterations, agents=agents, reach=None, key=1
    )


@pytest.mark.parametrize("size", SIZES)
def test_good_and_evil_never_share_a_cell(size):
    for made in (printed(size), program(size)):
        assert (made.good != made.evil).all()


@pytest.mark.parametrize("size", ["10", "5", "8x12"])
def test_each_object_is_where_a_cycle_of_the_episodes_complexity_has_it_unless_it_waits(size):
    made = printed(size, reach=Reach(2, 20))
    torus = Torus.of(size)
    whole = 0
    for good, evil, wanted in zip(made.good, made.evil, made.complexity, strict=True):
        waits = 0
        for own, other in ((good, evil), (evil, good)):
            jumps = [torus.distance(a, b) for a, b in itertools.pairwise(own)]
            waits += sum(jump > 1 for jump in jumps)
            if max(jumps) <= 1 and not np.any((own[1:] == own[:-1]) & _beside(torus, own, other)):
                assert lempel_ziv(own[:50]) == wanted
                whole += 1
        assert waits <= 50
    assert whole > 100


def _beside(torus, own, other):
    return np.array([torus.distance(a, b) <= 1 for a, b in zip(own[1:], other[1:], strict=True)])


def test_of_two_that_want_one_cell_one_moves_in_and_the_other_keeps_its_place_and_then_rejoins():
    good_path, evil_path = np.array([0, 1, 2, 3]), np.array([2, 1, 0, 9])
    winners = {"good": 0, "evil": 0}
    for number in range(2000):
        good, evil = np.empty(4, dtype=np.int32), np.empty(4, dtype=np.int32)
        resolve_collisions(good_path, evil_path, good, evil, seeded(np.uint64(1), number, 1))
        assert (good[1], evil[1]) in {(1, 2), (0, 1)}
        assert list(good[2:]) == [2, 3]
        assert list(evil[2:]) == [0, 9]
        winners["good" if good[1] == 1 else "evil"] += 1
    assert abs(winners["good"] - 1000) < 3 * 2000**0.5 / 2


def test_an_object_that_stays_is_not_run_over():
    for first, second in (([5, 5, 5], [4, 5, 6]), ([4, 5, 6], [5, 5, 5])):
        good, evil = np.empty(3, dtype=np.int32), np.empty(3, dtype=np.int32)
        for number in range(50):
            stream = seeded(np.uint64(1), number, 1)
            resolve_collisions(np.array(first), np.array(second), good, evil, stream)
            stayed, came = (good, evil) if first[0] == 5 else (evil, good)
            assert list(stayed) == [5, 5, 5]
            assert list(came) == [4, 4, 6]


def test_complexities_are_uniform_over_the_range():
    counts = np.bincount(printed("10", episodes=8000, reach=Reach(2, 9)).complexity, minlength=10)[2:]
    assert ((counts - 1000) ** 2 / 1000).sum() < 24.3


def test_agents_start_on_different_cells_while_there_are_enough():
    for made in (printed("5", agents=25), program("5", agents=25)):
        assert all(len(set(row)) == 25 for row in made.starts)
    assert all(np.bincount(row, minlength=25).max() == 3 for row in printed("5", agents=60).starts)


def test_start_cells_are_uniform():
    starts = printed("5", agents=1, episodes=10_000).starts
    counts = np.bincount(starts.ravel(), minlength=25)
    assert ((counts - 400) ** 2 / 400).sum() < 51.2


def test_episodes_do_not_depend_on_how_they_are_divided():
    whole = printed("10", episodes=40)
    parts = [
        make_environments(Torus(10, 10), episodes=20, first=first, iterations=50, agents=3, reach=Reach(2, 5), key=1)
        for first in (0, 20)
    ]
    assert np.array_equal(whole.good, np.concatenate([part.good for part in parts]))
    assert np.array_equal(whole.starts, np.concatenate([part.starts for part in parts]))


def test_the_program_walks_to_and_fro_and_evil_keeps_its_distance():
    made = program("10")
    assert np.array_equal(made.evil, (made.good + 1 + 33) % 100)
    for good, complexity in zip(made.good, made.complexity, strict=True):
        fits = [
            length
            for length in range(10, 20)
            if np.array_equal(good, np.resize(np.concatenate([good[:length], good[:length][::-1]]), 51))
            and lempel_ziv(good[:length]) == complexity
        ]
        assert fits


def test_neighbouring_keys_share_no_environments():
    """Keys 1, 2, 3 ... are what people type; the episodes of one must not be those of another, moved along."""
    rows = [tuple(row) for key in range(1, 6) for row in printed("10", episodes=100, reach=Reach(8, 20), key=key).good]
    assert len(set(rows)) == len(rows)


def test_scores_of_neighbouring_keys_spread_as_independent_ones_do():
    """Session means over 60 keys in a row: their variance is that of an episode over the number of episodes."""
    from mensura.catalog.lambda_star.batch.administration import BatchPlan, administer
    from mensura.catalog.lambda_star.team import Member

    torus = Torus(5, 5)
    sessions = [
        administer(BatchPlan(torus, 100, 50, Reach(2, 20), key=key), [Member("local-search", 1)]).score
        for key in range(60)
    ]
    ratio = np.var([session.mean() for session in sessions], ddof=1) / (np.concatenate(sessions).var(ddof=1) / 100)
    # 59 times the ratio is chi-square with 59 degrees of freedom: 0.1 % of them lie outside.
    assert 0.49 < ratio < 1.73
