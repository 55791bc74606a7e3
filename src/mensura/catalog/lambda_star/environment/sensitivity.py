"""Whether an environment can trap an agent in heaven (always rewarded) or hell (always punished)."""

from dataclasses import dataclass

import numpy as np

from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.environments import Environments
from mensura.catalog.lambda_star.batch.ground import Cells, Ground, Values, ground_of, lay_rewards, lift_rewards


@dataclass(frozen=True)
class Traps:
    """The most iterations in a row, over all environments, cells and times, that nobody could have escaped."""

    heaven: int
    """Reward above zero whatever the agent does."""
    hell: int
    """Reward below zero whatever the agent does."""


def longest_traps(environments: Environments) -> Traps:
    """Find the longest stretch of forced reward and of forced punishment, over every state of every environment.

    From the last iteration backwards, f(i, c) is the least number of rewards above zero in a row that actions can lead
    to from cell c before iteration i + 1; likewise below zero. A test is sensitive where both stay small.
    """
    ground = ground_of(environments.torus, 1)
    return Traps(
        int(longest_forced(ground, environments.good, environments.evil)),
        int(longest_forced(ground, environments.evil, environments.good)),
    )


@compiled
def longest_forced(ground: Ground, good: Cells, evil: Cells) -> int:
    """Return the longest stretch for which every way of acting is rewarded."""
    cells = len(ground.moves)
    grid: Values = np.zeros(cells)
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
