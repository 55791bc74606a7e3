"""Figures: objects with a few attributes, each a small whole number; places lie three by three."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

Object = tuple[int, int, int, int, int, int]
Figure = tuple[Object, ...]
ATTRIBUTES = ("shape", "size", "fill", "turn", "flip", "place")
SHAPE, SIZE, FILL, TURN, FLIP, PLACE = range(6)
LEVELS = (10, 3, 4, 4, 2, 9)
"""How many levels each attribute has. Shapes 0 to 3 look alike at every quarter, 4 to 7 have one axis, 8 and 9 none."""


def upright(one: Sequence[int]) -> Object:
    """Return an object in normal form: turns and mirror images that nobody could see are left out.

    >>> upright((0, 1, 2, 3, 1, 4)), upright((5, 1, 2, 3, 1, 4))
    ((0, 1, 2, 0, 0, 4), (5, 1, 2, 3, 0, 4))
    """
    shape, size, fill, turn, flip, place = one
    return shape, size, fill, 0 if shape < 4 else turn % 4, 0 if shape < 8 else flip, place


def figure_of(objects: Iterable[Sequence[int]]) -> Figure | None:
    """Return objects as a figure in normal form, or None where two of one size stand at one place or one has left."""
    found = tuple(sorted((upright(one) for one in objects), key=lambda one: (one[PLACE], one[SIZE])))
    if any(not 0 <= one[SIZE] < LEVELS[SIZE] or not 0 <= one[PLACE] < LEVELS[PLACE] for one in found):
        return None
    overlap = any(a[PLACE] == b[PLACE] and a[SIZE] == b[SIZE] for a, b in pairwise(found))
    return None if overlap else found


def moved(place: int, across: int, down: int) -> int:
    """Return the place so many columns and rows further, -1 where there is none.

    >>> moved(4, 1, 0), moved(5, 1, 0), moved(1, 0, -1)
    (5, -1, -1)
    """
    column, row = place % 3 + across, place // 3 + down
    return row * 3 + column if 0 <= column < 3 and 0 <= row < 3 else -1


def reflected(turn: int, flip: int, axis: int) -> tuple[int, int]:
    """Return turn and flip of what is mirrored: left to right for axis 0, upside down for axis 1."""
    return (-turn + 2 * axis) % 4, 1 - flip


def mirror_image(figure: Figure) -> Figure | None:
    """Return a whole figure mirrored left to right."""
    return figure_of(
        (*one[:TURN], *reflected(one[TURN], one[FLIP], 0), one[PLACE] - one[PLACE] % 3 + 2 - one[PLACE] % 3)
        for one in figure
    )


def within(figure: Figure) -> list[tuple[int, int]]:
    """Return which objects are inside which, by their places in the figure: inner, outer."""
    numbered = list(enumerate(figure))
    return [(i, j) for i, a in numbered for j, b in numbered if a[PLACE] == b[PLACE] and a[SIZE] < b[SIZE]]
