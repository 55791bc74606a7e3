"""Logarithmic scores of probabilities, in nats; with a floor they stay proper."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadParameter
from mensura.scores.alternatives import Floats, as_distributions, realised
from mensura.scores.blocks import binary_blocks


def log_loss(*, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""Surprise at what happened, :math:`-\log p`; 0 is perfect, log 2 is always saying one half, ∞ is certain error.

    Parameters
    ----------
    forecast : array_like
        Probabilities in [0, 1].
    outcome : array_like
        What happened, 0 or 1; NaN where it is not yet known, and the loss is NaN there.

    Examples
    --------
    >>> log_loss(forecast=[0.8, 1.0], outcome=[1, 0]).round(6)
    array([0.223144,      inf])
    """

    def block(probabilities: Floats, outcomes: Floats, result: Floats) -> None:
        # |(1 - y) - p| is p where y = 1 and 1 - p where y = 0.
        np.subtract(1.0, outcomes, out=result)
        np.subtract(result, probabilities, out=result)
        np.abs(result, out=result)
        np.log(result, out=result)
        np.negative(result, out=result)

    with np.errstate(divide="ignore"):
        return binary_blocks(forecast, outcome, score=block)


def logarithmic_payoffs(forecast: ArrayLike, *, floor: float = 0.0) -> Floats:
    r"""Payoff if each alternative happens, :math:`\log(n p_i)`; more is better, ignorance pays 0.

    With a floor, the report is first projected by `project`, so no payoff is infinite and honesty stays optimal.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 8.

    Examples
    --------
    >>> logarithmic_payoffs([0.5, 0.3, 0.2]).round(6)
    array([ 0.405465, -0.105361, -0.510826])
    >>> logarithmic_payoffs([1.0, 0.0], floor=0.01).round(6)
    array([ 0.683097, -3.912023])
    """
    probabilities = project(forecast, floor=floor) if floor else as_distributions(forecast)
    with np.errstate(divide="ignore"):
        payoffs: Floats = np.log(probabilities * probabilities.shape[-1])
        return payoffs


def logarithmic_score(*, forecast: ArrayLike, outcome: ArrayLike, floor: float = 0.0) -> Floats:
    """Logarithmic payoff of a distribution at what happened; more is better, ignorance pays 0, certainty log n.

    Parameters
    ----------
    forecast : array_like
        Probabilities of exclusive alternatives on the last axis.
    outcome : array_like
        Index of the alternative that happened; NaN or negative where unknown.
    floor : float
        Smallest probability the rule pays for; 0 leaves the penalty of certain error infinite.

    Examples
    --------
    >>> logarithmic_score(forecast=[[0.5, 0.3, 0.2], [1, 0, 0]], outcome=[0, 1]).round(6)
    array([0.405465,     -inf])
    """
    return realised(logarithmic_payoffs(forecast, floor=floor), outcome)


def project(forecast: ArrayLike, *, floor: float) -> Floats:
    r"""Return the distribution with every :math:`p \ge` floor that the report itself expects most from.

    It is :math:`p_i = \max(\text{floor}, c\,q_i)` with c chosen so that they sum to one; two alternatives are
    clipped at both ends. Raising only zeros to the floor would make the logarithm improper.

    Examples
    --------
    >>> project([0.98, 0.02, 0.0], floor=0.01)
    array([0.9702, 0.0198, 0.01  ])
    """
    probabilities = as_distributions(forecast)
    alternatives = probabilities.shape[-1]
    if not 0 <= floor <= 1 / alternatives:
        raise BadParameter(f"The floor of {alternatives} alternatives lies from 0 to 1/{alternatives}; got {floor:g}.")
    scale = np.ones(probabilities.shape[:-1])
    # Raising one alternative to the floor shrinks the rest, which may push another below: at most n - 1 rounds.
    for _ in range(alternatives):
        low = scale[..., np.newaxis] * probabilities < floor
        kept = np.where(low, 0.0, probabilities).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            new_scale = np.where(kept > 0, (1 - floor * low.sum(axis=-1)) / kept, scale)
        if np.array_equal(new_scale, scale, equal_nan=True):
            break
        scale = new_scale
    return np.maximum(scale[..., np.newaxis] * probabilities, floor)
