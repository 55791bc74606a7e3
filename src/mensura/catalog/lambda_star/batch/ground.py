"""What compiled agents stand on and see: tables of the torus, the grid of rewards, and steps over it."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch.chance import Stream, below, seeded
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.environment.torus import Torus

Cells = npt.NDArray[np.int32]
Values = npt.NDArray[np.float64]
Rewards = npt.NDArray[np.float64]
"""What every agent earned in all, by episode, session and agent; agents without training have one session."""


class Ground(NamedTuple):
    """Tables of a torus: where actions lead, which cells are near, which are seen, and each cell's row and column."""

    rows: int
    columns: int
    moves: Cells
    near: Cells
    seen: Cells
    row_of: Cells
    column_of: Cells


class Game(NamedTuple):
    """Some episodes: the ground, where Good and Evil go, where agents start, the rules, and what chooses all chance."""

    ground: Ground
    good: Cells
    evil: Cells
    starts: Cells
    original: bool
    """Whether the program's rules of 2016 hold."""
    key: np.uint64
    first: int
    group: int


@lru_cache(maxsize=16)
def ground_of(torus: Torus, sight: int) -> Ground:
    """Make the tables of a torus for agents that see `sight` cells far."""
    cells = np.arange(torus.cells, dtype=np.int32)
    moves = np.array(torus.moves, dtype=np.int32)
    near = np.array([sorted(set(nine)) for nine in torus.moves], dtype=np.int32)
    seen = np.array(torus.neighbourhood(sight), dtype=np.int32)
    return Ground(torus.rows, torus.columns, moves, near, seen, cells // torus.columns, cells % torus.columns)


@compiled
def lay_rewards(ground: Ground, grid: Values, good: int, evil: int) -> None:
    """Put the rewards around Good and Evil on a grid that has none."""
    near = ground.near
    for i in range(near.shape[1]):
        grid[near[good, i]] += 0.5
        grid[near[evil, i]] -= 0.5
    grid[good] += 0.5
    grid[evil] -= 0.5


@compiled
def lift_rewards(ground: Ground, grid: Values, good: int, evil: int) -> None:
    """Take the rewards around Good and Evil off the grid."""
    near = ground.near
    for i in range(near.shape[1]):
        grid[near[good, i]] = 0.0
        grid[near[evil, i]] = 0.0


@compiled
def open_view(ground: Ground, grid: Values, good: int, evil: int, original: bool) -> None:
    """Show what is observed before the first action.

    The program of 2016 had put both objects on its first cell after training, so that its agents first saw a lone
    punishment there.
    """
    grid[:] = 0.0
    if original:
        grid[0] = -0.5
    else:
        lay_rewards(ground, grid, good, evil)


@compiled
def turn_view(ground: Ground, grid: Values, good: Cells, evil: Cells, iteration: int, original: bool) -> None:
    """Move the objects from where they stood before this iteration to where it puts them."""
    if original and iteration == 1:
        grid[0] = 0.0
    else:
        lift_rewards(ground, grid, good[iteration - 1], evil[iteration - 1])
    lay_rewards(ground, grid, good[iteration], evil[iteration])


@compiled
def open_episode(game: Game, episode: int, grid: Values, cells: npt.NDArray[np.int64]) -> Stream:
    """Put objects and agents where an episode begins, and return the chance that agents have in it."""
    open_view(game.ground, grid, game.good[episode, 0], game.evil[episode, 0], game.original)
    cells[:] = game.starts[episode]
    return seeded(game.key, game.first + episode, game.group)


@compiled
def turn_episode(
    game: Game, episode: int, iteration: int, grid: Values, cells: npt.NDArray[np.int64], out: Rewards
) -> None:
    """Move the objects, and pay agents that have moved already what they find on their cells."""
    turn_view(game.ground, grid, game.good[episode], game.evil[episode], iteration, game.original)
    for j in range(len(cells)):
        out[episode, 0, j] += grid[cells[j]]


@compiled
def best_seen(ground: Ground, grid: Values, cell: int, stream: Stream) -> int:
    """Return the best cell in sight, drawn among equals; one of the nine cells in reach where all seen are equal."""
    seen = ground.seen
    best = grid[seen[cell, 0]]
    equals = 1
    for i in range(1, seen.shape[1]):
        value = grid[seen[cell, i]]
        if value > best:
            best = value
            equals = 1
        elif value == best:
            equals += 1
    if equals == seen.shape[1]:
        return int(ground.moves[cell, below(stream, 9)])
    chosen = below(stream, equals)
    for i in range(seen.shape[1]):
        if grid[seen[cell, i]] == best:
            if chosen == 0:
                return int(seen[cell, i])
            chosen -= 1
    return cell


@compiled
def axis_step(difference: int, length: int) -> int:
    """Return the step along one axis that shortens a difference, the shorter way round."""
    if difference < 0:
        difference += length
    if difference == 0:
        return 0
    return 1 if 2 * difference <= length else -1


@compiled
def step_toward(ground: Ground, cell: int, target: int) -> int:
    """Return the cell one king step from `cell` toward `target`."""
    down = axis_step(ground.row_of[target] - ground.row_of[cell], ground.rows)
    right = axis_step(ground.column_of[target] - ground.column_of[cell], ground.columns)
    return int(ground.moves[cell, (down + 1) * 3 + right + 1])


@compiled
def distance(ground: Ground, first: int, second: int) -> int:
    """Count the king steps between two cells."""
    row = abs(ground.row_of[first] - ground.row_of[second])
    column = abs(ground.column_of[first] - ground.column_of[second])
    return int(max(min(row, ground.rows - row), min(column, ground.columns - column)))


@compiled
def local_move(ground: Ground, grid: Values, cell: int, stream: Stream) -> int:
    """Return the cell a local-search agent goes to."""
    return step_toward(ground, cell, best_seen(ground, grid, cell, stream))
