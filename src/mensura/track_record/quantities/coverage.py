"""Quantities: whether stated bands hold what they claim, and densities fitted to probabilities of bins."""

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
    """Chance of so many misses or more if the bands were honest."""
    words: str


def band_coverage(*, low: ArrayLike, high: ArrayLike, claimed: float, outcome: ArrayLike) -> BandCoverage:
    """Compare the share of truths outside stated bands with what the bands claim.

    The report tells of students whose 1 % to 99 % bands missed the truth about 40 % of the time instead of 2 %.

    Examples
    --------
    >>> coverage = band_coverage(low=[0, 0, 0, 0, 0], high=[1, 1, 1, 1, 1], claimed=0.98, outcome=[2, 0.5, 3, 0.1, 0.2])
    >>> print(coverage.outside)
    0.4 [0.118, 0.769] (n=5, Wilson)
    """
    from scipy.stats import binom

    lows, highs, truths = (np.asarray(part, dtype=float).ravel() for part in (low, high, outcome))
    known = ~np.isnan(truths)
    if not known.any():
        raise BadData("No quantity is resolved yet: there is nothing to compare the bands with.")
    missed = int(((truths < lows) | (truths > highs))[known].sum())
    n = int(known.sum())
    outside = proportion_estimate(missed, n=n)
    probability = float(binom.sf(missed - 1, n, 1 - claimed))
    expected = f"{100 * (1 - claimed):.3g} % should lie outside, {100 * outside.value:.3g} % do (n = {n})"
    tight = "the bands are too tight" if probability < 0.025 else "chance allows this"
    return BandCoverage(claimed, outside, probability, f"{expected}: {tight}.")


@dataclass(frozen=True)
class Pit:
    """A histogram of the probability integral transform with the counts chance allows an honest forecaster."""

    edges: Floats
    counts: Floats
    low: float
    high: float
    n: int
    probability: float
    """Chance of such unevenness or more for honest densities (Kolmogorov-Smirnov)."""


def pit_histogram(transforms: ArrayLike, *, bins: int = 10) -> Pit:
    """Count transforms in equal bins, with the 95 % range of a bin's count for honest densities.

    >>> pit_histogram(np.linspace(0.005, 0.995, 100)).counts.tolist()
    [10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0]
    """
    from scipy.stats import binom, kstest

    values = np.asarray(transforms, dtype=float)
    values = values[~np.isnan(values)]
    counts, edges = np.histogram(values, bins=bins, range=(0, 1))
    low, high = binom.ppf([0.025, 0.975], len(values), 1 / bins)
    probability = float(kstest(values, "uniform").pvalue) if len(values) else float("nan")
    return Pit(edges, counts.astype(float), float(low), float(high), len(values), probability)


@dataclass(frozen=True)
class FittedForm:
    """A named distribution fitted to probabilities of bins, and how much of what was said it loses (nats)."""

    form: Form
    location: float
    scale: float
    misfit: float

    def distribution(self) -> object:
        """Return the fitted distribution as a frozen scipy one: cdf, ppf, pdf."""
        from scipy import stats

        if self.form == "lognormal":
            return stats.lognorm(self.scale, scale=np.exp(self.location))
        return (stats.norm if self.form == "normal" else stats.logistic)(self.location, self.scale)


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
