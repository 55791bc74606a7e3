"""Quadratic scores of probabilities: Brier's loss and the report's payoff."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.scores.alternatives import Floats, as_distributions, realised
from mensura.scores.blocks import binary_blocks


def brier_loss(*, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""Quadratic loss of a probability, :math:`(p - y)^2`; 0 is perfect, 0.25 is always saying one half.

    Parameters
    ----------
    forecast : array_like
        Probabilities in [0, 1].
    outcome : array_like
        What happened, 0 or 1; NaN where it is not yet known, and the loss is NaN there.

    Returns
    -------
    ndarray
        One loss per forecast, never an average.

    References
    ----------
    .. [1] Brier (1950), Monthly Weather Review 78, 1-3.

    Examples
    --------
    >>> brier_loss(forecast=[0.8, 0.5], outcome=[1, 0]).round(2)
    array([0.04, 0.25])
    """

    def block(probabilities: Floats, outcomes: Floats, result: Floats) -> None:
        np.subtract(probabilities, outcomes, out=result)
        np.multiply(result, result, out=result)

    return binary_blocks(forecast, outcome, score=block)


def quadratic_payoffs(forecast: ArrayLike) -> Floats:
    r"""Payoff if each alternative happens, :math:`p_i - \frac12\sum_j p_j^2 - \frac1{2n}`; ignorance pays 0.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 10.

    Examples
    --------
    >>> quadratic_payoffs([0.5, 0.3, 0.2]).round(6)
    array([ 0.143333, -0.056667, -0.156667])
    """
    probabilities = as_distributions(forecast)
    squares = np.einsum("...i,...i->...", probabilities, probabilities)[..., np.newaxis]
    payoffs: Floats = probabilities - squares / 2 - 1 / (2 * probabilities.shape[-1])
    return payoffs


def quadratic_score(*, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
    """Quadratic payoff of a distribution at what happened; more is better, ignorance pays 0, certainty (n-1)/2n.

    Parameters
    ----------
    forecast : array_like
        Probabilities of exclusive alternatives on the last axis.
    outcome : array_like
        Index of the alternative that happened; NaN or negative where unknown.

    Examples
    --------
    >>> quadratic_score(forecast=[[0.5, 0.3, 0.2]], outcome=[0]).round(6)
    array([0.143333])
    """
    return realised(quadratic_payoffs(forecast), outcome)


def multicategory_brier_loss(*, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""Brier's own loss over all alternatives, :math:`\sum_j (e_j - p_j)^2`; 0 is perfect, 2 the worst.

    For two alternatives it is twice `brier_loss`.

    Examples
    --------
    >>> multicategory_brier_loss(forecast=[[0.8, 0.2]], outcome=[0]).round(2)
    array([0.08])
    """
    probabilities = as_distributions(forecast)
    squares = np.einsum("...i,...i->...", probabilities, probabilities)
    losses: Floats = 1 - 2 * realised(probabilities, outcome) + squares
    return losses
