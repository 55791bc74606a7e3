"""Worlds: populations with a known mean, from which a simulated study draws its scores."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.stats import Observations

Floats = NDArray[np.float64]
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(61)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class Shape:
    """A distribution of independent values with a known mean."""

    name: str
    mean: float
    draw: Callable[[Generator, int], Floats]


@dataclass(frozen=True)
class Subject:
    """Someone who answers items of spread difficulty, in sessions of spread form, right or wrong.

    An answer to item i in session j is right with the chance logit⁻¹(centre + a_i + s_j); a deterministic subject is
    right just where the sum is positive.
    """

    rate: float
    items: float = 2.0
    sessions: float = 0.0
    deterministic: bool = False

    @property
    def spread(self) -> float:
        """Standard deviation of the sum over items and sessions."""
        return float(np.hypot(self.items, self.sessions))

    @cached_property
    def centre(self) -> float:
        """The centre that gives the rate, found by halving."""
        low, high = -40.0, 40.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self._rate(middle) < self.rate else (low, middle)
        return (low + high) / 2

    def _rate(self, centre: float) -> float:
        sums = centre + self.spread * NODES
        if self.deterministic:
            from scipy.special import ndtr

            return float(ndtr(centre / self.spread))
        return float(WEIGHTS @ (1 / (1 + np.exp(-sums))))

    def answer(
        self, rng: Generator, *, difficulties: Floats, sessions: int, centre: float, redrawn: bool = False
    ) -> Floats:
        """Return the answers of sessions (rows) to items (columns)."""
        form = rng.normal(0, self.sessions, size=(sessions, 1)) if self.sessions else np.zeros((sessions, 1))
        sums = centre + self.items * difficulties + form
        if self.deterministic:
            return (sums > 0).astype(float)
        return (rng.random(sums.shape) * (1 + np.exp(-sums)) < 1).astype(float)


def fixed(answers: Floats, *, lost: float = 0.0, rng: Generator | None = None) -> Observations:
    """Label a table of sessions by items, the same items in every session; lose some cells."""
    sessions, items = answers.shape
    values = answers.ravel()
    if lost and rng is not None:
        values = np.where(rng.random(values.shape) < lost, np.nan, values)
    return Observations(
        values, items=np.tile(np.arange(items), sessions), sessions=np.repeat(np.arange(sessions), items)
    )


def redrawn(answers: Floats) -> Observations:
    """Label a table of sessions by items, new items in every session."""
    sessions, items = answers.shape
    return Observations(answers.ravel(), items=np.arange(answers.size), sessions=np.repeat(np.arange(sessions), items))


def nested(scores: Floats) -> Observations:
    """Label a table of courses by sessions, one number per session."""
    courses, sessions = scores.shape
    return Observations(
        scores.ravel(), sessions=np.arange(scores.size), courses=np.repeat(np.arange(courses), sessions)
    )


def _lump(share: float, at: float, shape: Callable[[Generator, int], Floats]) -> Callable[[Generator, int], Floats]:
    return lambda rng, n: np.where(rng.random(n) < share, at, shape(rng, n))


BOUNDED = (
    Shape("uniform", 0.5, lambda rng, n: rng.random(n)),
    Shape("Beta(5, 1)", 5 / 6, lambda rng, n: rng.beta(5, 1, n)),
    Shape("Beta(.3, 2)", 0.3 / 2.3, lambda rng, n: rng.beta(0.3, 2, n)),
    Shape("Beta(50, 50)", 0.5, lambda rng, n: rng.beta(50, 50, n)),
    Shape("Beta(100, 2)", 100 / 102, lambda rng, n: rng.beta(100, 2, n)),
    Shape("half at 1, half uniform", 0.75, _lump(0.5, 1.0, lambda rng, n: rng.random(n))),
    Shape("90 % at 1, rest uniform", 0.95, _lump(0.9, 1.0, lambda rng, n: rng.random(n))),
    Shape("80 % at .9, rest at .2", 0.76, lambda rng, n: np.where(rng.random(n) < 0.8, 0.9, 0.2)),
)
SKEWED = Shape("Beta(.2, 3)", 0.2 / 3.2, lambda rng, n: rng.beta(0.2, 3, n))
HALF_BOUNDED = (
    Shape("exponential", 1.0, lambda rng, n: rng.exponential(1, n)),
    Shape("gamma(.5)", 0.5, lambda rng, n: rng.gamma(0.5, 1, n)),
    Shape("gamma(4)", 4.0, lambda rng, n: rng.gamma(4, 1, n)),
    Shape("1 - Beta(5, 1)", 1 / 6, lambda rng, n: 1 - rng.beta(5, 1, n)),
    Shape("half at 0, half exponential", 0.5, _lump(0.5, 0.0, lambda rng, n: rng.exponential(1, n))),
    Shape("log-normal(1)", float(np.exp(0.5)), lambda rng, n: rng.lognormal(0, 1, n)),
    Shape("log-normal(1.5)", float(np.exp(1.125)), lambda rng, n: rng.lognormal(0, 1.5, n)),
)
UNBOUNDED = (
    Shape("normal", 0.0, lambda rng, n: rng.normal(size=n)),
    Shape("exponential", 1.0, lambda rng, n: rng.exponential(1, n)),
    Shape("log-normal(1)", float(np.exp(0.5)), lambda rng, n: rng.lognormal(0, 1, n)),
    Shape("t, 3 df", 0.0, lambda rng, n: rng.standard_t(3, n)),
)
