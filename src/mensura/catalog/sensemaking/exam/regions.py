"""Regions of influence: which group every cell of the grid belongs to (SOCINT)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

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
        """Give the owners as an array indexed [x, y]."""
        return np.frombuffer(self.cells, dtype=np.uint8).reshape(self.width, self.height)

    def rectangles(self) -> list[tuple[str, int, int, int, int]]:
        """Cover the regions by few rectangles (group, x, y, width, height), for drawing.

        Vertical runs of one owner are joined with the same run in the next columns.
        """
        owners = self.as_array()
        open_runs: dict[tuple[int, int, int], int] = {}
        done: list[tuple[str, int, int, int, int]] = []
        for x in range(self.width + 1):
            runs = set(_runs(owners[x])) if x < self.width else set()
            for run in [run for run in open_runs if run not in runs]:
                start = open_runs.pop(run)
                owner, y, length = run
                done.append(("ABCD"[owner - 1], start, y, x - start, length))
            for run in runs:
                open_runs.setdefault(run, x)
        return sorted(done)


def _runs(column: NDArray[np.uint8] | Sequence[int]) -> list[tuple[int, int, int]]:
    values = np.asarray(column)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1, [len(values)]])
    return [(int(values[a]), int(a), int(b - a)) for a, b in pairwise(starts)]
