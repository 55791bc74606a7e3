"""Copycat: letter-string analogies by groups, one rule about what changed, and its translation."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver

ALPHABET = 26
Group = tuple[int, int]
"""A letter, and how many of it stand together."""


class Copycat(PuzzleSolver):
    """Solves the simplest case of Hofstadter and Mitchell's strings, without chance and without slipping of concepts.

    It sees sameness groups, says in one rule what changed (the leftmost or rightmost group, all groups, or their
    order; a successor, a predecessor, another letter, another length, nothing left), and does the same to the groups
    of the other string. Where a letter has no successor the rule slips to the letter itself. Two rules are beyond it.

    References
    ----------
    .. [1] Hofstadter & Mitchell (1984), The Copycat project.
    """

    attempts: ClassVar[tuple[str, ...]] = ("letter-string",)

    def solve(self, kind: Kind, shown: Any) -> list[int] | None:
        return analogous(*shown)


def analogous(source: Sequence[int], changed: Sequence[int], target: Sequence[int]) -> list[int] | None:
    """Return what the target becomes, or None where no single rule says what changed.

    >>> analogous([0, 1, 2], [0, 1, 3], [8, 8, 9, 9, 10, 10])
    [8, 8, 9, 9, 11, 11]
    """
    before, after, here = _groups(source), _groups(changed), _groups(target)
    if sorted(before) == sorted(after):
        return _reordered(before, after, here)
    if len(after) == len(before) - 1:
        return _letters(here[1:] if after == before[1:] else here[:-1]) if after in (before[1:], before[:-1]) else None
    if len(after) != len(before):
        return None
    places = [place for place, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    changes = {_change(before[place], after[place]) for place in places}
    if len(places) == 1 and places[0] in (0, len(before) - 1):
        at = [0 if places[0] == 0 else len(here) - 1]
    elif len(places) == len(before) and len(changes) == 1:
        at = list(range(len(here)))
    else:
        return None
    step, times = changes.pop()
    return _letters(
        [_moved(one, step, times, after[places[-1]][0]) if place in at else one for place, one in enumerate(here)]
    )


def _groups(string: Sequence[int]) -> list[Group]:
    return [(letter, len(list(run))) for letter, run in groupby(string)]


def _letters(groups: Sequence[Group]) -> list[int]:
    return [letter for letter, length in groups for _ in range(length)]


def _change(before: Group, after: Group) -> tuple[int, float]:
    """Describe how a group became another: steps in the alphabet, and how many times longer it is."""
    return after[0] - before[0], after[1] / before[1]


def _moved(group: Group, step: int, times: float, literal: int) -> Group:
    # More than two steps are no succession: the letter itself is what was put there.
    letter = group[0] + step if abs(step) <= 2 and 0 <= group[0] + step < ALPHABET else literal
    return letter, round(group[1] * times)


def _reordered(before: list[Group], after: list[Group], here: list[Group]) -> list[int] | None:
    """Put the groups of the target in the order that those of the source took."""
    for order in (
        lambda groups: groups[::-1],
        lambda groups: [groups[-1], *groups[1:-1], groups[0]],
        lambda groups: groups[1:] + groups[:1],
        lambda groups: groups[-1:] + groups[:-1],
    ):
        if order(before) == after:
            return _letters(order(here))
    return None
