"""The ranked probability score: for alternatives that have an order."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.scores.alternatives import Floats, as_distributions


def ranked_probability_loss(*, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""Squared distance of the cumulative distributions, :math:`\sum_k (P_k - O_k)^2`; 0 is perfect.

    Near misses cost less than far ones.

    Parameters
    ----------
    forecast : array_like
        Probabilities of ordered alternatives on the last axis.
    outcome : array_like
        Index of the alternative that happened; NaN or negative where unknown.

    References
    ----------
    .. [1] Epstein (1969), Journal of Applied Meteorology 8, 985-987.

    Examples
    --------
    >>> ranked_probability_loss(forecast=[[0.5, 0.3, 0.2]], outcome=[2]).round(2)
    array([0.89])
    """
    probabilities = as_distributions(forecast)
    happened = np.asarray(outcome, dtype=float)
    steps = np.arange(probabilities.shape[-1]) >= happened[..., np.newaxis]
    losses = np.square(np.cumsum(probabilities, axis=-1) - steps).sum(axis=-1)
    return np.where(happened >= 0, losses, np.nan)
