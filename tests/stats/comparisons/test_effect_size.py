import numpy as np
import pytest
from scipy.stats import mannwhitneyu, nct, norm, ttest_ind

from mensura.stats import hedges_g, paired_effect, superiority

STUDIES = 500


def test_hedges_g_takes_the_bias_out_of_cohens_d():
    first, second = np.array([3.0, 4, 5, 6, 7]), np.array([1.0, 2, 3, 4, 5])
    d = 2 / np.sqrt(2.5)
    # Hedges (1981): J(8) = 0.9027 to four places.
    assert hedges_g(first=first, second=second).value / d == pytest.approx(0.9027, abs=0.0001)


def test_bounds_are_the_noncentralities_that_put_t_at_the_tails():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.7, 1, size=14), rng.normal(size=9)
    estimate = hedges_g(first=first, second=second)
    t = ttest_ind(first, second).statistic
    scale = np.sqrt(1 / 14 + 1 / 9)
    assert nct.cdf(t, 21, estimate.low / scale) == pytest.approx(0.975, abs=1e-5)
    assert nct.cdf(t, 21, estimate.high / scale) == pytest.approx(0.025, abs=1e-5)


def test_a_swap_turns_the_sign():
    first, second = [3, 4, 6, 9], [1, 2, 2, 4]
    one, other = hedges_g(first=first, second=second), hedges_g(first=second, second=first)
    assert (one.value, one.low) == pytest.approx((-other.value, -other.high))


def test_too_few_or_equal_values_have_no_effect_size():
    assert np.isnan(hedges_g(first=[1], second=[2]).value)
    assert hedges_g(first=[1, 1], second=[2, 2]).method == "none: the values do not vary"
    assert hedges_g(first=[1, 2], second=[2]).method == "none: too few values"
    assert paired_effect(first=[1], second=[2]).method == "none: too few values"
    assert paired_effect(first=[1, 2], second=[2, 3]).method == "none: the differences do not vary"


def test_superiority_is_mann_whitneys_u():
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 8, size=30), rng.integers(2, 9, size=20)
    expected = mannwhitneyu(first, second).statistic / 600
    assert superiority(first=first, second=second).value == pytest.approx(expected)


def test_superiority_without_an_interval_says_why():
    assert superiority(first=[], second=[1]).method == "none: too few values"
    assert superiority(first=[1, 2], second=[1]).method == "none: needs at least 15 values on each side"
    apart = superiority(first=np.arange(20) + 100, second=np.arange(20))
    assert (apart.value, apart.method) == (1, "none: the samples do not overlap")
    same = superiority(first=np.ones(20), second=np.ones(20))
    assert (same.value, same.method) == (0.5, "none: the values do not vary")


@pytest.mark.slow
@pytest.mark.parametrize(("n", "truth"), [(5, 0.5), (20, 0.0), (20, 1.0), (60, 0.3)])
def test_interval_of_hedges_g_covers(n, truth):
    rng = np.random.default_rng([3, n])
    estimates = [hedges_g(first=rng.normal(truth, 1, size=n), second=rng.normal(size=n + 3)) for _ in range(STUDIES)]
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97
    assert np.mean([e.value for e in estimates]) == pytest.approx(truth, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "truth"), [(5, 0.5), (20, 1.0), (60, 0.3)])
def test_interval_of_the_paired_effect_covers(n, truth):
    rng = np.random.default_rng([4, n])
    estimates = [paired_effect(first=rng.normal(truth, 1, size=n), second=np.zeros(n)) for _ in range(STUDIES)]
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m", "shift"), [(15, 15, 0.5), (20, 20, 0.0), (20, 40, 1.0), (50, 50, 2.0)])
def test_interval_of_superiority_covers(n, m, shift):
    rng = np.random.default_rng([5, n, m])
    truth = norm.cdf(shift / np.sqrt(2))
    estimates = [superiority(first=rng.normal(shift, 1, size=n), second=rng.normal(size=m)) for _ in range(STUDIES)]
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97
