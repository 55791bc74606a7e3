"""Survival: how long something lasts, where some were watched only part of the way."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats, check_level, numbers
from mensura.stats.wording import figure, frequency, listed, several, spoken

RULE = "The median is the least time at which the Kaplan-Meier curve is at or below one half."


@dataclass(frozen=True, slots=True)
class KaplanMeier:
    """The Kaplan-Meier curve: its steps, its height after each, and Greenwood's sum there."""

    steps: Floats
    height: Floats
    spread: Floats

    @classmethod
    def of(cls, until: Floats, *, seen: np.ndarray) -> "KaplanMeier":
        """Return the curve of times, each the end of something (`seen`) or of watching it."""
        steps = np.unique(until[seen])
        risk = (until >= steps[:, np.newaxis]).sum(axis=1)
        fell = ((until == steps[:, np.newaxis]) & seen).sum(axis=1)
        with np.errstate(divide="ignore"):
            spread = np.cumsum(fell / (risk * (risk - fell)))
        return cls(steps, np.cumprod(1 - fell / risk), spread)

    def area(self, horizon: float) -> float:
        """Return the area under the curve up to the horizon: the restricted mean."""
        edges = np.concatenate([[0.0], self.steps, [horizon]])
        return float(np.concatenate([[1.0], self.height]) @ np.diff(edges))

    @property
    def median(self) -> float:
        """The least step at which the curve is at or below one half; NaN where it never is."""
        at = self.steps[self.height <= 0.5 + 1e-12]
        return float(at[0]) if len(at) else float("nan")

    def limits(self, *, level: float) -> tuple[Floats, Floats]:
        """Return log-log limits of the height after each step; after the curve has fallen to 0 both are 0."""
        from scipy.special import ndtri

        with np.errstate(divide="ignore", invalid="ignore"):
            wide = np.exp(float(ndtri((1 + level) / 2)) * np.sqrt(self.spread) / np.log(self.height))
            low, high = self.height ** (1 / wide), self.height**wide
        return np.where(self.height > 0, low, 0.0), np.where(self.height > 0, high, 0.0)

    def share(self, n: int, *, level: float) -> Estimate:
        """Estimate the share that had ended by the last step, where some left before."""
        if not len(self.steps) or self.height[-1] <= 0:
            return without_interval(float(len(self.steps) > 0), n=n, reason="courses left early and none remained")
        low, high = self.limits(level=level)
        method = named("log-log limits of Kaplan-Meier", level=level)
        return Estimate(1 - float(self.height[-1]), 1 - float(high[-1]), 1 - float(low[-1]), n, method)

    def crossing(self, n: int, *, level: float, unit: str = "course", reached: str = "reached it") -> Estimate:
        """Estimate the median by the steps at which one half lies within the limits."""
        if n < 2 or not len(self.steps):
            return without_interval(self.median, n=n, reason=f"one {unit}" if n < 2 else f"nobody {reached}")
        low, high = self.limits(level=level)
        first, last = self.steps[low <= 0.5], self.steps[high < 0.5]
        ends = (float(first[0]) if len(first) else np.inf, float(last[0]) if len(last) else np.inf)
        if np.isinf(ends[0]):
            return without_interval(self.median, n=n, reason=f"too few {reached}")
        return Estimate(self.median, *ends, n, named("Brookmeyer-Crowley, log-log", level=level))


@dataclass(frozen=True, slots=True)
class Survival(Finding):
    """How long something lasts: the curve, its band point by point, and the median.

    `height[i]` is the share that still lasts after `steps[i]`, `low` and `high` its limits there. A median that the
    watching was too short for is NaN, and a bound beyond it is infinite: longer than anyone watched, not unknown zero.
    """

    n: int
    ended: int
    steps: Floats
    height: Floats
    low: Floats
    high: Floats
    median: Estimate

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        seen = f"{self.ended} of {self.n} ended while watched"
        if np.isnan(self.median.value):
            return f"{seen}: more than half lasted to the end of watching, so there is no median."
        return f"{seen}; half had ended by {spoken(self.median)}."


@dataclass(frozen=True, slots=True)
class LogRank(Finding):
    """The log-rank test of whether groups last equally long; `expected` counts the ends that equal groups would see.

    The test looks at the whole curves and is at its best where one group's hazard is a multiple of another's; curves
    that cross can differ without its noticing.
    """

    groups: tuple[str, ...]
    n: tuple[int, ...]
    observed: tuple[int, ...]
    expected: tuple[float, ...]
    statistic: float
    freedom: int
    p: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        if np.isnan(self.p):
            return "Whether the groups last equally long cannot be told: too few ended while watched."
        chance = f"if they were alike, chance alone would part them this far in {frequency(self.p)} such studies"
        what = "last differently" if self.p <= 0.05 else "are not shown to last differently"
        return f"{listed(self.groups)} {what} (log-rank {figure(self.statistic)} on {self.freedom}; {chance})."


