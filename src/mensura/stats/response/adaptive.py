"""Adaptive testing: which item to ask next, and when the ability is known well enough."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mensura.errors import BadParameter
from mensura.stats.estimate import Estimate
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.ability import FINE, Abilities
from mensura.stats.response.curves import Curves
from mensura.stats.response.likelihood import grid

BEST = 5
"""The next item is drawn among this number of the most informative, so that no item is shown to everyone."""


@dataclass(frozen=True, eq=False)
class Adaptive:
    """A test of calibrated items as it stands after some answers; each answer makes a new one.

    >>> from mensura.stats.response.curves import ItemCurve
    >>> curves = Curves.of([ItemCurve("2pl", 1.5, b / 4) for b in range(-8, 9)])
    >>> test = Adaptive.begin(curves, precision=0.5)
    >>> rng = np.random.default_rng(1)
    >>> while (item := test.choose(rng)) is not None:
    ...     test = test.answered(item, right=curves.b[item] < 0.5)
    >>> test.reason, len(test.asked)
    ('precise', 8)
    """

    curves: Curves
    precision: float
    chances: Floats
    """Chance of a right answer, items × abilities of the grid."""
    informations: Floats
    log_posterior: Floats
    asked: tuple[int, ...] = ()
    known: int = 0
    """How many of the asked items had an answer that counts."""

    @classmethod
    def begin(cls, curves: Curves, *, precision: float) -> "Adaptive":
        """Begin a test that stops when the standard deviation of the posterior is at most `precision`."""
        if not 0 < precision < 1:
            raise BadParameter(
                "The precision is the standard deviation of the ability at which the test stops, between 0 and 1 "
                f"(such as 0.3); got {precision:g}. Before any answer it is 1."
            )
        ability, weight = grid(FINE)
        return cls(curves, precision, curves.right(ability), curves.information(ability), np.log(weight))

    def answered(self, item: int, *, right: bool | float | None) -> "Adaptive":
        """Return the test after an answer; None where it does not count: the item is asked and tells nothing."""
        if right is None:
            return Adaptive(*self._same, self.log_posterior, (*self.asked, item), self.known)
        chance = self.chances[item]
        posterior = self.log_posterior + (np.log(chance) if right else np.log1p(-chance))
        return Adaptive(*self._same, posterior - posterior.max(), (*self.asked, item), self.known + 1)

    @property
    def _same(self) -> tuple[Curves, float, Floats, Floats]:
        return self.curves, self.precision, self.chances, self.informations

    @cached_property
    def posterior(self) -> Floats:
        """The posterior on the grid."""
        mass = np.exp(self.log_posterior)
        return np.asarray(mass / mass.sum())

    @property
    def sd(self) -> float:
        """The standard deviation of the posterior."""
        ability, _ = grid(FINE)
        mean = self.posterior @ ability
        return float(np.sqrt(max(float(self.posterior @ ability**2 - mean**2), 0.0)))

    @property
    def reason(self) -> str:
        """Why it stops: "precise", or "exhausted" where no item is left; "" where it goes on."""
        if self.asked and self.sd <= self.precision:
            return "precise"
        return "exhausted" if len(self.asked) == len(self.curves.a) else ""

    def choose(self, rng: np.random.Generator) -> int | None:
        """Draw the next item among the most informative ones that were not asked; None where the test is over.

        Information is averaged over the posterior, not taken at its mean: early on the mean is a bad guess.
        """
        if self.reason:
            return None
        value = self.informations @ self.posterior
        value[list(self.asked)] = -np.inf
        left = len(value) - len(self.asked)
        many = min(BEST, left)
        best: NDArray[np.int64] = np.argpartition(-value, many - 1)[:many]
        # In a fixed order: which place a partition puts an item at differs between machines.
        return int(np.sort(best)[int(rng.integers(many))])

    @property
    def ability(self) -> Estimate:
        """The ability by the answers so far, with its interval."""
        return Abilities(self.posterior[None, :], np.array([float(self.known)])).estimates[0]
