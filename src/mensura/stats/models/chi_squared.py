"""Chi-squared: whether counts go with a condition, or fit what was expected."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats, check_level, numbers, table
from mensura.stats.wording import frequency, several, spoken

LEAST_EXPECTED = 5


@dataclass(frozen=True, slots=True)
class Association(Finding):
    """A test of whether rows and columns of a table of counts are associated; `association` is Cramér's V, 0 to 1."""

    statistic: float
    freedom: int
    p: float
    test: str
    association: Estimate
    smallest_expected: float
    level: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        strength = f"Cramér's V is {spoken(self.association)}, n = {self.association.n}"
        chance = f"chance alone would give such a table in {frequency(self.p)} such studies ({self.test})"
        if self.p <= 1 - self.level:
            return f"Rows and columns go together: {strength}; were they unrelated, {chance}."
        return f"The data do not show that rows and columns go together: {strength}, and {chance}."


@dataclass(frozen=True, slots=True)
class Fit(Finding):
    """A test of whether counts fit their expected shares."""

    statistic: float
    freedom: int
    p: float
    n: int
    smallest_expected: float
    level: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        chance = f"chance alone would give so large a misfit in {frequency(self.p)} such studies"
        over = f"(chi-squared over {several(self.n, 'count')})"
        small = (
            f" The smallest expected count is {self.smallest_expected:.3g}, so this is rough."
            if self.smallest_expected < LEAST_EXPECTED
            else ""
        )
        if self.p <= 1 - self.level:
            return f"The counts do not fit what was expected: {chance} {over}.{small}"
        return f"The counts may well be as expected: {chance} {over}.{small}"


def chi_squared(counts: ArrayLike, *, rng: Generator | None = None, level: float = 0.95) -> Association:
    r"""Test whether the rows and columns of a table of counts go together.

    Where an expected count is below 5, the chi-squared distribution is a poor guide: a two-by-two table then gets
    Fisher's exact test, a larger one random tables with the same margins, for which `rng` is needed.

    Cramér's :math:`V = \sqrt{\lambda/(n \min(r-1, c-1))}` is given for :math:`\lambda = \chi^2 - df` (at least 0),
    which takes the bias out. Its interval is that of the noncentrality of chi-squared [1]_, stretched by the ratio of
    the standard error that the table itself shows (delta method [2]_) to the one noncentral chi-squared has: alone it
    covers too much for strong association in small tables and too little in large ones. It covers 93 to 97 % up to
    about V = 0.6, and is not given where an expected count is below 5.

    Parameters
    ----------
    counts : array_like
        A table of counts, conditions by outcomes, say; empty rows and columns are left out.
    rng : numpy.random.Generator, optional
        Where random tables come from.
    level : float
        Confidence level.

    Returns
    -------
    Association
        With a sentence.

    References
    ----------
    .. [1] Smithson (2003), Confidence Intervals, chapter 4.
    .. [2] Bishop, Fienberg and Holland (1975), Discrete Multivariate Analysis, section 11.3.

    Examples
    --------
    >>> found = chi_squared([[30, 10], [18, 22]])
    >>> round(found.statistic, 3), round(found.p, 4)
    (7.5, 0.0062)
    >>> print(found.association)
    0.29 [0.09, 0.52] (n=80, noncentral chi-squared, stretched)
    """
    check_level(level)
    known = _counts(counts)
    from scipy.stats import chi2_contingency, fisher_exact

    result = chi2_contingency(known, correction=False)
    smallest, p, test = float(result.expected_freq.min()), float(result.pvalue), "chi-squared"
    if smallest < LEAST_EXPECTED and known.shape == (2, 2):
        p, test = float(fisher_exact(known).pvalue), "Fisher's exact test"
    elif smallest < LEAST_EXPECTED:
        p, test = _random_p(known, float(result.statistic), rng=rng), "9999 random tables"
    association = _cramer(known, float(result.statistic), smallest=smallest, level=level)
    return Association(float(result.statistic), int(result.dof), p, test, association, smallest, level)


