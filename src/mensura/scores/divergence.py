"""Divergences between distributions over alternatives, in nats where they are informations."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.scores.alternatives import Floats, as_distributions


def entropy(distribution: ArrayLike) -> Floats:
    r"""Uncertainty of a distribution, :math:`-\sum p \log p`, in nats.

    >>> entropy([[0.5, 0.5], [1.0, 0.0]]).round(6)
    array([0.693147, 0.      ])
    """
    probabilities = as_distributions(distribution)
    return -_plogq(probabilities, probabilities) + 0.0


def information(distribution: ArrayLike) -> Floats:
    r"""Return what a distribution claims to know, :math:`\log n + \sum p \log p`, in nats; 0 at ignorance.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 19.

    Examples
    --------
    >>> information([0.5, 0.5])
    np.float64(0.0)
    """
    probabilities = as_distributions(distribution)
    result: Floats = np.log(probabilities.shape[-1]) + _plogq(probabilities, probabilities)
    return result


def kullback_leibler(*, of: ArrayLike, against: ArrayLike) -> Floats:
    r"""Information lost by believing q where p is true, :math:`\sum p \log(p/q)`; 0 when equal, ∞ where q rules p out.

    >>> kullback_leibler(of=[0.5, 0.5], against=[0.9, 0.1]).round(6)
    np.float64(0.510826)
    """
    true, believed = as_distributions(of), as_distributions(against)
    return _plogq(true, true) - _plogq(true, believed)


def jensen_shannon(first: ArrayLike, second: ArrayLike) -> Floats:
    """Symmetric divergence of two distributions, between 0 (equal) and log 2 (disjoint).

    >>> jensen_shannon([1.0, 0.0], [0.0, 1.0]).round(6)
    np.float64(0.693147)
    """
    one, other = as_distributions(first), as_distributions(second)
    middle = (one + other) / 2
    return (kullback_leibler(of=one, against=middle) + kullback_leibler(of=other, against=middle)) / 2


def total_variation(first: ArrayLike, second: ArrayLike) -> Floats:
    """Largest difference in probability of any event, between 0 and 1.

    >>> total_variation([0.5, 0.5], [0.9, 0.1])
    np.float64(0.4)
    """
    result: Floats = np.abs(as_distributions(first) - as_distributions(second)).sum(axis=-1) / 2
    return result


def _plogq(p: Floats, q: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Floats = np.where(p == 0, 0.0, p * np.log(q)).sum(axis=-1)
        return result
