"""Comparison of two independent samples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import hypot

import numpy as np
from numpy.typing import ArrayLike

from mensura.stats.comparisons.effect_size import hedges_g, superiority
from mensura.stats.comparisons.multiplicity import Adjusted, holm
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE, unit_estimate
from mensura.stats.intervals.mean import mean_estimate, t_estimate
from mensura.stats.intervals.proportion import proportion_estimate
from mensura.stats.intervals.sample import Floats, check_level, check_names, groups_of, is_binary, is_constant, observed
from mensura.stats.scale import Scale
from mensura.stats.wording import compared, several


@dataclass(frozen=True, slots=True)
class TwoSampleDifference(Finding):
    """The difference of two groups.

    `difference` is first minus second, `p` goes with it (Welch's t, or Fisher's exact test for 0 and 1, as `test`
    says); `p_rank` is Mann and Whitney's, `effect` is Hedges' g, `superiority` the chance that one of the first
    exceeds one of the second.
    """

    names: tuple[str, str]
    first: Estimate
    second: Estimate
    difference: Estimate
    effect: Estimate
    superiority: Estimate
    p: float
    test: str
    p_rank: float
    level: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        first, second = self.names
        counts = f"({self.first.n} against {several(self.second.n, 'value')})"
        if not self.difference.has_interval:
            why = self.difference.method.removeprefix("none: ")
            return f"{first} and {second} {counts} cannot be compared: {why}."
        return compared(names=self.names, difference=self.difference, p=self.p, over=counts, level=self.level)


@dataclass(frozen=True, slots=True)
class PairwiseDifferences(Finding):
    """Every group against every other, with p-values adjusted for their number by Holm."""

    comparisons: tuple[TwoSampleDifference, ...]
    adjusted: Adjusted

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        found = [
            " and ".join(comparison.names)
            for comparison, kept in zip(self.comparisons, self.adjusted.kept, strict=True)
            if kept
        ]
        differing = f"These differ: {'; '.join(found)}." if found else "No two groups are shown to differ."
        return f"{differing} {self.adjusted.sentence}"


def two_sample_difference(
    *,
    first: ArrayLike,
    second: ArrayLike,
    names: Sequence[str] = ("A", "B"),
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> TwoSampleDifference:
    """Compare two independent groups.

    The interval is Welch's [1]_, for groups of unequal spread; where all values are 0 or 1 it is Newcombe's [2]_,
    from the Wilson intervals of both shares. On a scale with two bounds it is made from the intervals of both means in
    the same way (MOVER), and no interval leaves the scale.

    Parameters
    ----------
    first, second : array_like
        Independent observations; NaN is dropped.
    names : sequence of str
        What to call the two in the sentence.
    scale : Scale
        What the values can be.
    level : float
        Confidence level.

    Returns
    -------
    TwoSampleDifference
        Both means, their difference, effect sizes, p-values, and a sentence.

    References
    ----------
    .. [1] Welch (1947), Biometrika 34, 28-35.
    .. [2] Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.

    Examples
    --------
    >>> found = two_sample_difference(first=[7, 8, 6, 9, 8], second=[5, 6, 4, 6, 5], names=("ada", "bob"))
    >>> print(found.difference)
    2.4 [0.9, 3.9] (n=10, Welch's t)
    >>> print(two_sample_difference(first=[4, 5], second=[2, 3], scale=Scale(1, 7)).difference.method)
    MOVER
    """
    check_level(level)
    left, right = observed(first, name="first values"), observed(second, name="second values")
    # Values that are all equal may be anything; only where both 0 and 1 occur is a share to be seen.
    both = np.concatenate([left, right])
    binary = not scale.is_bounded and is_binary(both) and not is_constant(both) and min(len(left), len(right)) > 1
    estimate = partial(unit_estimate, unit="value", scale=scale) if scale.is_bounded else t_estimate
    estimate = mean_estimate if binary else estimate
    difference = _newcombe(left, right, level=level) if binary else _welch(left, right, level=level)
    if scale.is_bounded and difference.has_interval:
        difference = _added(estimate(left, level=level), estimate(right, level=level), named("MOVER", level=level))
    return TwoSampleDifference(
        names=check_names(names),
        first=estimate(left, level=level),
        second=estimate(right, level=level),
        difference=difference,
        effect=hedges_g(first=left, second=right, level=level),
        superiority=superiority(first=left, second=right, level=level),
        p=_p(left, right, binary=binary) if difference.has_interval else float("nan"),
        test="Fisher's exact test" if binary else "Welch's t",
        p_rank=_p_of_ranks(left, right),
        level=level,
    )


def pairwise_differences(
    groups: Mapping[str, ArrayLike], *, scale: Scale = ANYWHERE, level: float = 0.95
) -> PairwiseDifferences:
    """Compare every group with every other one.

    Parameters
    ----------
    groups : mapping
        The values of each group by its name; NaN is dropped.
    scale : Scale
        What the values can be.
    level : float
        Confidence level of each interval; the p-values are adjusted by Holm, the intervals are not.

    Returns
    -------
    PairwiseDifferences
        One comparison for each pair.

    Examples
    --------
    >>> print(pairwise_differences({"a": [1, 2, 3], "b": [1, 3, 2], "c": [8, 9, 9]}))  # doctest: +NORMALIZE_WHITESPACE
    These differ: a and c; b and c. 2 of 3 differences are significant after Holm: the chance that any of these is
    a false alarm is at most 0.05.
    """
    known = groups_of(groups)
    comparisons = tuple(
        two_sample_difference(first=known[one], second=known[other], names=(one, other), scale=scale, level=level)
        for one, other in combinations(known, 2)
    )
    return PairwiseDifferences(comparisons, holm([comparison.p for comparison in comparisons], level=1 - level))


def _welch(left: Floats, right: Floats, *, level: float) -> Estimate:
    n = len(left) + len(right)
    if min(len(left), len(right)) == 0:
        return without_interval(float("nan"), n=n, reason="one side has no known values")
    value = float(left.mean() - right.mean())
    if min(len(left), len(right)) == 1:
        return without_interval(value, n=n, reason="one side has a single value")
    if is_constant(left) and is_constant(right):
        return without_interval(value, n=n, reason="the values do not vary within either side")
    from scipy.special import stdtrit

    error, freedom = _welch_error(left, right)
    half = error * float(stdtrit(freedom, (1 + level) / 2))
    return Estimate(value, value - half, value + half, n, named("Welch's t", level=level))


def _welch_error(left: Floats, right: Floats) -> tuple[float, float]:
    one, other = left.var(ddof=1) / len(left), right.var(ddof=1) / len(right)
    freedom = (one + other) ** 2 / (one**2 / (len(left) - 1) + other**2 / (len(right) - 1))
    return float(np.sqrt(one + other)), float(freedom)


def _newcombe(left: Floats, right: Floats, *, level: float) -> Estimate:
    one = proportion_estimate(int(left.sum()), n=len(left), level=level)
    other = proportion_estimate(int(right.sum()), n=len(right), level=level)
    return _added(one, other, named("Newcombe", level=level))


def _added(one: Estimate, other: Estimate, method: str) -> Estimate:
    """Make the interval of a difference from those of both sides, their distances squared and added."""
    value = one.value - other.value
    low = value - hypot(one.value - one.low, other.high - other.value)
    high = value + hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, low, high, one.n + other.n, method)


def _p(left: Floats, right: Floats, *, binary: bool) -> float:
    if not binary:
        # As scipy's ttest_ind, which warns of lost precision wherever one side does not vary at all.
        from scipy.special import stdtr

        error, freedom = _welch_error(left, right)
        return 2 * float(stdtr(freedom, -abs(left.mean() - right.mean()) / error))
    from scipy.stats import fisher_exact

    counts = [[int(side.sum()), len(side) - int(side.sum())] for side in (left, right)]
    return float(fisher_exact(counts).pvalue)


def _p_of_ranks(left: Floats, right: Floats) -> float:
    if min(len(left), len(right)) == 0:
        return float("nan")
    if is_constant(np.concatenate([left, right])):
        return 1.0
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(left, right).pvalue)
