"""Quantities: whether stated bands hold what they claim, and densities fitted to probabilities of bins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.scores.alternatives import Floats, as_distributions
from mensura.stats import Estimate, proportion_estimate

Form = Literal["normal", "lognormal", "logistic"]


@dataclass(frozen=True)
class BandCoverage:
    """How often the truth fell outside stated bands, against how often it should."""

    claimed: float
    outside: Estimate
    probability: float
    """Chance of a number of misses as far from the expected one, to either side, if the bands were honest."""
    words: str


def band_coverage(*, low: ArrayLike, high: ArrayLike, claimed: float, outcome: ArrayLike) -> BandCoverage:
    """Compare the share of truths outside stated bands with what the bands claim.

    The report tells of students whose 1 % to 99 % bands missed the truth about 40 % of the time instead of 2 %.

    Examples
    --------
    >>> coverage = band_coverage(low=[0, 0, 0, 0, 0], high=[1, 1, 1, 1, 1], claimed=0.98, outcome=[2, 0.5, 3, 0.1, 0.2])
    >>> print(coverage.outside)
    0.40 [0.12, 0.77] (n=5, Wilson)
    """
    from scipy.stats import binom

    lows, highs, truths = (np.asarray(part, dtype=float).ravel() for part in (low, high, outcome))
    known = ~np.isnan(truths)
    if not known.any():
        raise BadData("No quantity is resolved yet: there is nothing to compare the bands with.")
    missed = int(((truths < lows) | (truths > highs))[known].sum())
    n = int(known.sum())
    outside = proportion_estimate(missed, n=n)
    more, fewer = float(binom.sf(missed - 1, n, 1 - claimed)), float(binom.cdf(missed, n, 1 - claimed))
    expected = f"{100 * (1 - claimed):.3g} % should lie outside, {100 * outside.value:.3g} % do (n = {n})"
    fault = "the bands are too tight" if more < 0.025 else "the bands are too wide" if fewer < 0.025 else ""
    return BandCoverage(
        claimed, outside, min(1.0, 2 * more, 2 * fewer), f"{expected}: {fault or 'chance allows this'}."
    )


@dataclass(frozen=True)
class Pit:
    """A histogram of the probability integral transform with the counts chance allows an honest forecaster."""

    edges: Floats
    counts: Floats
    low: float
    high: float
    n: int
    probability: float
    """Chance of such unevenness or more for honest densities (Neyman's smooth test of place and spread)."""


def pit_histogram(transforms: ArrayLike, *, cells: Sequence[Floats] = (), bins: int = 10) -> Pit:
    """Count transforms in equal bins, with the 95 % range of a bin's count for honest densities.

    Parameters
    ----------
    transforms : array_like
        Where each truth fell in its distribution; NaN where unknown.
    cells : sequence of ndarray
        The levels, from 0 to 1, between which each distribution is told: a truth counts evenly over its cell, and is
        compared with what honest statements would give in these cells, whatever lies between the levels. Many that
        have equally many levels may be one array, a row for each.
    bins : int
        How many bins.

    References
    ----------
    .. [1] Czado, Gneiting and Held (2009), Biometrics 65, 1254-1261.

    Examples
    --------
    >>> pit_histogram(np.linspace(0.005, 0.995, 100)).counts.tolist()
    [10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0]
    """
    from scipy.stats import binom, chi2

    values = np.asarray(transforms, dtype=float).ravel()
    known = ~np.isnan(values)
    n, tops = int(known.sum()), np.linspace(0, 1, bins + 1)
    counts, _ = np.histogram(values[known], bins=tops)
    low, high = (float(end) for end in binom.ppf([0.025, 0.975], n, 1 / bins))
    total = _polynomials(values[known]).sum(axis=1)
    covariance = n * np.eye(2)
    if cells:
        counts, squares = np.zeros(bins), np.zeros(bins)
        total, covariance = np.zeros(2), np.zeros((2, 2))
        begin = 0
        for levels in map(np.atleast_2d, cells):
            mine = values[begin : begin + len(levels)]
            begin += len(levels)
            levels, mine = levels[~np.isnan(mine)], mine[~np.isnan(mine), np.newaxis]
            masses, at = np.diff(levels), (np.arange(len(levels)), (levels < mine).sum(axis=1) - 1)
            wide = np.where(masses > 0, masses, 1.0)
            parts = np.clip(tops, levels[:, :-1, np.newaxis], levels[:, 1:, np.newaxis])
            shares, means = np.diff(parts) / wide[..., np.newaxis], np.diff(_integrals(levels)) / wide
            counts, squares = counts + shares[at].sum(axis=0), squares + np.einsum("nc,ncb->b", masses, shares**2)
            total = total + means[:, *at].sum(axis=1)
            covariance = covariance + np.einsum("inc,nc,jnc->ij", means, masses, means)
        reach = 1.96 * float(np.sqrt(max(0.0, squares.max() - n / bins**2)))
        low, high = n / bins - reach, n / bins + reach
    freedom = int(np.linalg.matrix_rank(covariance)) if n else 0
    probability = float(chi2.sf(total @ np.linalg.pinv(covariance) @ total, freedom)) if freedom else float("nan")
    return Pit(tops, counts.astype(float), low, high, n, probability)


def _polynomials(u: Floats) -> Floats:
    """Return the first two Legendre polynomials on [0, 1]: whether truths lie high, and whether they lie outside."""
    return np.stack([np.sqrt(3) * (2 * u - 1), np.sqrt(5) * (6 * u**2 - 6 * u + 1)])


def _integrals(u: Floats) -> Floats:
    return np.stack([np.sqrt(3) * (u**2 - u), np.sqrt(5) * (2 * u**3 - 3 * u**2 + u)])


@dataclass(frozen=True)
class FittedForm:
    """A named distribution fitted to probabilities of bins, and how much of what was said it loses (nats)."""

    form: Form
    location: float
    scale: float
    misfit: float


def fit_form(*, masses: ArrayLike, edges: ArrayLike, form: Form = "normal") -> FittedForm:
    """Fit a functional form to elicited probabilities of bins, so that a few numbers give a whole density.

    Minimises the divergence of the form's bin probabilities from the stated ones; the outermost bins own the tails.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 12.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> edges = np.array([0.0, 2.0, 4.0, 6.0, 8.0])
    >>> cuts = norm(4.5, 1.5).cdf(edges[1:-1])
    >>> fitted = fit_form(masses=np.diff(cuts, prepend=0, append=1), edges=edges)
    >>> round(fitted.location, 3), round(fitted.scale, 3)
    (4.5, 1.5)
    """
    from scipy.optimize import minimize
    from scipy.special import expit, ndtr

    probabilities = as_distributions(masses)
    borders = np.asarray(edges, dtype=float)
    inner = borders[1:-1]
    if form == "lognormal":
        if (inner <= 0).any():
            raise BadData("A log-normal quantity is positive: the inner edges of its bins must be above zero.")
        inner = np.log(inner)
    cdf = expit if form == "logistic" else ndtr
    middles = (
        np.concatenate([[2 * inner[0] - inner[min(1, len(inner) - 1)]], inner]) + np.append(inner, inner[-1])
    ) / 2
    start = float(probabilities @ middles)
    spread = max(
        float(np.sqrt(probabilities @ (middles - start) ** 2)), 1e-3 * float(np.ptp(inner) or abs(inner[0]) or 1)
    )
    stated = probabilities > 0

    def misfit(parameters: Floats) -> float:
        cuts = cdf((inner - parameters[0]) / np.exp(parameters[1]))
        fitted = np.maximum(np.diff(cuts, prepend=0.0, append=1.0), 1e-300)
        return float(probabilities[stated] @ (np.log(probabilities[stated]) - np.log(fitted[stated])))

    found = minimize(misfit, [start, np.log(spread)], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    return FittedForm(form, float(found.x[0]), float(np.exp(found.x[1])), max(0.0, float(found.fun)))
