"""A score that may be stopped at any time, with an error that stays honest whenever that is."""

from collections.abc import Iterator, Sequence
from math import inf, isnan, log, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from mensura.catalog.lambda_star.batch.administration import BatchPlan, play_chunks
from mensura.catalog.lambda_star.team import Member
from mensura.stats import Estimate

TIGHTEST = 1000
"""Number of episodes at which the interval is narrowest compared with others like it."""
LEAST = 10
"""Fewer episodes than this give no interval."""


class AnytimeScore:
    r"""The mean of all episodes so far with an interval that holds at every moment at once.

    A t interval that is looked at again and again fails sooner or later. This one is an asymptotic confidence sequence
    [1]_: with chance 95 % it holds the truth at all times,

    .. math:: \bar x_t \pm s_t \sqrt{\frac{2 (t \rho^2 + 1)}{t^2 \rho^2} \log \frac{\sqrt{t \rho^2 + 1}}{\alpha}},

    so one may stop whenever one likes, also because of what one sees.

    References
    ----------
    .. [1] Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), Annals of Statistics 52, 2613-2640.

    Examples
    --------
    >>> score = AnytimeScore()
    >>> score.add([0.2, 0.4] * 20)
    >>> print(score.estimate())
    0.300 [0.221, 0.379] (n=40, confidence sequence, valid whenever stopped)
    """

    def __init__(self, *, level: float = 0.95) -> None:
        self.alpha = 1 - level
        self.rho = sqrt((-2 * log(self.alpha) + log(-2 * log(self.alpha)) + 1) / TIGHTEST)
        self.n = 0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, values: ArrayLike) -> None:
        """Add the scores of more episodes."""
        new = np.asarray(values, dtype=float)
        new = new[~np.isnan(new)]
        if not len(new):
            return
        total = self.n + len(new)
        gap = float(new.mean()) - self._mean
        # Chan's rule joins two sums of squares without keeping the values.
        self._squares += float(((new - new.mean()) ** 2).sum()) + gap**2 * self.n * len(new) / total
        self._mean += gap * len(new) / total
        self.n = total

    def estimate(self) -> Estimate:
        """Return the score as it stands."""
        method = "confidence sequence, valid whenever stopped"
        if self.n < LEAST or self._squares == 0:
            return Estimate(self._mean if self.n else nan, nan, nan, self.n, method)
        spread = sqrt(self._squares / (self.n - 1))
        time = self.n * self.rho**2
        half = spread * sqrt(2 * (time + 1) / (self.n * time) * log(sqrt(time + 1) / self.alpha))
        return Estimate(self._mean, self._mean - half, self._mean + half, self.n, method)


def anytime_scores(plan: BatchPlan, team: Sequence[Member], *, threads: int | None = None) -> Iterator[Estimate]:
    """Return the score after every few hundred episodes; stop reading to stop the administration.

    Examples
    --------
    >>> from mensura.catalog.lambda_star.environment.pattern import Reach
    >>> from mensura.catalog.lambda_star.environment.torus import Torus
    >>> plan = BatchPlan(Torus(5, 5), episodes=100_000, iterations=50, reach=Reach(2, 10))
    >>> for score in anytime_scores(plan, [Member("oracle", 1)]):
    ...     if width(score) < 0.05:
    ...         break
    >>> score.n < 10_000
    True
    """
    score = AnytimeScore()
    for chunk in play_chunks(plan, team, threads=threads):
        score.add(chunk.score)
        yield score.estimate()


def width(estimate: Estimate) -> float:
    """Return the width of an interval; infinite where there is none."""
    return inf if isnan(estimate.low) else estimate.high - estimate.low
