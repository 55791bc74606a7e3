"""Regions of influence: which group every cell of the grid belongs to (SOCINT)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Regions:
    """The owner of every grid cell, 1 for A to 4 for D, column by column: cell (x, y) is `cells[x * height + y]`."""

    width: int
    height: int
    cells: bytes

    def at(self, x: float, y: float) -> str:
        """Name the group whose region holds a place."""
        column = min(max(round(x), 0), self.width - 1)
        row = min(max(round(y), 0), self.height - 1)
        return "ABCD"[self.cells[column * self.height + row] - 1]

    def as_array(self) -> NDArray[np.uint8]:
        """Return the owners as an array indexed [x, y]."""
        return np.frombuffer(self.cells, dtype=np.uint8).reshape(self.width, self.height)

    def outlines(self) -> list[tuple[str, tuple[tuple[int, int], ...]]]:
        """Trace the borders of the regions: for each piece its group and the corners of its outline, for drawing.

        A piece with a hole gives two outlines, the second of the hole.
        """
        owners = self.as_array()
        found = []
        for number, group in enumerate("ABCD", start=1):
            for loop in _loops(_edges(owners == number)):
                found.append((group, loop))
        return found


def _edges(inside: NDArray[np.bool_]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Sides of cells that border on the outside, walked with the inside on the left."""
    padded = np.pad(inside, 1)
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    sides = (((0, -1), (0, 0), (1, 0)), ((1, 0), (1, 0), (1, 1)), ((0, 1), (1, 1), (0, 1)), ((-1, 0), (0, 1), (0, 0)))
    for (dx, dy), start, end in sides:
        bare = inside & ~padded[1 + dx : 1 + dx + inside.shape[0], 1 + dy : 1 + dy + inside.shape[1]]
        for x, y in np.argwhere(bare).tolist():
            edges.setdefault((x + start[0], y + start[1]), []).append((x + end[0], y + end[1]))
    return edges


def _loops(edges: dict[tuple[int, int], list[tuple[int, int]]]) -> list[tuple[tuple[int, int], ...]]:
    """Join sides into closed outlines, keeping only the corners."""
    loops = []
    while edges:
        start = place = next(iter(edges))
        walk = [start]
        while True:
            following = edges[place]
            step = following.pop()
            if not following:
                del edges[place]
            if step == start:
                break
            walk.append(step)
            place = step
        around = [walk[-1], *walk, walk[0]]
        loops.append(tuple(b for a, b, c in zip(around, around[1:], around[2:], strict=False) if not straight(a, b, c)))
    return loops


def straight(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether three places lie on one line."""
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])
