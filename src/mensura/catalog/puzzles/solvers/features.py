"""Features: odd ones and sides by the rule that is told in the fewest bits, exceptions included."""

from collections.abc import Sequence
from itertools import combinations
from math import inf, log2
from typing import Any, ClassVar

from mensura.catalog.puzzles.grammar.feature import AFFIRMED, FEATURES, masks
from mensura.catalog.puzzles.grammar.figure import Figure
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import OptionSolver
from mensura.dialogue import Abstained

EXCEPTION = 12.0
"""Bits that each figure costs which a rule gets wrong: more than a second feature, so that two are tried first."""


class Features(OptionSolver):
    """Describes each figure by its features, and looks for the shortest message that says which belong together.

    A message names a feature, or two and how they are joined, and the figures that break the rule. Of the figures
    that could be odd, or of the sides to which a new one could belong, that is chosen which the shortest message
    fits; where several messages are equally short, they vote.
    """

    attempts: ClassVar[tuple[str, ...]] = ("odd-one-out", "classification")

    def choose(self, kind: Kind, shown: Any, options: Sequence[Any]) -> int:
        """Return where the odd figure, or the side of the new one, stands among the options."""
        if kind.name == "odd-one-out":
            return options.index(odd_of(_figures(shown)))
        left, right, new = (_figures(figures) for figures in (shown["left"], shown["right"], [shown["new"]]))
        return options.index(side_of(left, right, new[0]))

    def solve(self, kind: Kind, shown: Any) -> Abstained:
        """Abstain: figures are told apart here, not described."""
        return Abstained("I choose among options, and none are offered.")


def odd_of(figures: list[Figure]) -> int:
    """Return the place of the figure that is set apart in the fewest bits."""
    full = 2 ** len(figures) - 1
    votes = {place: _message(figures, full ^ (1 << place), full) for place in range(len(figures))}
    return min(votes, key=lambda place: votes[place])


def side_of(left: list[Figure], right: list[Figure], new: Figure) -> str:
    """Return the side on which the new figure makes the shorter message."""
    figures = [*left, *right, new]
    wanted, full = 2 ** len(left) - 1, 2 ** len(figures) - 1
    costs = {"left": _message(figures, wanted | 1 << len(figures) - 1, full), "right": _message(figures, wanted, full)}
    return min(costs, key=lambda side: costs[side])


def _message(figures: list[Figure], wanted: int, full: int) -> tuple[float, int]:
    """Return the bits of the shortest message that sets these figures apart, and less where more are as short."""
    told: dict[int, float] = {}
    for n, mask in masks(figures).items():
        bits = log2(len(AFFIRMED)) + (2.0 if FEATURES[n].value is not None else 0.0) + 0.5 * (not FEATURES[n].holds)
        if 0 < mask < full:
            told[mask] = min(told.get(mask, inf), bits)
    costs = [bits + EXCEPTION * (mask ^ wanted).bit_count() for mask, bits in told.items()]
    for (a, first), (b, second) in combinations(told.items(), 2):
        bits = first + second + log2(3)
        costs += [bits + EXCEPTION * (mask ^ wanted).bit_count() for mask in (a & b, a | b, a ^ b)]
    shortest = min(costs, default=inf)
    return shortest, -costs.count(shortest)


def _figures(shown: Any) -> list[Figure]:
    return [tuple(tuple(one) for one in figure) for figure in shown]
