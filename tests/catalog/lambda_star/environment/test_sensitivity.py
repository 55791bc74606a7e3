"""No environment is heaven or hell."""

import itertools

import numpy as np
import pytest

from mensura.catalog.lambda_star.batch.environments import Environments, make_environments
from mensura.catalog.lambda_star.environment.pattern import wanted_range
from mensura.catalog.lambda_star.environment.sensitivity import longest_traps
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.world import GridWorld


def environments(size, *, rules="paper", episodes=300):
    torus = Torus.of(size)
    reach = wanted_range(torus, iterations=30, lowest=None, highest=None) if rules == "paper" else None
    return make_environments(torus, episodes=episodes, first=0, iterations=30, agents=1, reach=reach, key=3)


@pytest.mark.parametrize("rules", ["paper", "original"])
@pytest.mark.parametrize("size", ["10", "5", "4", "3", "2x6", "1x5", "1x2"])
def test_nobody_is_ever_held_in_heaven_or_hell(size, rules):
    """From any cell at any time an agent can be out within three iterations, be it rewarded or punished."""
    traps = longest_traps(environments(size, rules=rules))
    assert traps.heaven <= 3
    assert traps.hell <= 3


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
    assert longest_traps(made).heaven == longest


def test_who_stands_on_a_good_that_stays_is_rewarded_once_more_and_then_free():
    torus = Torus(1, 8)
    good, evil = np.full((1, 6), 3, dtype=np.int32), np.full((1, 6), 7, dtype=np.int32)
    made = Environments(torus, good, evil, np.array([2], np.int32), np.zeros((1, 1), np.int32), 0)
    assert (longest_traps(made).heaven, longest_traps(made).hell) == (1, 1)
