import numpy as np
import pytest
from scipy.stats import ttest_1samp

from mensura.stats import mean_estimate, skewed_mean_estimate, t_estimate

STUDIES = 1000


def test_interval_agrees_with_scipy():
    values = np.random.default_rng(1).normal(3, 2, size=12)
    expected = ttest_1samp(values, 0).confidence_interval(0.9)
    estimate = mean_estimate(values, level=0.9)
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high))
    assert estimate.method == "t, 90 %"


def test_unscored_values_do_not_count():
    assert mean_estimate([1, 2, np.nan, 4]) == mean_estimate([1, 2, 4])
    assert mean_estimate([1, 2, np.nan, 4]).n == 3


@pytest.mark.parametrize("estimate", [mean_estimate, skewed_mean_estimate, t_estimate])
def test_one_value_has_no_interval(estimate):
    one = estimate([0.4])
    assert (one.value, one.n, one.method) == (0.4, 1, "none: one value")
    assert np.isnan(one.low)
    assert np.isnan(one.high)
    assert not estimate([1]).has_interval


@pytest.mark.parametrize("estimate", [mean_estimate, skewed_mean_estimate, t_estimate])
def test_no_value_is_unknown(estimate):
    nothing = estimate([np.nan, np.nan])
    assert np.isnan(nothing.value)
    assert (nothing.n, nothing.method) == (0, "none: no values")


def test_equal_values_claim_no_zero_width():
    same = mean_estimate([0.1 + 0.2, 0.3, 0.3, 0.3, 0.3, 0.3])
    assert not same.has_interval
    assert same.method == "none: all 6 values are equal"
    assert skewed_mean_estimate([0.3] * 6).method == "none: all 6 values are equal"


def test_zeros_and_ones_are_a_proportion():
    assert mean_estimate([0, 0, 0, 0, 0]).method == "Wilson"
    assert mean_estimate([0, 0, 0, 0, 0]).high == pytest.approx(0.434, abs=0.001)
    assert skewed_mean_estimate([0, 0, 0, 0, 1]).method == "Wilson"


def test_skew_moves_the_interval_towards_the_long_tail():
    values = [0, 0.01, 0.01, 0.02, 0.04, 0.09, 0.3]
    plain, corrected = mean_estimate(values), skewed_mean_estimate(values)
    assert corrected.low > plain.low
    assert corrected.high > plain.high


def test_without_skew_the_correction_changes_nothing():
    values = [1, 2, 3, 4, 5, 6]
    plain, corrected = mean_estimate(values), skewed_mean_estimate(values)
    assert (corrected.low, corrected.high) == pytest.approx((plain.low, plain.high))


def test_few_values_get_the_plain_interval():
    assert skewed_mean_estimate([1, 2, 9]) == mean_estimate([1, 2, 9])


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 5, 20, 100])
def test_t_interval_covers_the_mean_of_normal_values(n):
    rng = np.random.default_rng([1, n])
    assert 0.93 < share_covered(mean_estimate, rng.normal(1, 3, size=(STUDIES, n)), truth=1) < 0.97


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 15, 20, 30, 50, 100])
@pytest.mark.parametrize("kind", ["normal", "exponential", "quadratic loss"])
def test_skew_corrected_interval_covers_the_mean(kind, n):
    rng = np.random.default_rng([2, n, len(kind)])
    values, truth = draw(kind, rng, (STUDIES, n))
    assert 0.93 <= share_covered(skewed_mean_estimate, values, truth=truth) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("n", "most"), [(10, 0.98), (15, 0.98), (50, 0.97), (100, 0.97)])
def test_skew_corrected_interval_of_uniform_values_errs_on_the_wide_side_if_at_all(n, most):
    values, truth = draw("uniform", np.random.default_rng([4, n]), (STUDIES, n))
    assert 0.94 <= share_covered(skewed_mean_estimate, values, truth=truth) <= most


@pytest.mark.slow
def test_plain_t_interval_falls_short_for_skewed_values_which_is_why_there_is_another():
    values, truth = draw("exponential", np.random.default_rng(3), (STUDIES, 10))
    assert share_covered(mean_estimate, values, truth=truth) < 0.92


def draw(kind, rng, shape):
    if kind == "normal":
        return rng.normal(size=shape), 0.0
    if kind == "uniform":
        return rng.random(shape), 0.5
    if kind == "exponential":
        return rng.exponential(size=shape), 1.0
    forecast = rng.random(shape)
    return (forecast - (rng.random(shape) < forecast)) ** 2, 1 / 6


def share_covered(estimate, studies, *, truth):
    estimates = [estimate(study) for study in studies]
    return np.mean([e.low <= truth <= e.high for e in estimates])
