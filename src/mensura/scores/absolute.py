"""Absolute prediction: an improper rule, kept to show what it does to honest people."""

from numpy.typing import ArrayLike

from mensura.scores.alternatives import Floats, as_distributions, realised


def absolute_payoffs(forecast: ArrayLike) -> Floats:
    r"""Payoff if each alternative happens, :math:`(p_i - \frac1n)/(1 - \frac1n)`: improper, more is better.

    A forecaster paid by the stated probability itself does best to give everything to the likeliest alternative: an
    absolute prediction. The best expected payoff is then :math:`(\max p - \frac1n)/(1 - \frac1n)`, for two
    alternatives :math:`|2p - 1|`.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 24-27 and figure 7.

    Examples
    --------
    >>> absolute_payoffs([0.75, 0.25])
    array([ 0.5, -0.5])
    """
    probabilities = as_distributions(forecast)
    ignorance = 1 / probabilities.shape[-1]
    payoffs: Floats = (probabilities - ignorance) / (1 - ignorance)
    return payoffs


def absolute_score(*, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
    """Improper payoff of a distribution by the probability given to what happened; more is better.

    Examples
    --------
    >>> absolute_score(forecast=[[0.75, 0.25]], outcome=[1])
    array([-0.5])
    """
    return realised(absolute_payoffs(forecast), outcome)
