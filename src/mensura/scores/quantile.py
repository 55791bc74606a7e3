"""Quantile scores: the pinball loss."""

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
