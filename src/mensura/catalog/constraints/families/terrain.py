"""RobotTerrain: a grid with obstacles, in which robots move to any of eight neighbours."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.errors import BadParameter

Cell = tuple[int, int]
Cells = np.ndarray[Any, Any]


@dataclass(frozen=True)
class RobotTerrain:
    """A square of cells, blocked or open; arrays are indexed by row and column, cells are (x, y)."""

    blocked: Cells

    @property
    def side(self) -> int:
        """How many cells it is wide and high."""
        return len(self.blocked)

    def open(self, cell: Cell) -> bool:
        """Say whether a robot can stand there."""
        x, y = cell
        return 0 <= x < self.side and 0 <= y < self.side and not self.blocked[y, x]

    def distance(self, explored: Cells, *, known: Cells) -> Cells:
        """Return how many steps each open known cell is from the nearest unexplored one; infinite where none is."""
        passable = ~(self.blocked & known)
        far = np.where(~explored & passable, 0.0, np.inf)
        while True:
            nearer = np.where(passable, np.minimum(far, _least_around(far) + 1), np.inf)
            if np.array_equal(nearer, far):
                return far
            far = nearer

    def reachable(self, start: list[Cell]) -> Cells:
        """Return the open cells that robots can get to from where they start."""
        begun = np.ones_like(self.blocked)
        for x, y in start:
            begun[y, x] = False
        return np.isfinite(self.distance(begun, known=np.ones_like(self.blocked)))

    def cluster(self, rng: np.random.Generator, *, n: int, reach: float) -> list[Cell]:
        """Draw n open cells near one another, in touch over `reach`, each of which can be left."""
        free = [(x, y) for y in range(self.side) for x in range(self.side) if self._can_be_left((x, y))]
        if len(free) < n:
            raise BadParameter(f"{n} robots find only {len(free)} free cells; use fewer obstacles or a larger side.")
        chosen = [free[int(rng.integers(len(free)))]]
        while len(chosen) < n:
            near = [cell for cell in free if cell not in chosen and any(_apart(cell, one) <= reach for one in chosen)]
            if not near:
                raise BadParameter(f"{n} robots cannot start within reach of one another; use fewer obstacles.")
            near.sort(key=lambda cell: (_apart(cell, chosen[0]), cell))
            chosen.append(near[0])
        return chosen

    def _can_be_left(self, cell: Cell) -> bool:
        x, y = cell
        around = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        return self.open(cell) and any(self.open(other) for other in around)


def draw_terrain(rng: np.random.Generator, *, side: int, share: float, count: int, size: int) -> RobotTerrain:
    """Draw obstacles of size × size cells: so many as `count`, or until they cover a share of the grid."""
    if side < 2 or not 1 <= size <= side:
        raise BadParameter(
            f"A grid has a side of at least 2 and obstacles no larger than it; got side={side}, size={size}."
        )
    if not 0 <= share < 1 or count < 0:
        raise BadParameter(f"Obstacles cover a share obsd from 0 to below 1; got obsd={share:g}, obstacles={count}.")
    blocked = np.zeros((side, side), dtype=bool)
    wanted = round(share * side * side)
    corners = rng.permutation((side - size + 1) ** 2)
    for i, corner in enumerate(corners.tolist()):
        if i >= count if count else blocked.sum() + size * size / 2 > wanted:
            break
        y, x = divmod(corner, side - size + 1)
        blocked[y : y + size, x : x + size] = True
    return RobotTerrain(blocked)


def _least_around(far: Cells) -> Cells:
    """Return the least of the eight neighbours of every cell."""
    wide = np.pad(far, 1, constant_values=np.inf)
    side = len(far)
    around = [wide[1 + i : 1 + i + side, 1 + j : 1 + j + side] for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    return np.asarray(np.minimum.reduce(around))


def _apart(one: Cell, two: Cell) -> float:
    return float(np.hypot(one[0] - two[0], one[1] - two[1]))
