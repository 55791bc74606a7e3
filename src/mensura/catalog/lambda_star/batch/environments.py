"""Environments by the thousand: where Good and Evil are at every iteration, and where agents start."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch.chance import ENVIRONMENT, Stream, below, seeded
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.ground import Cells
from mensura.catalog.lambda_star.environment.complexity import count_components
from mensura.catalog.lambda_star.environment.pattern import Counts, Reach, closing_counts, make_pattern
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.errors import BadParameter

Wide = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Environments:
    """A row per episode: cells of Good and Evil at iterations 0 to ϑ, planned K, and the agents' start cells."""

    torus: Torus
    good: Cells
    evil: Cells
    complexity: Cells
    starts: Cells
    first: int
    """The number of the first of these episodes in its session; it chooses their streams of chance."""

    @property
    def iterations(self) -> int:
        """ϑ, how many actions each agent takes in an episode."""
        return int(self.good.shape[1] - 1)


def make_environments(
    torus: Torus, *, episodes: int, first: int, iterations: int, agents: int, reach: Reach | None, key: int
) -> Environments:
    """Make environments `first` to `first + episodes` of the session with this key.

    With a `reach` they follow the paper: Good and Evil have different cycles of one complexity K, drawn from that range
    for each episode. Without, they follow the program of 2016.
    """
    good = np.empty((episodes, iterations + 1), dtype=np.int32)
    evil = np.empty_like(good)
    complexity = np.empty(episodes, dtype=np.int32)
    starts = np.empty((episodes, agents), dtype=np.int32)
    seed = np.uint64(key)
    if reach is None:
        size = max(torus.rows, torus.columns)
        walk_as_the_program_did(torus.rows, torus.columns, size, good, evil, complexity, starts, seed, first)
    else:
        rows, columns = closing_counts(torus, iterations // 2)
        bounds = (reach.lowest, reach.highest)
        failed = walk_as_printed(rows, columns, bounds, good, evil, complexity, starts, seed, first)
        if failed:
            raise BadParameter(
                f"No pattern of complexity {failed} was found on {torus} with {iterations} iterations; "
                f"narrow the range of K from {reach.lowest} to {reach.highest}."
            )
    return Environments(torus, good, evil, complexity, starts, first)


def walked_complexity(environments: Environments, *, original: bool = False) -> Cells:
    """Return the complexity of the way that Good really goes; of the program's, that of its walk there.

    Where Good and Evil want one cell, one waits, and its way is no longer the planned one.
    """
    return environments.complexity if original else count_all(environments.good[:, :-1])


@compiled
def count_all(paths: Cells) -> Cells:
    """Return the complexity of every path."""
    counts = np.empty(len(paths), dtype=np.int32)
    for episode in range(len(paths)):
        counts[episode] = count_components(paths[episode])
    return counts


@compiled
def walk_as_printed(
    row_counts: Counts,
    column_counts: Counts,
    bounds: tuple[int, int],
    good: Cells,
    evil: Cells,
    complexity: Cells,
    starts: Cells,
    key: np.uint64,
    first: int,
) -> int:
    """Fill environments as the paper defines them; return the K that could not be made, or 0."""
    rows = row_counts.shape[1]
    columns = column_counts.shape[1]
    iterations = good.shape[1] - 1
    paths = np.empty((2, iterations + 1), dtype=np.int64)
    taken = np.zeros(rows * columns, dtype=np.bool_)
    for episode in range(good.shape[0]):
        stream = seeded(key, first + episode, ENVIRONMENT)
        wanted = bounds[0] + below(stream, bounds[1] - bounds[0] + 1)
        complexity[episode] = wanted
        for which in range(2):
            if not make_pattern(row_counts, column_counts, wanted, iterations, paths[which], stream):
                return wanted
        # Both patterns begin at cell 0; laid down on two different cells they are never the same.
        good_start = below(stream, rows * columns)
        evil_start = (good_start + 1 + below(stream, rows * columns - 1)) % (rows * columns)
        lay_down(paths[0], good_start, rows, columns)
        lay_down(paths[1], evil_start, rows, columns)
        resolve_collisions(paths[0], paths[1], good[episode], evil[episode], stream)
        draw_starts(starts[episode], taken, stream)
    return 0


@compiled
def lay_down(path: Wide, start: int, rows: int, columns: int) -> None:
    """Move a path that begins at cell 0 to begin at `start`."""
    for i in range(len(path)):
        row = (path[i] // columns + start // columns) % rows
        path[i] = row * columns + (path[i] % columns + start % columns) % columns


@compiled
def resolve_collisions(good_path: Wide, evil_path: Wide, good: Cells, evil: Cells, stream: Stream) -> None:
    """Walk both objects along their patterns; where both want one cell, chance lets one in and the other waits.

    One that waited is back where the pattern has it by the next iteration. An object that already stands on the wanted
    cell keeps it: were the other let in, they would share it.
    """
    good[0] = good_path[0]
    evil[0] = evil_path[0]
    for i in range(1, len(good_path)):
        good[i] = good_path[i]
        evil[i] = evil_path[i]
        if good[i] != evil[i]:
            continue
        if good[i] == good[i - 1]:
            evil[i] = evil[i - 1]
        elif evil[i] == evil[i - 1] or below(stream, 2) == 0:
            good[i] = good[i - 1]
        else:
            evil[i] = evil[i - 1]


@compiled
def draw_starts(starts: Cells, taken: npt.NDArray[np.bool_], stream: Stream) -> None:
    """Draw start cells, all different until there are more agents than cells."""
    cells = len(taken)
    for j in range(len(starts)):
        if j % cells == 0:
            taken[:] = False
        cell = below(stream, cells)
        while taken[cell]:
            cell = below(stream, cells)
        taken[cell] = True
        starts[j] = cell
    for cell in starts:
        taken[cell] = False


@compiled
def walk_as_the_program_did(
    rows: int,
    columns: int,
    size: int,
    good: Cells,
    evil: Cells,
    complexity: Cells,
    starts: Cells,
    key: np.uint64,
    first: int,
) -> None:
    """Fill environments as the program of 2016 made them.

    Good walks at random for `size` to 2·`size` - 1 steps and then to and fro along that walk; Evil keeps a fixed
    distance behind it in the order of cells. K is that of the walk.
    """
    cells = rows * columns
    walk = np.empty(2 * size, dtype=np.int64)
    taken = np.zeros(cells, dtype=np.bool_)
    for episode in range(good.shape[0]):
        stream = seeded(key, first + episode, ENVIRONMENT)
        length = size + below(stream, size)
        row = below(stream, rows)
        column = below(stream, columns)
        for i in range(length):
            action = below(stream, 9)
            row = (row + action // 3 - 1) % rows
            column = (column + action % 3 - 1) % columns
            walk[i] = row * columns + column
        complexity[episode] = count_components(walk[:length])
        for i in range(good.shape[1]):
            at = i % (2 * length)
            good[episode, i] = walk[at] if at < length else walk[2 * length - 1 - at]
            evil[episode, i] = (good[episode, i] + 1 + cells // 3) % cells
        draw_starts(starts[episode], taken, stream)