def goodness_of_fit(counts: ArrayLike, *, shares: ArrayLike | None = None, level: float = 0.95) -> Fit:
    """Test whether counts fit expected shares.

    Parameters
    ----------
    counts : array_like
        How often each outcome happened.
    shares : array_like, optional
        Expected share of each, summing to 1; all equal unless given.
    level : float
        One minus the chance of a false alarm that is accepted.

    Returns
    -------
    Fit
        With a sentence.

    Examples
    --------
    >>> print(goodness_of_fit([16, 18, 16, 14, 12, 12]))  # doctest: +NORMALIZE_WHITESPACE
    The counts may well be as expected: chance alone would give so large a misfit in about 85 of 100 such studies
    (chi-squared over 88 counts).
    """
    check_level(level)
    seen = numbers(counts, name="counts")
    expected = np.full(len(seen), 1 / max(1, len(seen))) if shares is None else numbers(shares, name="shares")
    if len(seen) < 2 or np.isnan(seen).any() or (seen < 0).any() or seen.sum() == 0:
        raise BadData(f"Give two or more counts of 0 or more, not all 0; got {seen.tolist()}.")
    if len(expected) != len(seen) or not (expected > 0).all() or abs(expected.sum() - 1) > 1e-6:
        raise BadData(f"Give a share above 0 for each of {len(seen)} counts, summing to 1; got {expected.tolist()}.")
    from scipy.stats import chisquare

    wanted = expected / expected.sum() * seen.sum()
    result = chisquare(seen, wanted)
    return Fit(
        float(result.statistic), len(seen) - 1, float(result.pvalue), int(seen.sum()), float(wanted.min()), level
    )


def _counts(counts: ArrayLike) -> Floats:
    known = table(counts, name="counts", rows="conditions", columns="outcomes")
    if np.isnan(known).any() or (known < 0).any() or (known != np.round(known)).any():
        raise BadData("A table of counts holds whole numbers of 0 or more, none unknown.")
    known = known[np.ix_(known.sum(axis=1) > 0, known.sum(axis=0) > 0)]
    if min(known.shape) < 2:
        raise BadData(
            f"A table needs 2 rows and 2 columns that are not empty; got {' by '.join(map(str, known.shape))}."
        )
    return known


def _random_p(known: Floats, statistic: float, *, rng: Generator | None) -> float:
    if rng is None:
        raise BadData(
            "An expected count is below 5, so p must come from random tables; "
            "hand in rng=numpy.random.default_rng(seed), or merge rare outcomes."
        )
    from scipy.stats import random_table

    rows, columns = known.sum(axis=1), known.sum(axis=0)
    expected = np.outer(rows, columns) / known.sum()
    drawn = random_table(rows.astype(int), columns.astype(int)).rvs(9999, random_state=rng)
    statistics = ((drawn - expected) ** 2 / expected).sum(axis=(1, 2))
    return float((1 + (statistics >= statistic - 1e-9).sum()) / (1 + len(drawn)))


def _cramer(known: Floats, statistic: float, *, smallest: float, level: float) -> Estimate:
    from scipy.special import chdtr, chndtrinc

    n, least = int(known.sum()), min(known.shape) - 1
    freedom = (known.shape[0] - 1) * (known.shape[1] - 1)
    strength = max(statistic - freedom, 0.0)
    value = float(min(1.0, np.sqrt(strength / (n * least))))
    if smallest < LEAST_EXPECTED:
        return without_interval(value, n=n, reason="an expected count is below 5")
    tails = ((1 + level) / 2, (1 - level) / 2)
    central = chdtr(freedom, statistic)
    low, high = (np.sqrt(chndtrinc(statistic, freedom, tail)) if central > tail else 0.0 for tail in tails)
    stretch = np.sqrt(max(n**2 * _variance(known), 2 * freedom) / (2 * freedom + 4 * strength))
    root = np.sqrt(strength)
    bounds = np.clip([root - (root - low) * stretch, root + (high - root) * stretch], 0, None) / np.sqrt(n * least)
    method = named("noncentral chi-squared, stretched", level=level)
    return Estimate(value, float(bounds[0]), float(min(1.0, bounds[1])), n, method)


def _variance(known: Floats) -> float:
    """Sampling variance of chi-squared over n, by the delta method."""
    share = known / known.sum()
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    slope = (
        2 * share / np.outer(rows, columns)
        - ((share**2 / columns).sum(axis=1) / rows**2)[:, None]
        - ((share**2 / rows[:, None]).sum(axis=0) / columns**2)[None, :]
    )
    return float(((share * slope**2).sum() - (share * slope).sum() ** 2) / known.sum())
