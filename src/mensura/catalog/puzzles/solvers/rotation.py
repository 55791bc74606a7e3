"""Rotation: figures are alike where their normal forms are."""

from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver

Squares = tuple[tuple[int, int], ...]


class RotationSolver(PuzzleSolver):
    """Brings each figure into a normal form, the least of the four ways in which it can lie, and compares these.

    It turns nothing step by step as people do, so that the angle costs it nothing.
    """

    attempts: ClassVar[tuple[str, ...]] = ("mental-rotation",)

    def solve(self, kind: Kind, shown: Any) -> int | None:
        wanted = [normal(part) for part in shown["figure"]]
        alike = [place for place, one in enumerate(shown["four"]) if [normal(part) for part in one] == wanted]
        return alike[0] if len(alike) == 1 else None


def normal(figure: Any) -> Squares:
    """Return the least of the four ways in which a figure can lie.

    >>> normal([[0, 0], [0, 1], [0, 2], [1, 2]]) == normal([[0, 0], [1, 0], [2, 0], [0, 1]])
    True
    """
    points = [complex(x, y) for x, y in figure]
    ways = []
    for _ in range(4):
        points = [point * 1j for point in points]
        left, top = min(point.real for point in points), min(point.imag for point in points)
        ways.append(tuple(sorted((int(point.real - left), int(point.imag - top)) for point in points)))
    return min(ways)
