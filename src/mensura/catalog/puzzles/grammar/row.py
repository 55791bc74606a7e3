"""Rules of rows: how the last value of a row follows from those before it, and whether whole rows keep a rule."""

from collections.abc import Sequence
from dataclasses import dataclass

RING = 8
"""Marks stand in a ring of so many places; a set of them is a number with a bit for each."""


@dataclass(frozen=True)
class Levels:
    """The levels of an attribute, and whether they go round or are sets."""

    low: int
    high: int
    round: bool = False


def turned_ring(marks: int, steps: int) -> int:
    """Turn a set of marks so many places clockwise.

    >>> turned_ring(0b1, 2), turned_ring(0b10000000, 1)
    (4, 1)
    """
    steps %= RING
    return (marks << steps | marks >> (RING - steps)) & ((1 << RING) - 1)


def follows(operation: str, argument: int, row: Sequence[int], whole: Sequence[int], scale: Levels) -> int | None:
    """Return the last value of a row by a rule from those before it, None where these do not keep the rule.

    Parameters
    ----------
    row
        All values of the row but the last.
    whole
        A whole row: the rule of distribution takes its values from there.
    """
    last = row[-1]
    if operation == "same":
        return last if all(value == last for value in row) else None
    if operation in ("progression", "rotate"):
        places = [*row, None]
        for here, after in zip(row, places[1:], strict=True):
            onward = _onward(operation, here, argument, scale)
            if onward is None or (after is not None and onward != after):
                return None
        return _onward(operation, last, argument, scale)
    if len(row) != 2:
        return None
    first, second = row
    if operation == "distribute-three":
        left = set(whole) - set(row)
        return left.pop() if len(set(whole)) == 3 and first != second and len(left) == 1 else None
    if operation == "distribute-two":
        if first == second:
            return 0 if first else None
        return (first or second) if 0 in row else None
    value = {
        "sum-of-two": first + second,
        "difference-of-two": second - first,
        "union": first | second,
        "intersection": first & second,
        "exclusive-or": first ^ second,
        "remove": first & ~second,
    }[operation]
    return value if scale.low <= value <= scale.high else None


def _onward(operation: str, value: int, argument: int, scale: Levels) -> int | None:
    if operation == "rotate":
        return turned_ring(value, argument)
    onward = value + argument
    if scale.round:
        return onward % (scale.high + 1)
    return onward if scale.low <= onward <= scale.high else None


def kept(operation: str, argument: int, rows: Sequence[Sequence[int]], scale: Levels) -> int | None:
    """Return the value that is missing in the last row by a rule that all rows before keep; None where they do not."""
    for row in rows[:-1]:
        if follows(operation, argument, row[:-1], rows[0], scale) != row[-1]:
            return None
    return follows(operation, argument, rows[-1], rows[0], scale)
