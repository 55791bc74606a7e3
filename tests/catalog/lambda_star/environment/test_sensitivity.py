"""No environment is heaven or hell."""

import itertools

import numpy as np
import pytest

from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.environments import Environments, make_environments
from mensura.catalog.lambda_star.batch.ground import ground_of, lay_rewards, lift_rewards
from mensura.catalog.lambda_star.environment.pattern import wanted_range
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.world import GridWorld


def environments(size, *, rules="paper", episodes=300):
    torus = Torus.of(size)
    reach = wanted_range(torus, iterations=30, lowest=None, highest=None) if rules == "paper" else None
    return make_environments(torus, episodes=episodes, first=0, iterations=30, agents=1, reach=reach, key=3)


def longest_traps(environments):
    """Find the longest stretch of forced reward and of forced punishment, over every state of every environment.

    From the last iteration backwards, f(i, c) is the least number of rewards above zero in a row that actions can lead
    to from cell c before iteration i + 1; likewise below zero. A test is sensitive where both stay small.
    """
    ground = ground_of(environments.torus, 1)
    heaven = longest_forced(ground, environments.good, environments.evil)
    return heaven, longest_forced(ground, environments.evil, environments.good)


@compiled
def longest_forced(ground, good, evil):
    """Return the longest stretch for which every way of acting is rewarded."""
    cells = len(ground.moves)
    grid = np.zeros(cells)
    longest = 0
    for episode in range(len(good)):
        after = np.zeros(cells, dtype=np.int64)
        for i in range(good.shape[1] - 1, 0, -1):
            lay_rewards(ground, grid, good[episode, i], evil[episode, i])
            before = np.zeros(cells, dtype=np.int64)
            for cell in range(cells):
                least = good.shape[1]
                for action in range(9):
                    to = ground.moves[cell, action]
                    least = min(least, 1 + after[to] if grid[to] > 0.0 else 0)
                before[cell] = least
                longest = max(longest, least)
            lift_rewards(ground, grid, good[episode, i], evil[episode, i])
            after = before
    return longest


@pytest.mark.cells(5)
@pytest.mark.parametrize("rules", ["paper", "original"])
@pytest.mark.parametrize("size", ["10", "5", "4", "3", "2x6", "1x5", "1x2"])
def test_nobody_is_ever_held_in_heaven_or_hell(size, rules):
    """From any cell at any time an agent can be out within three iterations, be it rewarded or punished."""
    heaven, hell = longest_traps(environments(size, rules=rules))
    assert heaven <= 3
    assert hell <= 3


def test_traps_are_those_found_by_trying_every_way_of_acting():
    torus = Torus(1, 5)
    made = make_environments(
        torus,
        episodes=40,
        first=0,
        iterations=4,
        agents=1,
        reach=wanted_range(torus, iterations=4, lowest=None, highest=None),
        key=1,
    )
    longest = 0
    for good, evil in zip(made.good.tolist(), made.evil.tolist(), strict=True):
        for time, cell in itertools.product(range(4), range(5)):
            runs = []
            for actions in itertools.product((4, 5, 6), repeat=4 - time):
                world = GridWorld(torus, good=good, evil=evil, starts=[cell])
                world.iteration = time
                rewards = [world.step([action])[0] for action in actions]
                runs.append(next((i for i, reward in enumerate(rewards) if reward <= 0), len(rewards)))
            longest = max(longest, min(runs))
    assert longest_traps(made)[0] == longest


def test_who_stands_on_a_good_that_stays_is_rewarded_once_more_and_then_free():
    torus = Torus(1, 8)
    good, evil = np.full((1, 6), 3, dtype=np.int32), np.full((1, 6), 7, dtype=np.int32)
    made = Environments(torus, good, evil, np.array([2], np.int32), np.zeros((1, 1), np.int32), 0)
    assert longest_traps(made) == (1, 1)
