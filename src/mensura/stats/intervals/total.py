"""Totals: what all units of a finite set come to, from a few of them that were drawn at random."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from mensura.stats.estimate import Estimate
from mensura.stats.intervals.mean import number_estimate

FEWEST_FOR_SLOPE = 5


def total_estimate(values: ArrayLike, *, sizes: ArrayLike, all_sizes: ArrayLike, level: float = 0.95) -> Estimate:
    r"""Estimate the total of a quantity over units whose sizes are all known, from a random sample of them.

    The regression estimator of survey sampling [1]_: with the slope :math:`b` of the values on the sizes, the mean of
    :math:`y_i - b(x_i - \bar X)` estimates that of all :math:`N` units. Its interval is a t interval corrected for
    skew, narrowed by :math:`\sqrt{1 - n/N}`, since those that were drawn are known, and widened as the slope is
    estimated too.
    With fewer than five units, or units of one size, the slope is 0.

    Parameters
    ----------
    values : array_like
        The quantity of each unit that was drawn; those with NaN are dropped.
    sizes : array_like
        The size of each unit that was drawn.
    all_sizes : array_like
        The sizes of all units, those that were drawn among them.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The total over all units, with the n that were drawn.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, third edition, chapter 7.

    Examples
    --------
    >>> every = np.arange(1.0, 101.0)
    >>> found = total_estimate([12, 39, 61, 118, 152, 198], sizes=[5, 19, 31, 60, 75, 98], all_sizes=every)
    >>> round(found.value), bool(found.low < 2 * every.sum() < found.high)
    (10168, True)
    """
    drawn, size, everyone = (np.asarray(given, dtype=float) for given in (values, sizes, all_sizes))
    known = ~np.isnan(drawn)
    drawn, size = drawn[known], size[known]
    n, many = len(drawn), len(everyone)
    slope, wide = 0.0, 1.0
    if n >= FEWEST_FOR_SLOPE and np.ptp(size) > 0:
        slope = float(np.polyfit(size, drawn, 1)[0])
        away = (size.mean() - everyone.mean()) ** 2 / ((size - size.mean()) ** 2).mean()
        wide = np.sqrt((1 + away) * (n - 1) / (n - 2))
    mean = number_estimate(drawn - slope * (size - everyone.mean()), level=level)
    narrow = np.sqrt(max(0.0, 1 - n / many)) * wide
    value = mean.value * many
    low, high = (value + (end - mean.value) * narrow * many for end in (mean.low, mean.high))
    how = "regression on size" if slope else "mean"
    return replace(mean, value=value, low=low, high=high, method=f"{mean.method}, total by {how}")
