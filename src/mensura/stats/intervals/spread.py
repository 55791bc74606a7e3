"""Spread: standard deviations with intervals."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.intervals.sample import check_level, is_constant, observed


def sd_estimate(values: ArrayLike, *, level: float = 0.95) -> Estimate:
    r"""Estimate a standard deviation by :math:`(n-1)s^2/\chi^2_{n-1}`; the interval is exact for normal values only.

    Parameters
    ----------
    values : array_like
        Independent observations; NaN is dropped.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The standard deviation (with n - 1).

    Examples
    --------
    >>> print(sd_estimate([2, 4, 4, 4, 5, 5, 7, 9]))
    2.1 [1.4, 4.4] (n=8, chi-squared for normal values)
    """
    check_level(level)
    sample = observed(values)
    n = len(sample)
    if n < 2:
        return without_interval(float("nan"), n=n, reason="a spread needs two values")
    if is_constant(sample):
        return without_interval(0.0, n=n, reason=f"all {n} values are equal")
    deviation = float(sample.std(ddof=1))
    return spread_estimate(deviation, freedom=n - 1, n=n, level=level)


def spread_estimate(deviation: float, *, freedom: int, n: int, level: float = 0.95) -> Estimate:
    """Return a standard deviation already computed its interval, from its degrees of freedom.

    >>> print(spread_estimate(0.08, freedom=58, n=60))
    0.080 [0.068, 0.098] (n=60, chi-squared for normal values)
    """
    from scipy.special import gammaincinv

    tail = (1 - level) / 2
    low = deviation * np.sqrt(freedom / (2 * gammaincinv(freedom / 2, 1 - tail)))
    high = deviation * np.sqrt(freedom / (2 * gammaincinv(freedom / 2, tail)))
    return Estimate(deviation, float(low), float(high), n, named("chi-squared for normal values", level=level))
