"""Features: odd ones and sides by the rule that is told in the fewest bits, exceptions included."""

from itertools import combinations
from math import inf, log2
from typing import Any, ClassVar

from mensura.catalog.puzzles.grammar.feature import AFFIRMED, FEATURES, masks
from mensura.catalog.puzzles.grammar.figure import Figure
from mensura.catalog.puzzles.solvers.asked import read_ask
from mensura.dialogue import Abstained, Ask

EXCEPTION = 12.0
"""Bits that each figure costs which a rule gets wrong: more than a second feature, so that two are tried first."""


class Features:
    """Describes each figure by its features, and looks for the shortest message that says which belong together.

    A message names a feature, or two and how they are joined, and the figures that break the rule. Of the figures
    that could be odd, or of the sides to which a new one could belong, that is chosen which the shortest message
    fits; where several messages are equally short, they vote.
    """

    attempts: ClassVar[tuple[str, ...]] = ("odd-one-out", "classification")
    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        asked = read_ask(ask, attempts=self.attempts)
        if isinstance(asked, Abstained):
            return asked
        if asked.prompt.puzzle == "odd-one-out":
            return asked.answers[asked.options.index(odd_of(_figures(asked.shown)))]
        left, right = _figures(asked.shown["left"]), _figures(asked.shown["right"])
        return asked.answers[asked.options.index(side_of(left, right, _figures([asked.shown["new"]])[0]))]


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
