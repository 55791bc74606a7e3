"""The ground agents walk on: an m × n grid whose opposite borders touch."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

from mensura.errors import BadParameter

ACTIONS = ("up-left", "up", "up-right", "left", "stay", "right", "down-left", "down", "down-right")
STAY = 4
STEPS = tuple((row, column) for row in (-1, 0, 1) for column in (-1, 0, 1))


@dataclass(frozen=True)
class Torus:
    """A torus of `rows` × `columns` cells, numbered from 0 in reading order.

    Examples
    --------
    >>> ground = Torus(5, 5)
    >>> ground.distance(ground.at(1, 3), ground.at(5, 3))
    1
    >>> [ground.coordinates(index - 1) for index in (1, 2, 6)]
    [(1, 1), (1, 2), (2, 1)]
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or self.cells < 2:
            raise BadParameter(
                f"A torus of {self.rows} x {self.columns} has no room for Good and Evil, which never share a cell; "
                "give a size of at least two cells, such as 10 or 8x12."
            )

    @classmethod
    def of(cls, size: "int | str | Sequence[int] | Torus") -> "Torus":
        """Read a size: 10 is 10 × 10, "8x12" is 8 rows of 12 columns.

        >>> Torus.of("8x12")
        Torus(rows=8, columns=12)
        """
        if isinstance(size, Torus):
            return size
        if isinstance(size, int) and not isinstance(size, bool):
            return cls(size, size)
        if isinstance(size, str):
            match = re.fullmatch(r"\s*(\d+)\s*(?:[x×X]\s*(\d+))?\s*", size)
            if match:
                return cls(int(match[1]), int(match[2] or match[1]))
        elif isinstance(size, Sequence) and len(size) == 2:
            return cls(int(size[0]), int(size[1]))
        raise BadParameter(f"A size is a whole number or two of them, such as 10 or 8x12; got {size!r}.")

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.rows * self.columns

    @property
    def entropy_bits(self) -> float:
        r"""Search-space complexity :math:`H = \log_2 (mn)(mn - 1)`: bits of not knowing where Good and Evil are.

        >>> round(Torus(5, 5).entropy_bits, 4)
        9.2288
        """
        return log2(self.cells) + log2(self.cells - 1)

    def at(self, row: int, column: int) -> int:
        """Return the cell at coordinates counted from 1, as the paper prints them."""
        return (row - 1) % self.rows * self.columns + (column - 1) % self.columns

    def coordinates(self, cell: int) -> tuple[int, int]:
        """Return a cell's row and column, counted from 1."""
        return cell // self.columns + 1, cell % self.columns + 1

    def distance(self, first: int, second: int) -> int:
        """Count the king steps between two cells, round whichever border is nearer."""
        row = abs(first // self.columns - second // self.columns)
        column = abs(first % self.columns - second % self.columns)
        return max(min(row, self.rows - row), min(column, self.columns - column))

    def shifted(self, cell: int, rows: int, columns: int) -> int:
        """Return the cell so many rows down and columns right of another."""
        row, column = divmod(cell, self.columns)
        return (row + rows) % self.rows * self.columns + (column + columns) % self.columns

    def toward(self, cell: int, target: int) -> int:
        """Return the action (0 to 8) that is one king step from `cell` toward `target`, the shorter way round.

        >>> ACTIONS[Torus(10, 10).toward(0, 99)]
        'up-left'
        """
        row = _axis_step(target // self.columns - cell // self.columns, self.rows)
        column = _axis_step(target % self.columns - cell % self.columns, self.columns)
        return (row + 1) * 3 + column + 1

    def neighbourhood(self, sight: int) -> list[list[int]]:
        """List for every cell the (2·sight + 1)² cells an agent there sees, in reading order."""
        reach = range(-sight, sight + 1)
        return [[self.shifted(cell, row, column) for row in reach for column in reach] for cell in range(self.cells)]

    @cached_property
    def moves(self) -> list[list[int]]:
        """Where each of the nine actions leads, for every cell."""
        return self.neighbourhood(1)


def _axis_step(difference: int, length: int) -> int:
    difference %= length
    if difference == 0:
        return 0
    return 1 if 2 * difference <= length else -1
