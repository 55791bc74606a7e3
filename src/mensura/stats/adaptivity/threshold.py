"""Thresholds: what it takes to reach a level, where some courses never reach it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import of_courses
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.intervals.mean import number_estimate
from mensura.stats.intervals.proportion import proportion_estimate
from mensura.stats.intervals.sample import Floats, check_level, numbers
from mensura.stats.survival import RULE, KaplanMeier
from mensura.stats.wording import several, spoken

FEW = "Fewer than 8 courses: by simulation such intervals of censored times cover 88 to 98 %."
SKEW = 0.45
OPEN = "The upper bound of the median lies beyond the horizon."


@dataclass(frozen=True, slots=True)
class TimeToLevel(Finding):
    """The cost for courses of reaching a level; those that never do are censored, not dropped."""

    reached: int
    courses: int
    share: Estimate
    restricted_mean: Estimate
    median: Estimate
    horizon: float
    resource: str

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        within = f"within {self.horizon:g} {self.resource}"
        if self.reached == 0:
            return (
                f"None of {several(self.courses, 'course')} reached the level {within}: how long it takes is unknown."
            )
        mean = f"after {spoken(self.restricted_mean)} on average, where never counts as {self.horizon:g}"
        half = f"half had reached it by {spoken(self.median)}"
        half = half if self.median.value == self.median.value else "fewer than half did, so there is no median"
        return f"{self.reached} of {several(self.courses, 'course')} reached the level {within}, {mean}; {half}."


def first_reached(
    curves: Sequence[ArrayLike],
    *,
    target: ArrayLike,
    spent: Sequence[ArrayLike] | None = None,
    held: int = 1,
    better: str = "more",
) -> Floats:
    """Return what each course had spent when it first reached a level; NaN where it never did.

    Parameters
    ----------
    curves : sequence of array_like
        For each course its level at each probe; NaN where a probe failed, which interrupts a run of them.
    target : array_like
        The level to reach: one, or one per course.
    spent : sequence of array_like, optional
        For each course what it had spent by each probe: time, energy or knowledge. Without it probes are counted.
    held : int
        How many probes in a row must reach it; the first of them counts.
    better : {"more", "less"}
        Whether more or less is better.

    Examples
    --------
    >>> first_reached([[0.2, 0.9, 0.5, 0.8, 0.9], [0.1, 0.2, 0.3, 0.3, 0.4]], target=0.8, held=2)
    array([ 4., nan])
    """
    if held < 1 or better not in ("more", "less"):
        raise BadData(f"A level is held for at least 1 probe, and more or less is better; got {held} and {better!r}.")
    targets = np.broadcast_to(np.asarray(target, dtype=float), len(curves))
    times = []
    for i, curve in enumerate(curves):
        levels = numbers(curve, name="levels of a course")
        used = np.arange(1.0, len(levels) + 1) if spent is None else numbers(spent[i], name="spending of a course")
        if len(used) != len(levels):
            raise BadData(f"Course {i + 1} has {len(levels)} levels and {len(used)} amounts spent.")
        good = levels >= targets[i] if better == "more" else levels <= targets[i]
        runs = np.convolve(good, np.ones(held), mode="valid") >= held if len(good) >= held else np.zeros(0, dtype=bool)
        times.append(float(used[int(runs.argmax())]) if runs.any() else float("nan"))
    return np.array(times)


def time_to_level(
    times: ArrayLike,
    *,
    horizon: float,
    watched: ArrayLike | None = None,
    resource: str = "sessions",
    level: float = 0.95,
) -> TimeToLevel:
    r"""Estimate what it takes to reach a level: share reached, restricted mean and median.

    The restricted mean is :math:`E\min(T, h)` up to the horizon h, the area under the Kaplan-Meier curve [1]_; its
    interval is t over courses (over pseudo-values [2]_ where courses left early), from 8 courses on corrected for 0.45
    of their skew, because times cut off at the horizon have lighter tails than those that Hall's correction is made
    for. The median's interval is that of order statistics, interpolated [3]_, from 6 courses on; where courses
    left early it is Brookmeyer and Crowley's [4]_ with log-log limits.

    Parameters
    ----------
    times : array_like
        For each course what it had spent when it reached the level; NaN where it never did. What lies beyond the
        horizon counts as never.
    horizon : float
        Up to where courses were watched, and means are taken.
    watched : array_like, optional
        For each course up to where it was watched, if not to the horizon.
    resource : str
        What is spent, in the plural.
    level : float
        Confidence level.

    References
    ----------
    .. [1] Kaplan and Meier (1958), Journal of the American Statistical Association 53, 457-481.
    .. [2] Andersen, Hansen and Klein (2004), Lifetime Data Analysis 10, 335-350.
    .. [3] Hettmansperger and Sheather (1986), Statistics and Probability Letters 4, 75-79.
    .. [4] Brookmeyer and Crowley (1982), Biometrics 38, 29-41.

    Examples
    --------
    >>> found = time_to_level([10, 20, 30, float("nan")], horizon=50)
    >>> found.reached, found.restricted_mean.value, found.median.value
    (3, 27.5, 20.0)
    """
    check_level(level)
    given = numbers([] if times is None else times, name="times")
    if not np.isfinite(horizon) or horizon <= 0:
        raise BadData(f"The horizon is a number above 0: up to where courses were watched; got {horizon}.")
    if not len(given) or (given < 0).any():
        raise BadData(f"Give the time of at least one course, from 0 up or NaN for never; got {given.tolist()}.")
    ends = (
        np.full(len(given), float(horizon))
        if watched is None
        else np.minimum(numbers(watched, name="times watched"), horizon)
    )
    if len(ends) != len(given) or not (ends > 0).all() or (given[given <= horizon] > ends[given <= horizon]).any():
        raise BadData("Say of each course up to where it was watched, from its time on; or leave `watched` out.")
    seen = given <= ends
    until, n = np.where(seen, given, ends), len(given)
    curve = KaplanMeier.of(until, seen=seen)
    if (ends >= horizon).all():
        share, values = proportion_estimate(int(seen.sum()), n=n, level=level), until
        median = _ordered(np.where(seen, until, np.inf), value=curve.median, level=level)
    else:
        areas = (
            [KaplanMeier.of(np.delete(until, i), seen=np.delete(seen, i)).area(horizon) for i in range(n)]
            if n > 1
            else []
        )
        # Pseudo-values, moved so that their mean is the area itself.
        values = curve.area(horizon) + (n - 1) * (np.mean(areas) - np.array(areas)) if n > 1 else until
        share, median = curve.share(n, level=level), curve.crossing(n, level=level)
    mean = number_estimate(values, level=level, share=SKEW if n >= 8 else 1.0)
    mean = replace(mean, low=max(mean.low, 0.0), high=min(mean.high, float(horizon))) if mean.has_interval else mean
    beyond = OPEN if np.isinf(median.high) else ""
    return TimeToLevel(
        reached=int(seen.sum()),
        courses=n,
        share=of_courses(share if n > 1 else without_interval(share.value, n=1, reason="one course"), few=""),
        restricted_mean=of_courses(mean, few=FEW),
        median=of_courses(median, note=f"{RULE} {beyond}".strip(), few=""),
        horizon=float(horizon),
        resource=resource,
    )


def _ordered(times: Floats, *, value: float, level: float) -> Estimate:
    """Estimate the median of times, infinite where the level was never reached, by interpolated order statistics."""
    from scipy.special import bdtr

    n, ordered = len(times), np.sort(times)
    covers = np.array([1 - 2 * bdtr(rank, n, 0.5) for rank in range(n // 2)])
    if n < 2 or covers[0] < level:
        return without_interval(value, n=n, reason="one course" if n < 2 else "a median's interval needs six courses")
    rank = int((covers >= level).sum()) - 1
    inner = min(rank + 1, n // 2 - 1)
    part = (covers[rank] - level) / (covers[rank] - covers[inner]) if inner > rank else 0.0
    part = (n - rank - 1) * part / (rank + 1 + (n - 2 * rank - 2) * part)
    if np.isinf(ordered[rank]) or ordered[0] == ordered[-1]:
        reason = "too few reached it" if np.isinf(ordered[rank]) else f"all {n} courses are equal"
        return without_interval(value, n=n, reason=reason)
    low = ordered[rank] if np.isinf(ordered[inner]) else (1 - part) * ordered[rank] + part * ordered[inner]
    high = ordered[-1 - rank]
    high = high if np.isinf(high) else (1 - part) * high + part * ordered[-1 - inner]
    return Estimate(value, float(low), float(high), n, named("interpolated order statistics", level=level))
