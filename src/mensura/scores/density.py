"""Scores of densities over a quantity: logarithmic and quadratic."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadParameter
from mensura.scores.alternatives import Floats, as_distributions


def logarithmic_density_score(*, at_outcome: ArrayLike, scale: ArrayLike = 1.0) -> Floats:
    r"""Logarithm of the stated density at the true value, :math:`\log K p(t)`; more is better.

    With K the width of the range, a flat density over the range scores 0.

    Parameters
    ----------
    at_outcome : array_like
        The density at the value that came out.
    scale : float
        K, any positive constant.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 11.

    Examples
    --------
    >>> logarithmic_density_score(at_outcome=[0.02, 0.0], scale=100).round(4)
    array([0.6931,   -inf])
    """
    densities = np.asarray(at_outcome, dtype=float)
    if (densities < 0).any():
        raise BadParameter("A density is never negative.")
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(densities * np.asarray(scale)))


def quadratic_density_score(*, at_outcome: ArrayLike, square_integral: ArrayLike) -> Floats:
    r"""Quadratic score of a density, :math:`2 p(t) - \int p(u)^2 du`; more is better, and tails matter little.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 11.

    Examples
    --------
    >>> quadratic_density_score(at_outcome=[0.01], square_integral=[0.01])
    array([0.01])
    """
    scores: Floats = 2 * np.asarray(at_outcome, dtype=float) - np.asarray(square_integral, dtype=float)
    return scores


def histogram_density(*, masses: ArrayLike, edges: ArrayLike, outcome: ArrayLike) -> tuple[Floats, Floats]:
    """Return the density at the outcome and the integral of its square, for bins' probabilities spread evenly in each.

    Outside the bins the density is zero. A bin owns its lower edge, the last one both.

    Examples
    --------
    >>> at_outcome, square_integral = histogram_density(masses=[[0.25, 0.75]], edges=[0, 1, 2], outcome=[1.5])
    >>> at_outcome, square_integral
    (array([0.75]), array([0.625]))
    """
    probabilities = as_distributions(masses)
    borders = np.asarray(edges, dtype=float)
    widths = np.diff(borders, axis=-1)
    if widths.shape[-1] != probabilities.shape[-1] or not (widths > 0).all():
        raise BadParameter("Bins need one more edge than masses, and edges that increase.")
    outcomes = np.asarray(outcome, dtype=float)[..., np.newaxis]
    inside = (outcomes >= borders[..., :-1]) & (outcomes < borders[..., 1:])
    inside[..., -1] |= outcomes[..., 0] == borders[..., -1]
    densities = probabilities / widths
    at_outcome = np.where(np.isnan(outcomes[..., 0]), np.nan, (densities * inside).sum(axis=-1))
    return at_outcome, (densities**2 * widths).sum(axis=-1)


def normal_density(*, mean: ArrayLike, deviation: ArrayLike, outcome: ArrayLike) -> tuple[Floats, Floats]:
    r"""Return a normal density at the outcome and the integral of its square, :math:`1/(2\sigma\sqrt\pi)`.

    Examples
    --------
    >>> at_outcome, square_integral = normal_density(mean=0.0, deviation=1.0, outcome=0.0)
    >>> round(float(at_outcome), 6), round(float(square_integral), 6)
    (0.398942, 0.282095)
    """
    deviations = np.asarray(deviation, dtype=float)
    z = (np.asarray(outcome, dtype=float) - np.asarray(mean, dtype=float)) / deviations
    return np.exp(-(z**2) / 2) / (deviations * np.sqrt(2 * np.pi)), 1 / (2 * deviations * np.sqrt(np.pi))
