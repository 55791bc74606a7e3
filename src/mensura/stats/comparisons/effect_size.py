"""Effect sizes: how large a difference is beside the spread, with intervals."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.intervals.sample import Floats, Values, check_level, is_constant, observed, pairs

LEAST_FOR_SUPERIORITY = 15


def hedges_g(*, first: ArrayLike, second: ArrayLike, level: float = 0.95) -> Estimate:
    r"""Estimate the standardised difference of two independent means, :math:`J (\bar x - \bar y)/s_{pooled}`.

    :math:`J` takes out the small-sample bias [1]_; the interval is that of the noncentrality of t [2]_, exact for
    normal values of equal variance.

    Parameters
    ----------
    first, second : array_like
        Independent observations; NaN is dropped.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        Positive where the first is higher; n counts both samples.

    References
    ----------
    .. [1] Hedges (1981), Journal of Educational Statistics 6, 107-128.
    .. [2] Steiger and Fouladi (1997), in Harlow et al., What if there were no significance tests?

    Examples
    --------
    >>> print(hedges_g(first=[3, 4, 5, 6, 7], second=[1, 2, 3, 4, 5]))
    1.1 [-0.1, 2.6] (n=10, noncentral t)
    """
    left, right = observed(first, name="first values"), observed(second, name="second values")
    n = len(left) + len(right)
    if min(len(left), len(right)) < 1 or n < 3:
        return without_interval(float("nan"), n=n, reason="too few values")
    freedom = n - 2
    squares = ((left - left.mean()) ** 2).sum() + ((right - right.mean()) ** 2).sum()
    if is_constant(left) and is_constant(right):
        return without_interval(float("nan"), n=n, reason="the values do not vary")
    effect = (left.mean() - right.mean()) / np.sqrt(squares / freedom)
    scale = np.sqrt(1 / len(left) + 1 / len(right))
    return _standardised(effect, scale=scale, freedom=freedom, n=n, level=level)


def paired_effect(*, first: Values, second: Values, level: float = 0.95) -> Estimate:
    r"""Estimate the standardised mean of paired differences, :math:`J\, \bar d/s_d`.

    Parameters
    ----------
    first, second : array_like or mapping
        Scores of the same items; pairs with a NaN are dropped.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        Positive where the first is higher. It is measured against the spread of differences, not of scores.

    Examples
    --------
    >>> print(paired_effect(first=[3, 4, 5, 6, 7], second=[1, 3, 3, 4, 7]))
    1.2 [0.2, 2.9] (n=5, noncentral t)
    """
    left, right, _ = pairs(first=first, second=second)
    differences = left - right
    n = len(differences)
    if n < 2:
        return without_interval(float("nan"), n=n, reason="too few values")
    if is_constant(differences):
        return without_interval(float("nan"), n=n, reason="the differences do not vary")
    effect = differences.mean() / differences.std(ddof=1)
    return _standardised(effect, scale=1 / np.sqrt(n), freedom=n - 1, n=n, level=level)


def superiority(*, first: ArrayLike, second: ArrayLike, level: float = 0.95) -> Estimate:
    r"""Estimate the chance that a value of the first sample exceeds one of the second, ties counting half.

    One half means no difference. It is the Mann-Whitney statistic over :math:`n_1 n_2`. The interval is DeLong's
    on the logit scale; it needs 15 values on each side and is not given where the samples do not overlap.

    Parameters
    ----------
    first, second : array_like
        Independent observations; NaN is dropped.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        A probability; n counts both samples.

    References
    ----------
    .. [1] DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Examples
    --------
    >>> print(superiority(first=range(10, 30), second=range(0, 20)))
    0.88 [0.73, 0.95] (n=40, DeLong on the logit scale)
    """
    check_level(level)
    left, right = observed(first, name="first values"), observed(second, name="second values")
    n = len(left) + len(right)
    if min(len(left), len(right)) == 0:
        return without_interval(float("nan"), n=n, reason="too few values")
    wins = _win_shares(left, right)
    chance = float(wins.mean())
    least = LEAST_FOR_SUPERIORITY
    if min(len(left), len(right)) < least:
        return without_interval(chance, n=n, reason=f"needs at least {least} values on each side")
    if chance in (0.0, 1.0):
        return without_interval(chance, n=n, reason="the samples do not overlap")
    losses = _win_shares(right, left)
    error = np.sqrt(wins.var(ddof=1) / len(left) + losses.var(ddof=1) / len(right))
    if error == 0:
        return without_interval(chance, n=n, reason="the values do not vary")
    from scipy.special import expit, logit, ndtri

    half = ndtri((1 + level) / 2) * error / (chance * (1 - chance))
    low, high = expit(logit(chance) - half), expit(logit(chance) + half)
    return Estimate(chance, float(low), float(high), n, named("DeLong on the logit scale", level=level))


def _standardised(effect: float, *, scale: float, freedom: int, n: int, level: float) -> Estimate:
    from scipy.special import gammaln, nctdtrinc

    check_level(level)
    if freedom < 2:
        return without_interval(float(effect), n=n, reason="too few values")
    unbias = np.exp(gammaln(freedom / 2) - gammaln((freedom - 1) / 2)) * np.sqrt(2 / freedom)
    low = scale * nctdtrinc(freedom, (1 + level) / 2, effect / scale)
    high = scale * nctdtrinc(freedom, (1 - level) / 2, effect / scale)
    return Estimate(float(effect * unbias), float(low), float(high), n, named("noncentral t", level=level))


def _win_shares(left: Floats, right: Floats) -> Floats:
    """For each value of the first sample, the share of the second that lies below it, ties counting half."""
    ordered = np.sort(right)
    return (np.searchsorted(ordered, left, side="left") + np.searchsorted(ordered, left, side="right")) / (
        2 * len(right)
    )
