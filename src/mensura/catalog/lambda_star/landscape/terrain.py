"""Terrain: fitness over a torus, made of hills; one is highest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.lambda_star.environment.torus import Torus

Fitness = NDArray[np.float64]
SECOND = 0.8
"""Height of the second hill compared with the first, at most: one optimum is global, beyond doubt."""


@dataclass(frozen=True)
class Terrain:
    """Fitness of every cell at every iteration, in [-1, 1] with mean 0: wandering about is worth nothing."""

    fitness: Fitness
    """A row per iteration, from 0 to ϑ."""

    def best(self, iteration: int) -> int:
        """Return the cell of the global optimum."""
        return int(self.fitness[iteration].argmax())

    def optima(self, torus: Torus, *, iteration: int = 0) -> list[int]:
        """List the cells that are higher than all around them, the global optimum among them."""
        row = self.fitness[iteration]
        return [
            cell for cell, nine in enumerate(torus.moves) if all(row[cell] > row[near] for near in nine if near != cell)
        ]


def make_terrain(torus: Torus, *, hills: int, change: int, iterations: int, key: int) -> Terrain:
    """Make a terrain from a key; with a `change` the hills walk a step every so many iterations."""
    rng = np.random.default_rng(key)
    rows, columns = rng.random((2, hills)) * np.array([[torus.rows], [torus.columns]])
    heights = np.concatenate([[1.0], rng.uniform(0.3, SECOND, size=hills - 1)])
    widths = rng.uniform(0.9, 1.8, size=hills)
    steps = []
    for iteration in range(iterations + 1):
        if change and iteration and iteration % change == 0:
            rows = rows + rng.uniform(-1, 1, size=hills)
            columns = columns + rng.uniform(-1, 1, size=hills)
            # Heights change places now and then, so that the best hill does not stay the best.
            if rng.random() < 0.2:
                other = int(rng.integers(hills))
                heights[[0, other]] = heights[[other, 0]]
        steps.append(_lay(torus, rows, columns, heights, widths))
    return Terrain(np.stack(steps))


def _lay(torus: Torus, rows: Fitness, columns: Fitness, heights: Fitness, widths: Fitness) -> Fitness:
    down = _around(np.arange(torus.rows)[:, None] - rows, torus.rows)[:, None, :]
    right = _around(np.arange(torus.columns)[:, None] - columns, torus.columns)[None, :, :]
    each = heights * np.exp(-(down**2 + right**2) / (2 * widths**2))
    # The highest hill counts where hills overlap: sums would make new hills between them.
    ground = each.max(axis=2).ravel()
    centred = ground - ground.mean()
    return np.asarray(centred / np.abs(centred).max())


def _around(offset: Fitness, length: int) -> Fitness:
    return np.asarray((offset + length / 2) % length - length / 2)
