"""Permutation tests of a difference between means, exact where the sample is small."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats, Values, observed, pairs
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
        """Return it as a sentence."""
        if not self.permutations:
            return "There is nothing to permute: too few values are known."
        how = "all" if self.exact else f"{self.permutations} random"
        return (
            f"The means differ by {figure(self.difference)}; if there were no difference, chance alone would give one "
            f"this large in {frequency(self.p)} such studies ({how} permutations)."
        )


def paired_permutation(
    *, first: Values, second: Values, rng: Generator | None = None, resamples: int = 9999
) -> Permutation:
    """Test the mean difference of paired scores by exchanging the two scores of items at random.

    All exchanges are tried up to 14 items that differ (exact); beyond that `resamples` random ones are drawn from
    `rng`, and p counts the observed one too, so it is never zero [1]_. Where all differences are of one size, as for
    scores 0 and 1, this is McNemar's exact test and needs no drawing for any number of items.

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
    n = len(differences)
    if n == 0:
        return Permutation(float("nan"), float("nan"), 0, 0, True)
    # Ties give the same mean however they are exchanged; without them more samples can be enumerated.
    moving = differences[differences != 0]
    difference, distinct = float(differences.mean()), 2 ** len(moving)
    if len(np.unique(np.abs(moving))) <= 1:
        return Permutation(difference, _sign_test(moving), n, distinct, True)
    if exact := distinct <= EXACT:
        sums = (1 - 2 * ((np.arange(distinct)[:, None] >> np.arange(len(moving))) & 1)) @ moving
    else:
        generator = rng_for(distinct, rng)
        blocks = _blocks(resamples, width=len(moving))
        sums = np.concatenate([(1 - 2 * generator.integers(2, size=(rows, len(moving)))) @ moving for rows in blocks])
    return Permutation(difference, _share(sums, moving.sum(), exact), n, len(sums), exact)


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
        raise BadData("Independent samples are lists of numbers; got a mapping. Use `paired_permutation` for items.")
    left, right = observed(first, name="first values"), observed(second, name="second values")
    n = len(left) + len(right)
    if len(left) == 0 or len(right) == 0:
        return Permutation(float("nan"), float("nan"), n, 0, True)

    together, distinct = np.concatenate([left, right]), comb(n, len(left))
    if exact := distinct <= EXACT:
        chosen = np.array(list(combinations(range(n), len(left))))
        sums = together[chosen].sum(axis=1)
    else:
        generator = rng_for(distinct, rng)
        dealt = (generator.permuted(np.tile(together, (rows, 1)), axis=1) for rows in _blocks(resamples, width=n))
        sums = np.concatenate([block[:, : len(left)].sum(axis=1) for block in dealt])
    # The mean of all values is fixed, so means differ most where the sum of the first is farthest from its share.
    centre = together.mean() * len(left)
    p = _share(sums - centre, left.sum() - centre, exact)
    return Permutation(float(left.mean() - right.mean()), p, n, len(sums), exact)


def rng_for(distinct: int, rng: Generator | None) -> Generator:
    """Return the generator, or raise where this number of permutations needs one."""
    if rng is None:
        raise BadData(
            f"There are {distinct:.3g} permutations, too many to try all; hand in rng=numpy.random.default_rng(seed) "
            "to draw some at random."
        )
    return rng


def _blocks(resamples: int, *, width: int) -> list[int]:
    """Cut the resamples into blocks of rows that keep memory within some tens of megabytes."""
    rows = max(1, 2_000_000 // width)
    return [min(rows, resamples - start) for start in range(0, resamples, rows)]


def _share(drawn: Floats, seen: float, exact: bool) -> float:
    # Sums of the same numbers in another order differ in their last digits and are still as large.
    tolerance = 1e-12 * float(np.abs(drawn).max())
    extreme = int((np.abs(drawn) >= abs(seen) - tolerance).sum())
    return extreme / len(drawn) if exact else (extreme + 1) / (len(drawn) + 1)


def _sign_test(moving: Floats) -> float:
    from scipy.special import bdtr

    fewer = min(int((moving > 0).sum()), int((moving < 0).sum()))
    return min(1.0, 2 * float(bdtr(fewer, len(moving), 0.5)))
