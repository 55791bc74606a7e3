"""Permutation tests of a difference between means, exact where the sample is small."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mensura.errors import BadData
from mensura.stats.finding import Finding
from mensura.stats.sample import Values, observed, pairs
from mensura.stats.wording import figure, frequency

EXACT = 20_000


@dataclass(frozen=True, slots=True)
class Permutation(Finding):
    """How often chance alone gives a difference of means as large as the one seen, on either side."""

    difference: float
    p: float
    n: int
    permutations: int
    exact: bool

    @property
    def sentence(self) -> str:
        """Say it in plain words."""
        if not self.permutations:
            return "There is nothing to permute: too few values are known."
        how = "all" if self.exact else "random"
        return (
            f"The means differ by {figure(self.difference)}; were there no difference, chance alone would give one "
            f"this large in {frequency(self.p)} such studies ({how} {self.permutations} permutations)."
        )


def paired_permutation(
    *, first: Values, second: Values, rng: Generator | None = None, resamples: int = 9999
) -> Permutation:
    """Test the mean difference of paired scores by exchanging the two scores of items at random.

    All exchanges are tried up to 14 items that differ (exact); beyond that `resamples` random ones are drawn from
    `rng`, and p counts the observed one too, so it is never zero [1]_. For scores 0 and 1 this is McNemar's exact
    test.

    Parameters
    ----------
    first, second : array_like or mapping
        Scores of the same items; pairs with a NaN are dropped.
    rng : numpy.random.Generator, optional
        Where chance comes from; not needed where the test is exact.
    resamples : int
        How many random exchanges.

    Returns
    -------
    Permutation
        The mean difference and its two-sided p.

    References
    ----------
    .. [1] Phipson and Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9, 39.

    Examples
    --------
    >>> paired_permutation(first=[1, 1, 1, 1, 1], second=[0, 0, 0, 0, 0]).p
    0.0625
    """
    left, right, _ = pairs(first=first, second=second)
    differences = left - right
    # Ties give the same mean however they are exchanged; without them more samples can be enumerated.
    moving = differences[differences != 0]
    n = len(differences)
    if n == 0:
        return Permutation(float("nan"), float("nan"), 0, 0, True)
    if len(moving) == 0:
        return Permutation(0.0, 1.0, n, 1, True)

    def total(values: NDArray[np.float64], axis: int = -1) -> Any:
        return values.sum(axis=axis)

    p, tried, exact = _test((moving,), total, kind="samples", distinct=2 ** len(moving), rng=rng, resamples=resamples)
    return Permutation(float(differences.mean()), p, n, tried, exact)


def two_sample_permutation(
    *, first: ArrayLike, second: ArrayLike, rng: Generator | None = None, resamples: int = 9999
) -> Permutation:
    """Test the difference between the means of two independent samples by dealing the values anew.

    Parameters
    ----------
    first, second : array_like
        Independent observations; NaN is dropped.
    rng : numpy.random.Generator, optional
        Where chance comes from; not needed where all deals can be tried (up to 20 000).
    resamples : int
        How many random deals.

    Returns
    -------
    Permutation
        The difference of means (first minus second) and its two-sided p.

    Examples
    --------
    >>> two_sample_permutation(first=[4, 5, 6, 7], second=[0, 1, 2, 3]).p
    0.02857142857142857
    """
    if isinstance(first, Mapping) or isinstance(second, Mapping):
        raise BadData(
            "Two independent samples are lists of numbers; got a mapping. Use `paired_permutation` for items."
        )
    left, right = observed(first, name="first values"), observed(second, name="second values")
    n = len(left) + len(right)
    if len(left) == 0 or len(right) == 0:
        return Permutation(float("nan"), float("nan"), n, 0, True)

    def difference(one: NDArray[np.float64], other: NDArray[np.float64], axis: int = -1) -> Any:
        return one.mean(axis=axis) - other.mean(axis=axis)

    p, tried, exact = _test(
        (left, right), difference, kind="independent", distinct=comb(n, len(left)), rng=rng, resamples=resamples
    )
    return Permutation(float(left.mean() - right.mean()), p, n, tried, exact)


def _test(
    data: tuple[NDArray[np.float64], ...],
    statistic: Any,
    *,
    kind: str,
    distinct: int,
    rng: Generator | None,
    resamples: int,
) -> tuple[float, int, bool]:
    exact = distinct <= EXACT
    if not exact and rng is None:
        raise BadData(
            f"There are {distinct} permutations, too many to try all; hand in rng=numpy.random.default_rng(seed) "
            "to draw some at random."
        )
    from scipy.stats import permutation_test

    result = permutation_test(
        data,
        statistic,
        permutation_type=kind,
        vectorized=True,
        n_resamples=max(EXACT, distinct) if exact else resamples,
        batch=max(1, 2_000_000 // sum(len(part) for part in data)),
        rng=rng,
        axis=-1,
    )
    return float(result.pvalue), distinct if exact else resamples, exact
