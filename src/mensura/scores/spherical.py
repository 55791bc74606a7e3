"""The spherical score: the cosine between report and outcome."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.scores.alternatives import Floats, as_distributions, realised


def spherical_payoffs(forecast: ArrayLike) -> Floats:
    r"""Payoff if each alternative happens, :math:`p_i / \lVert p \rVert - 1/\sqrt n`; more is better, 0 is ignorance.

    Examples
    --------
    >>> spherical_payoffs([0.5, 0.5])
    array([0., 0.])
    """
    probabilities = as_distributions(forecast)
    lengths = np.sqrt(np.einsum("...i,...i->...", probabilities, probabilities))[..., np.newaxis]
    payoffs: Floats = probabilities / lengths - 1 / np.sqrt(probabilities.shape[-1])
    return payoffs


def spherical_score(*, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""Spherical score in its textbook form, :math:`p_i / \lVert p \rVert`; more is better, 1 is perfect.

    References
    ----------
    .. [1] Gneiting and Raftery (2007), Journal of the American Statistical Association 102, 359-378, section 3.2.

    Examples
    --------
    >>> spherical_score(forecast=[[0.6, 0.8 - 0.4]], outcome=[0]).round(4)
    array([0.8321])
    """
    probabilities = as_distributions(forecast)
    scores: Floats = realised(spherical_payoffs(probabilities), outcome) + 1 / np.sqrt(probabilities.shape[-1])
    return scores
