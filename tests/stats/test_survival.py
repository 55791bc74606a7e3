import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import log_rank, survival_estimate

# Freireich and others (1963), weeks of remission with 6-MP and with placebo; numbers below by lifelines.
TREATED = [6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
ENDED = [1] * 9 + [0] * 12
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]


def test_the_curve_its_limits_and_the_median_are_those_of_lifelines():
    found = survival_estimate(TREATED, ended=ENDED)
    assert found.steps.tolist() == [6, 7, 10, 13, 16, 22, 23]
    assert found.height == pytest.approx(
        [0.857143, 0.806723, 0.752941, 0.690196, 0.627451, 0.537815, 0.448179], abs=1e-6
    )
    assert found.low == pytest.approx([0.619718, 0.563147, 0.503200, 0.431610, 0.367511, 0.267779, 0.188052], abs=1e-6)
    assert found.high == pytest.approx([0.951552, 0.922809, 0.889362, 0.849066, 0.804912, 0.746791, 0.680143], abs=1e-6)
    assert (found.median.value, found.median.low, found.median.high) == (23, 13, np.inf)
    assert "beyond the watching" in found.median.note


def test_a_median_without_censoring_is_that_of_lifelines():
    median = survival_estimate(PLACEBO, ended=[1] * 21).median
    assert (median.value, median.low, median.high) == (8, 4, 11)


def test_the_log_rank_test_is_that_of_lifelines_whatever_the_order_of_groups():
    groups = {"treated": (TREATED, ENDED), "placebo": (PLACEBO, [1] * 21)}
    found = log_rank(groups)
    assert found.statistic == pytest.approx(16.792940989216547)
    assert found.p == pytest.approx(4.168809109334511e-05)
    assert log_rank(dict(reversed(groups.items()))).statistic == pytest.approx(found.statistic)
    assert sum(found.expected) == pytest.approx(sum(found.observed))


def test_the_interval_of_the_median_covers_within_the_error_of_400_studies():
    rng, hits = np.random.default_rng(4), 0
    for _ in range(400):
        times, cut = rng.exponential(size=40), rng.uniform(0.5, 3, size=40)
        hits += not survival_estimate(np.minimum(times, cut), ended=times <= cut).median.excludes(np.log(2))
    assert 0.93 - 0.04 <= hits / 400 <= 0.97 + 0.026


def test_nobody_ended_is_no_median_and_no_comparison():
    found = survival_estimate([5, 5, 5], ended=[0, 0, 0])
    assert np.isnan(found.median.value)
    assert "no median" in found.sentence
    assert "cannot be told" in log_rank({"a": ([5, 5], [0, 0]), "b": ([5, 5], [0, 0])}).sentence


@pytest.mark.parametrize(("times", "ended"), [([1, 2], [1]), ([], []), ([-1], [1]), ([1], [2])])
def test_times_that_make_no_sense_are_refused(times, ended):
    with pytest.raises(BadData):
        survival_estimate(times, ended=ended)
