import numpy as np
import pytest
from scipy.stats import ttest_1samp

from mensura.stats import ratio_estimate


def test_bounds_are_the_ratios_at_which_the_difference_is_just_significant():
    rng = np.random.default_rng(1)
    below = rng.normal(10, 1, size=15)
    above = 0.6 * below + rng.normal(0, 1, size=15)
    estimate = ratio_estimate(numerator=above, denominator=below)
    for bound in (estimate.low, estimate.high):
        assert ttest_1samp(above - bound * below, 0).pvalue == pytest.approx(0.05)
    assert estimate.value == pytest.approx(above.mean() / below.mean())


def test_without_bounds_it_says_why():
    assert np.isnan(ratio_estimate(numerator=[], denominator=[]).value)
    assert ratio_estimate(numerator=[1, 2], denominator=[2, 3]).method == "none: a ratio needs at least three units"
    assert ratio_estimate(numerator=[1, 2, 3], denominator=[-5, 0, 6]).method == "none: the denominator may be zero"
    assert ratio_estimate(numerator=[9, 10, 11], denominator=[18, 20, 22]).method == "none: the ratio never varied"
    assert np.isnan(ratio_estimate(numerator=[1, 2, 3], denominator=[-1, 0, 1]).value)


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 15, 50])
def test_interval_covers(n):
    rng = np.random.default_rng([2, n])
    covered = []
    for _ in range(1000):
        below = rng.normal(5, 1, size=n)
        above = rng.normal(3, 1, size=n) + 0.5 * (below - 5)
        estimate = ratio_estimate(numerator=above, denominator=below)
        covered.append(estimate.low <= 0.6 <= estimate.high)
    assert 0.93 <= np.mean(covered) <= 0.97
