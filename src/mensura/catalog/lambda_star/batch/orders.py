"""Collectives that speak outright: bidding, dictatorship, the binary tree; and imitation, which only watches."""

import numpy as np

from mensura.catalog.lambda_star.batch.alone import pursue
from mensura.catalog.lambda_star.batch.chance import below
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.ground import (
    Game,
    Rewards,
    best_seen,
    distance,
    local_move,
    open_episode,
    step_toward,
    turn_episode,
)

NOBODY = -1


@compiled
def bidding(game: Game, out: Rewards) -> None:
    """Let the one who sees the highest reward say where all go.

    Ours holds a new auction every iteration, won by one of the highest bidders at random; where nobody sees a reward
    above zero, everyone searches alone. In the program of 2016 a bid stands until the end unless it is equalled.
    """
    ground, original = game.ground, game.original
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    grid = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        bid = -1.0
        target = NOBODY
        for i in range(1, iterations + 1):
            if not original:
                bid = 0.0
                target = NOBODY
            equals = 0
            for j in range(agents):
                wish = best_seen(ground, grid, cells[j], stream)
                if original:
                    if grid[wish] >= bid:
                        bid = grid[wish]
                        target = wish
                elif grid[wish] > bid:
                    bid = grid[wish]
                    target = wish
                    equals = 1
                elif target != NOBODY and grid[wish] == bid:
                    equals += 1
                    if below(stream, equals) == 0:
                        target = wish
            for j in range(agents):
                if target == NOBODY:
                    cells[j] = local_move(ground, grid, cells[j], stream)
                else:
                    cells[j] = step_toward(ground, cells[j], target)
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def dictatorship(game: Game, out: Rewards) -> None:
    """Let the first agent's own choice of cell be everyone's target."""
    ground = game.ground
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    grid = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        for i in range(1, iterations + 1):
            target = best_seen(ground, grid, cells[0], stream)
            for j in range(agents):
                cells[j] = step_toward(ground, cells[j], target)
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def binary_tree(game: Game, out: Rewards) -> None:
    """Send reports up a binary tree and orders down, one level an iteration (the program's tree only searched alone).

    Agent j reports to agent (j - 1) // 2 the best cell it saw or was told of. The first agent's report is the order;
    everyone obeys the order that has reached them unless they see something at least as good themselves.
    """
    ground, original = game.ground, game.original
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    grid = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    wishes = np.empty(agents, dtype=np.int64)
    reports = np.empty(agents, dtype=np.int64)
    worths = np.empty(agents)
    orders = np.empty(agents, dtype=np.int64)
    promises = np.empty(agents)
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        reports[:] = NOBODY
        worths[:] = 0.0
        orders[:] = NOBODY
        promises[:] = 0.0
        for i in range(1, iterations + 1):
            # Leaves are written after their superiors: each still reads what its neighbours said an iteration ago.
            for j in range(agents):
                wish = best_seen(ground, grid, cells[j], stream)
                wishes[j] = wish
                worths[j] = grid[wish]
                reports[j] = wish
                for child in range(2 * j + 1, min(2 * j + 3, agents)):
                    if i > 1 and worths[child] > worths[j]:
                        worths[j] = worths[child]
                        reports[j] = reports[child]
            for j in range(agents - 1, 0, -1):
                superior = (j - 1) // 2
                orders[j] = orders[superior]
                promises[j] = promises[superior]
            orders[0] = reports[0]
            promises[0] = worths[0]
            for j in range(agents):
                if original or orders[j] == NOBODY or promises[j] <= grid[wishes[j]]:
                    cells[j] = step_toward(ground, cells[j], wishes[j])
                else:
                    cells[j] = step_toward(ground, cells[j], orders[j])
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def imitation(game: Game, out: Rewards) -> None:
    """Follow a guide that knows Good's way when it is in sight, else search alone. The guide is not scored.

    Ours starts on a cell of its own and moves once an iteration, before the agents. The guide of the program of 2016
    starts with the last agent and moves once per agent, and is followed from a distance of 1 whatever the sight.
    """
    ground, good, original = game.ground, game.good, game.original
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    grid = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    sight = 1 if original else (int(np.sqrt(ground.seen.shape[1])) - 1) // 2
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        guide = cells[agents - 1] if original else below(stream, len(ground.moves))
        cutting = False
        for i in range(1, iterations + 1):
            if not original:
                guide, cutting = pursue(ground, good[episode], guide, i, cutting)
            for j in range(agents):
                if original:
                    guide = step_toward(ground, guide, good[episode, i])
                if distance(ground, cells[j], guide) <= sight:
                    cells[j] = step_toward(ground, cells[j], guide)
                else:
                    cells[j] = local_move(ground, grid, cells[j], stream)
            turn_episode(game, episode, i, grid, cells, out)
