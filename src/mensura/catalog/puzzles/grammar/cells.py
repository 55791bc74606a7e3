"""Cells of the plane: figures made of squares, moved, turned and mirrored."""

from collections.abc import Iterable

Cells = tuple[tuple[int, int], ...]


def settled(cells: Iterable[Iterable[int]]) -> Cells:
    """Return cells in order, with the least x and y at 0.

    >>> settled([(3, 1), (2, 1)])
    ((0, 0), (1, 0))
    """
    pairs = [(x, y) for x, y in cells]
    left, top = min(x for x, _ in pairs), min(y for _, y in pairs)
    return tuple(sorted((x - left, y - top) for x, y in pairs))


def turned(cells: Cells, quarters: int) -> Cells:
    """Turn cells clockwise, y pointing down, by quarter turns.

    >>> turned(((0, 0), (1, 0), (2, 0)), 1)
    ((0, 0), (0, 1), (0, 2))
    """
    for _ in range(quarters % 4):
        cells = tuple((-y, x) for x, y in cells)
    return settled(cells)


def mirrored(cells: Cells) -> Cells:
    """Mirror cells, left and right exchanged."""
    return settled((-x, y) for x, y in cells)
