"""Intervals: from a mean with its variance to bounds that suit the scale."""

from dataclasses import dataclass
from math import inf, isnan, sqrt

from mensura.stats.intervals.bounded import (
    FEW,
    UNSEEN,
    UNSEEN_DIFFERENCE,
    bounded_interval,
    cautious_freedom,
    cautious_variance,
    off_the_end,
    rule_of_three,
)
from mensura.stats.intervals.half_bounded import half_bounded_interval, skewness_of_mean
from mensura.stats.intervals.mean import undo_skew
from mensura.stats.intervals.moments import Moments
from mensura.stats.scale import Scale


@dataclass(frozen=True, slots=True)
class Interval:
    """Both bounds of a mean and the name of the method that made them."""

    low: float
    high: float
    method: str


def interval_of(
    moments: Moments, *, scale: Scale, level: float = 0.95, rare: bool = True, skewed: bool = True
) -> Interval | None:
    """Return the interval of a mean on its scale; None where nothing can be said of its error.

    ==================  ==============================================================================================
    scale               interval
    ==================  ==============================================================================================
    two bounds          `bounded_interval`; where all units are alike, `rule_of_three`
    one bound           `half_bounded_interval`; where all units are alike, none
    none                t, from 5 units on widened for their skewness [1]_; where all units are alike, none
    ==================  ==============================================================================================

    Parameters
    ----------
    moments : Moments
        The mean with its variance.
    scale : Scale
        What the score can be.
    level : float
        Confidence level.
    rare : bool
        Whether units that are all alike may hide rare other ones, as `rule_of_three` supposes. Differences do not
        suppose it, unless they lie at an end of their scale.
    skewed : bool
        Whether units may be skewed. Paired differences of like subjects are symmetric: corrections for skewness would
        then claim too often.

    References
    ----------
    .. [1] Hall (1992), Journal of the Royal Statistical Society B 54, 221-228.
    """
    if moments.n < 1 or isnan(moments.variance) or moments.freedom <= 0:
        return None
    if scale.is_bounded:
        return _bounded(moments, scale=scale, level=level, rare=rare, skewed=skewed)
    if moments.is_constant:
        return None
    if scale.is_half_bounded:
        return _half_bounded(moments, scale=scale, level=level)
    return _unbounded(moments, level=level, skewed=skewed)


def _bounded(moments: Moments, *, scale: Scale, level: float, rare: bool, skewed: bool) -> Interval:
    mean = min(1.0, max(0.0, scale.share(moments.mean)))
    units = (moments.units - scale.value(0.0)) / scale.width
    variance, n, most = moments.variance / scale.width**2, moments.n, moments.most
    if moments.freedom == inf:
        method = "Clopper-Pearson"
        low, high = bounded_interval(mean, variance=variance, freedom=inf, most=most, level=level)
    elif mean in (0.0, 1.0) or (moments.is_constant and rare and most == inf):
        method = "rule of three"
        low, high = rule_of_three(mean, n=n, level=level)
    else:
        method = "Clopper-Pearson with effective n"
        # Where most units lie at the end, the few that do not say little of how far others would be.
        off = off_the_end(units)
        if off <= len(units) / 2:
            most = min(most, len(units) * 2.0 ** min(60, max(0, off - FEW + 1)))
        variance = cautious_variance(mean, variance=variance, n=n, unseen=UNSEEN if rare else UNSEEN_DIFFERENCE)
        freedom = moments.freedom
        if skewed and moments.is_plain:
            freedom = cautious_freedom(units, freedom=freedom)
        # The answers of these items have each its own chance: their number is no limit to what they are worth.
        least = n if moments.unit != "answer" else 0
        low, high = bounded_interval(mean, variance=variance, freedom=freedom, least=least, most=most, level=level)
    return Interval(scale.value(low), scale.value(high), method)


def _half_bounded(moments: Moments, *, scale: Scale, level: float) -> Interval:
    sign, bound = (-1.0, scale.high) if scale.low is None else (1.0, scale.low)
    assert bound is not None
    low, high = half_bounded_interval(
        sign * (moments.mean - bound),
        variance=moments.variance,
        freedom=moments.freedom,
        skewness=sign * skewness_of_mean(moments.units) if moments.is_plain else 0.0,
        level=level,
    )
    low, high = sorted((bound + sign * low, bound + sign * high))
    return Interval(low, high, "gamma with effective count")


def _unbounded(moments: Moments, *, level: float, skewed: bool) -> Interval:
    from scipy.special import stdtrit

    corrected = skewed and moments.is_plain and moments.n >= FEW
    skewness = skewness_of_mean(moments.units) if corrected else 0.0
    quantile, error = float(stdtrit(moments.freedom, (1 + level) / 2)), sqrt(moments.variance)
    # Hall's correction moves the interval; where it would shorten one side, heavy tails would be missed there.
    low = moments.mean - error * max(quantile, undo_skew(quantile, skewness))
    high = moments.mean + error * max(quantile, -undo_skew(-quantile, skewness))
    return Interval(low, high, "t widened for skew" if corrected else "t")
