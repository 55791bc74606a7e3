"""Options: wrong answers that each follow from a wrong or missing rule, and that do not give the right one away."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from mensura.dialogue.canonical import canonical

Change = Callable[[Any], Any]
"""What one wrong or missing rule does to an answer; it can be done to an answer that another has changed."""


def balanced(answer: Any, changes: Sequence[Change], *, count: int) -> list[Any] | None:
    """Return `count` options, the answer first, or None where the changes give too few different ones.

    With the answer stand those that one change gives and those that several give together (count is a power of two):
    every property of the answer that a change touches is shared by exactly half of the options, so that nobody finds
    the answer as the option most like the others.

    >>> balanced(10, [lambda n: n + 1, lambda n: n - 3], count=4)
    [10, 11, 7, 8]
    """
    width = count.bit_length() - 1
    for chosen in combinations(changes, width):
        options = [answer]
        for change in chosen:
            options += [change(option) for option in options]
        if len({option if isinstance(option, int) else canonical(option) for option in options}) == count:
            return options
    return None
