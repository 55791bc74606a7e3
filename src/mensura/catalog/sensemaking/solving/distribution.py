"""Arithmetic on distributions as the assessment does it: floor, entropy, divergence, similarity, whole percents.

All functions work on the last axis, so arrays of many distributions are one call.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

FLOOR = 0.01


def floor(weights: ArrayLike, *, least: float = FLOOR) -> NDArray[np.float64]:
    r"""Normalise, raise every value below one percent to it, and take the excess from the others in proportion.

    One pass, as Appendix B.1 does it: a value that falls under the floor while giving is left there.

    Examples
    --------
    >>> (100 * floor([25.16, 53.52, 0.15, 21.17])).round(2)
    array([24.95, 53.06,  1.  , 20.99])
    """
    values = np.asarray(weights, dtype=float)
    total = values.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = values / total
        low = values < least
        excess = np.where(low, least - values, 0.0).sum(axis=-1, keepdims=True)
        givers = np.where(low, 0.0, values)
        given = excess * givers / givers.sum(axis=-1, keepdims=True)
    return np.asarray(np.where(low, least, values - given) + 0.0 * total)


def entropy(distribution: ArrayLike) -> NDArray[np.float64]:
    r"""Uncertainty in bits, :math:`E = -\sum_h p_h \log_2 p_h`.

    >>> float(entropy([0.25, 0.25, 0.25, 0.25]))
    2.0
    """
    p = np.asarray(distribution, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log2(p), np.where(np.isnan(p), np.nan, 0.0))
    return np.asarray(-terms.sum(axis=-1))


def negentropy(distribution: ArrayLike) -> NDArray[np.float64]:
    r"""Certainty from 0 (uniform) to 1 (one hypothesis), :math:`N = 1 - E / \log_2 k`.

    >>> float(negentropy([1.0, 0.0]))
    1.0
    """
    p = np.asarray(distribution, dtype=float)
    return np.asarray(1 - entropy(p) / np.log2(p.shape[-1]))


def divergence(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    r"""Kullback-Leibler divergence in bits, :math:`\sum_h P_h \log_2 (P_h / M_h)`; infinite where M rules out P."""
    p, m = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log2(p / m), np.where(np.isnan(p + m), np.nan, 0.0))
    return np.asarray(terms.sum(axis=-1))


def similarity(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    r"""How alike two distributions are, in percent, :math:`S = 100 \cdot 2^{-KLD(P \| M)}`; 100 is the same.

    >>> float(similarity([0.5, 0.5], [0.5, 0.5]))
    100.0
    """
    return np.asarray(100 * 2 ** -divergence(first, second))


def round_half_up(values: ArrayLike) -> NDArray[np.float64]:
    """Round as the original software does, halves upward."""
    return np.asarray(np.floor(np.asarray(values, dtype=float) + 0.5))


def integer_percents(raw: ArrayLike) -> NDArray[np.float64]:
    """Turn what the controls were set to into whole percents that sum to 100.

    Shares are cut to whole numbers in single precision, like the original; then one is added in turn, in the order
    of the hypotheses, to every value strictly between 0 and 100 until the sum is 100; if there is none such, to any.

    >>> integer_percents([5, 12, 5, 25])
    array([11., 26., 10., 53.])
    >>> integer_percents([100, 100])
    array([50., 50.])
    """
    values = np.asarray(raw, dtype=float)
    total = values.sum()
    if total == 100 or not total > 0:
        return values
    percents = np.trunc(((values / total).astype(np.float32) * np.float32(100)).astype(float))
    while percents.sum() < 100:
        free = (percents > 0) & (percents < 100)
        for index in np.flatnonzero(free if free.any() else np.ones_like(free)):
            if percents.sum() < 100:
                percents[index] += 1
    return np.asarray(percents)


def whole_percents(percents: ArrayLike) -> NDArray[np.float64]:
    """Round percents half up, then make each set sum to 100; sets of whole percents stay as they are.

    >>> whole_percents([3.7, 15.7, 9.9, 70.7])
    array([ 4., 16., 10., 70.])
    """
    rounded = round_half_up(percents)
    flat = rounded.reshape(-1, rounded.shape[-1])
    for row in np.flatnonzero(flat.sum(axis=1) != 100):
        flat[row] = integer_percents(flat[row])
    return np.asarray(flat.reshape(rounded.shape))