def survival_estimate(times: ArrayLike, *, ended: ArrayLike, level: float = 0.95, unit: str = "game") -> Survival:
    """Estimate how long something lasts, by Kaplan and Meier [1]_, with limits and a median.

    Limits are pointwise, Greenwood's variance on the log-log scale, and lie within 0 and 1; the median's interval is
    Brookmeyer and Crowley's [2]_ from them. Simulated coverage is in tests/stats/test_survival.py.

    Parameters
    ----------
    times : array_like
        For each unit when it ended, or when watching it ended.
    ended : array_like
        For each unit whether it ended (1) or was only watched that long (0).
    level : float
        Confidence level.
    unit : str
        What lasts: a game, say.

    References
    ----------
    .. [1] Kaplan and Meier (1958), Journal of the American Statistical Association 53, 457-481.
    .. [2] Brookmeyer and Crowley (1982), Biometrics 38, 29-41.

    Examples
    --------
    >>> found = survival_estimate([1, 2, 3, 4, 5, 6], ended=[1, 0, 1, 1, 0, 1])
    >>> found.height.round(3).tolist(), found.median.value
    ([0.833, 0.625, 0.417, 0.0], 4.0)
    """
    check_level(level)
    until, seen = _watched(times, ended)
    curve = KaplanMeier.of(until, seen=seen)
    low, high = curve.limits(level=level)
    median = curve.crossing(len(until), level=level, unit=unit, reached="ended")
    median = Estimate(
        median.value, median.low, median.high, median.n, median.method, population=f"{unit}s", note=_open(median)
    )
    return Survival(len(until), int(seen.sum()), curve.steps, curve.height, low, high, median)


def log_rank(groups: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> LogRank:
    """Test whether groups last equally long.

    Parameters
    ----------
    groups : mapping
        For each group its times and whether each ended, as in `survival_estimate`.

    References
    ----------
    .. [1] Mantel (1966), Cancer Chemotherapy Reports 50, 163-170; Peto and Peto (1972), Journal of the Royal
       Statistical Society A 135, 185-207.

    Examples
    --------
    >>> found = log_rank({"a": ([1, 2, 3], [1, 1, 1]), "b": ([4, 5, 6], [1, 1, 0])})
    >>> round(found.statistic, 3), round(found.p, 4)
    (5.052, 0.0246)
    """
    from scipy.special import chdtrc

    if len(groups) < 2:
        raise BadData(f"A log-rank test compares at least 2 groups; got {several(len(groups), 'group')}.")
    sides = [_watched(times, ended) for times, ended in groups.values()]
    steps = np.unique(np.concatenate([until[seen] for until, seen in sides]))[:, np.newaxis]
    risk = np.array([(until >= steps).sum(axis=1) for until, _ in sides], dtype=float)
    fell = np.array([((until == steps) & seen).sum(axis=1) for until, seen in sides], dtype=float)
    at_risk, ends = risk.sum(axis=0), fell.sum(axis=0)
    share = risk / at_risk
    expected = share * ends
    factor = np.where(at_risk > 1, ends * (at_risk - ends) / np.maximum(at_risk - 1, 1), 0.0)
    spread = np.diag((factor * share).sum(axis=1)) - (factor * share) @ share.T
    gap = (fell - expected).sum(axis=1)[:-1]
    freedom = len(sides) - 1
    told = freedom == np.linalg.matrix_rank(spread[:-1, :-1])
    statistic = float(gap @ np.linalg.solve(spread[:-1, :-1], gap)) if told else float("nan")
    return LogRank(
        groups=tuple(groups),
        n=tuple(len(until) for until, _ in sides),
        observed=tuple(int(seen.sum()) for _, seen in sides),
        expected=tuple(float(total) for total in expected.sum(axis=1)),
        statistic=statistic,
        freedom=freedom,
        p=float(chdtrc(freedom, statistic)) if told else float("nan"),
    )


def _watched(times: ArrayLike, ended: ArrayLike) -> tuple[Floats, np.ndarray]:
    until, seen = numbers(times, name="times"), numbers(ended, name="ended")
    if not len(until) or len(until) != len(seen):
        raise BadData(f"Say of every time whether it is an end; got {len(until)} times and {len(seen)} ends.")
    if not np.isfinite(until).all() or (until < 0).any():
        raise BadData("Times are numbers from 0 up, also where only the watching ended; some are not.")
    if not np.isin(seen, (0, 1)).all():
        raise BadData("What ended is 1, what was only watched that long is 0; got something else.")
    return until, seen == 1


def _open(median: Estimate) -> str:
    return f"{RULE} Its upper bound lies beyond the watching." if np.isinf(median.high) else RULE
