"""Scores of stated quantiles, the pinball loss, and of the intervals between them: width, plus a fine for missing."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadParameter
from mensura.scores.alternatives import Floats


def quantile_loss(*, forecast: ArrayLike, level: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""Pinball loss of a stated quantile, :math:`(1\{y \le q\} - \alpha)(q - y)`; 0 is perfect.

    The stated value is optimal when it is the quantile of what the forecaster believes.

    Parameters
    ----------
    forecast : array_like
        Stated quantiles.
    level : array_like
        Their levels α, strictly between 0 and 1.
    outcome : array_like
        The quantity as it came out; NaN where unknown.

    Examples
    --------
    >>> quantile_loss(forecast=[3.0, 3.0], level=0.9, outcome=[2.0, 4.0]).round(2)
    array([0.1, 0.9])
    """
    quantiles, outcomes = np.asarray(forecast, dtype=float), np.asarray(outcome, dtype=float)
    levels = np.asarray(level, dtype=float)
    if not ((levels > 0) & (levels < 1)).all():
        raise BadParameter(f"The level of a quantile lies strictly between 0 and 1; got {levels}.")
    below = quantiles - outcomes
    return np.where(np.isnan(below), np.nan, ((below >= 0) - levels) * below)


def interval_loss(*, low: ArrayLike, high: ArrayLike, coverage: float, outcome: ArrayLike) -> Floats:
    r"""Winkler's loss of a central interval; less is better.

    :math:`(u - l) + \frac{2}{\alpha}(l - y)^+ + \frac{2}{\alpha}(y - u)^+` with :math:`\alpha = 1 -` coverage: the
    best interval is that between the α/2 and 1 − α/2 quantiles of what is believed.

    Parameters
    ----------
    low, high : array_like
        Ends of the interval.
    coverage : float
        Probability the interval claims, strictly between 0 and 1.
    outcome : array_like
        The quantity as it came out; NaN where unknown.

    References
    ----------
    .. [1] Winkler (1972), Journal of the American Statistical Association 67, 187-191.

    Examples
    --------
    >>> interval_loss(low=[1.0, 1.0], high=[2.0, 2.0], coverage=0.9, outcome=[1.5, 2.1]).round(2)
    array([1., 3.])
    """
    if not 0 < coverage < 1:
        raise BadParameter(f"The coverage of an interval lies strictly between 0 and 1; got {coverage:g}.")
    lows, highs = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    outcomes = np.asarray(outcome, dtype=float)
    if (highs < lows).any():
        raise BadParameter("The upper end of an interval cannot lie below its lower end.")
    fine = 2 / (1 - coverage)
    losses: Floats = (highs - lows) + fine * (np.maximum(lows - outcomes, 0) + np.maximum(outcomes - highs, 0))
    return losses


def weighted_interval_loss(
    *, median: ArrayLike, low: ArrayLike, high: ArrayLike, coverages: ArrayLike, outcome: ArrayLike
) -> Floats:
    r"""Weighted mean of `interval_loss` over several central intervals and the median; approaches the CRPS.

    Weights are :math:`\alpha_k/2` for the intervals and 1/2 for the median, divided by K + 1/2.

    Parameters
    ----------
    median : array_like
        Stated medians, shape (...).
    low, high : array_like
        Ends of the intervals, shape (..., K).
    coverages : array_like
        Probabilities claimed, shape (K,).
    outcome : array_like
        The quantity as it came out, shape (...).

    References
    ----------
    .. [1] Bracher, Ray, Gneiting and Reich (2021), PLOS Computational Biology 17, e1008618.

    Examples
    --------
    >>> weighted_interval_loss(median=[1.5], low=[[1.0]], high=[[2.0]], coverages=[0.9], outcome=[2.1]).round(3)
    array([0.3])
    """
    lows, highs = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    outcomes = np.asarray(outcome, dtype=float)
    levels = np.asarray(coverages, dtype=float)
    total = np.abs(outcomes - np.asarray(median, dtype=float)) / 2
    for k, coverage in enumerate(levels):
        part = interval_loss(low=lows[..., k], high=highs[..., k], coverage=float(coverage), outcome=outcomes)
        total = total + (1 - coverage) / 2 * part
    losses: Floats = total / (len(levels) + 0.5)
    return losses
