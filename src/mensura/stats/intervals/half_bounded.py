"""Intervals of means that have one bound: inside it by method, not by clipping."""

import numpy as np

from mensura.stats.intervals.sample import Floats, check_level

FARTHEST = 2.0
"""Hall's correction of few very skewed values runs away; beyond this it adds width and hardly any coverage."""


def half_bounded_interval(
    mean: float, *, variance: float, freedom: float, skewness: float = 0.0, level: float = 0.95
) -> tuple[float, float]:
    r"""Return the interval of the mean of values that are never below 0, by the gamma distribution.

    The mean :math:`m` with variance :math:`v` is as good as that of a count :math:`k = m^2/v` [1]_, and gets the
    exact interval of a count: the quantiles of gamma distributions of shape :math:`k` below and :math:`k + 1` above.
    It is what `bounded_interval` becomes when the upper bound moves away. As the variance is itself estimated, k is
    reduced by :math:`(z/t)^2`; for the upper end t is first corrected for the skewness of the values as Hall [2]_
    corrects it, where that is wider, to at most twice itself.

    Parameters
    ----------
    mean : float
        The mean, above 0.
    variance : float
        Its estimated variance, above 0.
    freedom : float
        Degrees of freedom of the variance.
    skewness : float
        Of the mean: that of the values divided by the square root of their number; 0 where it is not known.
    level : float
        Confidence level.

    Returns
    -------
    tuple of float
        Both bounds; the lower is above 0.

    References
    ----------
    .. [1] Fay and Feuer (1997), Statistics in Medicine 16, 791-801.
    .. [2] Hall (1992), Journal of the Royal Statistical Society B 54, 221-228.

    Examples
    --------
    >>> low, high = half_bounded_interval(10.0, variance=10.0, freedom=float("inf"))
    >>> round(low, 2), round(high, 2)  # the exact interval of a count of 10
    (4.8, 18.39)
    """
    from scipy.special import gammaincinv, ndtri, stdtrit

    from mensura.stats.intervals.mean import undo_skew

    check_level(level)
    tail = (1 - level) / 2
    z, t = -float(ndtri(tail)), -float(stdtrit(freedom, tail))
    # A count beyond 1e8 is as good as normal, and scipy's inverse loses digits there.
    count = min(mean**2 / variance, 1e8)
    below = count * (z / t) ** 2
    above = count * (z / min(max(t, -undo_skew(-t, skewness)), FARTHEST * t)) ** 2
    low = mean * float(gammaincinv(below, tail)) / below
    high = mean * float(gammaincinv(above + 1, 1 - tail)) / above
    return low, high


def skewness_of_mean(units: Floats) -> float:
    """Return the skewness of the mean of these values: theirs, divided by the square root of their number.

    >>> round(skewness_of_mean(np.array([0, 0, 0, 0, 1.0])), 3)
    0.671
    """
    centred = units - units.mean()
    spread = float((centred**2).mean())
    # Fewer than 5 values do not show their skewness.
    if len(units) < 5 or spread == 0:
        return 0.0
    return float((centred**3).mean() / spread**1.5 / np.sqrt(len(units)))
