"""Ratios of paired means, with Fieller's interval."""

import numpy as np

from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.intervals.sample import Values, check_level, pairs


def ratio_estimate(*, numerator: Values, denominator: Values, level: float = 0.95) -> Estimate:
    r"""Estimate the ratio of two means of the same units, by Fieller's theorem [1]_.

    The interval holds every :math:`\rho` for which the mean of :math:`x_i - \rho y_i` does not differ from 0. Where
    the denominator itself may be 0 no bounds exist, and none are given.

    Parameters
    ----------
    numerator, denominator : array_like or mapping
        Two numbers for each unit; pairs with a NaN are dropped.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The ratio of the means.

    References
    ----------
    .. [1] Fieller (1954), Journal of the Royal Statistical Society B 16, 175-185.

    Examples
    --------
    >>> print(ratio_estimate(numerator=[4, 5, 6, 5], denominator=[8, 9, 13, 10]))
    0.500 [0.447, 0.591] (n=4, Fieller)
    """
    check_level(level)
    above, below, _ = pairs(first=numerator, second=denominator)
    n = len(above)
    if n == 0:
        return without_interval(float("nan"), n=0, reason="no values")
    value = float(above.mean() / below.mean()) if below.mean() != 0 else float("nan")
    if n < 3:
        return without_interval(value, n=n, reason="a ratio needs at least three units")
    from scipy.special import stdtrit

    covariance = np.cov(above, below) / n * float(stdtrit(n - 1, (1 + level) / 2)) ** 2
    square = below.mean() ** 2 - covariance[1, 1]
    if square <= 0:
        return without_interval(value, n=n, reason="the denominator may be zero")
    middle = above.mean() * below.mean() - covariance[0, 1]
    root = np.sqrt(max(middle**2 - square * (above.mean() ** 2 - covariance[0, 0]), 0.0))
    if root <= 1e-7 * abs(middle):
        return without_interval(value, n=n, reason="the ratio never varied")
    low, high = (middle - root) / square, (middle + root) / square
    return Estimate(value, float(low), float(high), n, named("Fieller", level=level))
