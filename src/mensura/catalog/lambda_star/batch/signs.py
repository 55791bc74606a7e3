"""Collectives that speak through marks on the ground: stigmergy and the wisdom of the crowd."""

import numpy as np

from mensura.catalog.lambda_star.batch.chance import Stream, below
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.ground import (
    Game,
    Ground,
    Rewards,
    Values,
    best_seen,
    open_episode,
    step_toward,
    turn_episode,
)

ORIGINAL_WEIGHT = 0.4


@compiled
def stigmergy(game: Game, weight: float, evaporation: float, out: Rewards) -> None:
    """Lay fake rewards on all seen cells and go where they are highest.

    All lay before anyone moves. As printed, an agent lays R + γ max R + (1 - γ) min R, γ being `weight`, over whatever
    was laid there before it, and an evaporation of 1 leaves nothing of the iteration before; else the rest of that is
    added. In the program of 2016 marks mix with all older ones.
    """
    ground, original = game.ground, game.original
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    seen = ground.seen
    grid = np.zeros(len(ground.moves))
    marks = np.zeros(len(ground.moves))
    rest = np.zeros(len(ground.moves))
    cells = np.empty(agents, dtype=np.int64)
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        marks[:] = 0.0
        for i in range(1, iterations + 1):
            if original:
                for j in range(agents):
                    highest, lowest = extremes(ground, grid, cells[j])
                    fake = ORIGINAL_WEIGHT * (highest + lowest)
                    if fake != 0.0:
                        for k in range(seen.shape[1]):
                            cell = seen[cells[j], k]
                            marks[cell] = (marks[cell] + grid[cell] + fake) / 3.0
            else:
                for cell in range(len(marks)):
                    rest[cell] = (1.0 - evaporation) * marks[cell]
                    marks[cell] = rest[cell]
                for j in range(agents):
                    highest, lowest = extremes(ground, grid, cells[j])
                    fake = weight * highest + (1.0 - weight) * lowest
                    for k in range(seen.shape[1]):
                        cell = seen[cells[j], k]
                        marks[cell] = rest[cell] + grid[cell] + fake
            for j in range(agents):
                cells[j] = step_toward(ground, cells[j], best_seen(ground, marks, cells[j], stream))
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def wisdom_of_crowd(game: Game, evaporation: float, out: Rewards) -> None:
    """Keep one map that all agents write to, and head for its best cell.

    All write before anyone moves. In ours the old map evaporates and what any agent sees takes its place, so that what
    nobody sees fades. In the program of 2016 every agent averages in what it sees that is not zero, and nothing fades.
    """
    ground, original = game.ground, game.original
    episodes, agents = game.starts.shape
    iterations = game.good.shape[1] - 1
    seen = ground.seen
    grid = np.zeros(len(ground.moves))
    belief = np.zeros(len(ground.moves))
    fresh = np.zeros(len(ground.moves), dtype=np.bool_)
    cells = np.empty(agents, dtype=np.int64)
    for episode in range(episodes):
        stream = open_episode(game, episode, grid, cells)
        belief[:] = 0.0
        for i in range(1, iterations + 1):
            if original:
                for j in range(agents):
                    for k in range(seen.shape[1]):
                        cell = seen[cells[j], k]
                        if grid[cell] != 0.0:
                            belief[cell] = (belief[cell] + grid[cell]) / 2.0
            else:
                fresh[:] = False
                for j in range(agents):
                    for k in range(seen.shape[1]):
                        fresh[seen[cells[j], k]] = True
                for cell in range(len(belief)):
                    now = grid[cell] if fresh[cell] else 0.0
                    belief[cell] = (1.0 - evaporation) * belief[cell] + evaporation * now
            for j in range(agents):
                cells[j] = step_toward(ground, cells[j], best_of_all(belief, stream))
            turn_episode(game, episode, i, grid, cells, out)


@compiled
def extremes(ground: Ground, grid: Values, cell: int) -> tuple[float, float]:
    """Return the highest and the lowest value in sight."""
    seen = ground.seen
    highest = grid[seen[cell, 0]]
    lowest = highest
    for k in range(1, seen.shape[1]):
        value = grid[seen[cell, k]]
        highest = max(highest, value)
        lowest = min(lowest, value)
    return highest, lowest


@compiled
def best_of_all(values: Values, stream: Stream) -> int:
    """Draw one of the cells of highest value."""
    best = values[0]
    equals = 1
    for cell in range(1, len(values)):
        if values[cell] > best:
            best = values[cell]
            equals = 1
        elif values[cell] == best:
            equals += 1
    skip = below(stream, equals)
    for cell in range(len(values)):
        if values[cell] == best:
            if skip == 0:
                return cell
            skip -= 1
    return 0
