"""Agents that act by themselves: random, local search, oracle."""

import numpy as np

from mensura.catalog.lambda_star.batch.chance import below
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.ground import (
    Cells,
    Game,
    Ground,
    Rewards,
    distance,
    local_move,
    open_episode,
    step_toward,
    turn_episode,
)


@compiled
def random(game: Game, out: Rewards) -> None:
    """Take any of the nine actions, each as likely."""
    ground = game.ground
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    grid = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        for i in range(1, iterations + 1):
            for j in range(agents):
                cells[j] = ground.moves[cells[j], below(stream, 9)]
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def local_search(game: Game, out: Rewards) -> None:
    """Go to the best cell in sight."""
    ground = game.ground
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    grid = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        for i in range(1, iterations + 1):
            for j in range(agents):
                cells[j] = local_move(ground, grid, cells[j], stream)
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def oracle(game: Game, out: Rewards) -> None:
    """Know where Good goes: follow it, and cut it off where it runs away (the program's oracle never cuts off)."""
    ground, good, original = game.ground, game.good, game.original
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    grid = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    cutting = np.zeros(agents, dtype=np.bool_)
    for episode in range(episodes):
        open_episode(game, episode, grid, cells)
        cutting[:] = False
        for i in range(1, iterations + 1):
            for j in range(agents):
                if original:
                    cells[j] = step_toward(ground, cells[j], good[episode, i])
                else:
                    cells[j], cutting[j] = pursue(ground, good[episode], cells[j], i, cutting[j])
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def pursue(ground: Ground, good: Cells, cell: int, iteration: int, cutting: bool) -> tuple[int, bool]:
    """Take an oracle's step: its new cell, and whether it is now on its way to cut Good off.

    It heads for Good's next cell. Where that step would leave it no nearer than it was, Good runs away, and until they
    meet it heads for the first cell that it can reach no later than Good does.
    """
    follow = step_toward(ground, cell, good[iteration])
    left = distance(ground, follow, good[iteration])
    if left == 0:
        return follow, False
    if not cutting and left < distance(ground, cell, good[iteration - 1]):
        return follow, False
    return step_toward(ground, cell, crossing(ground, good, cell, iteration)), True


@compiled
def crossing(ground: Ground, good: Cells, cell: int, iteration: int) -> int:
    """Return the first cell of Good's way that can be reached in time; its next cell where none can."""
    for later in range(iteration, len(good)):
        if distance(ground, cell, good[later]) <= later - iteration + 1:
            return int(good[later])
    return int(good[iteration])
