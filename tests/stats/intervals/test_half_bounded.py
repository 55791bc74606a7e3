"""Intervals of means with one bound."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.stats import Scale, half_bounded_interval, unit_estimate
from mensura.stats.intervals.half_bounded import skewness_of_mean
from mensura.stats.intervals.mean import number_estimate


@pytest.mark.parametrize(("count", "low", "high"), [(1, 0.0253, 5.572), (10, 4.795, 18.39), (100, 81.36, 121.63)])
def test_a_count_has_its_exact_poisson_interval(count, low, high):
    found = half_bounded_interval(count, variance=count, freedom=float("inf"))
    assert found == pytest.approx((low, high), rel=1e-3)


@given(st.lists(st.floats(0, 1000, allow_subnormal=False), min_size=2, max_size=20))
def test_intervals_stay_above_the_bound_and_mirror_for_upper_bounds(values):
    found = unit_estimate(values, scale=Scale(low=0))
    mirrored = unit_estimate([-value for value in values], scale=Scale(high=0))
    if not found.has_interval:
        assert "gave the same value" in found.note
        return
    assert 0 <= found.low < found.value < found.high
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))


def test_values_far_from_the_bound_have_nearly_the_t_interval():
    values = np.random.default_rng(1).normal(1000, 1, size=200)
    found, plain = unit_estimate(values, scale=Scale(low=0)), number_estimate(values)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.1)


def test_values_that_are_all_alike_have_no_interval():
    found = unit_estimate([0.0] * 9, scale=Scale(low=0))
    assert not found.has_interval
    assert found.method == "none: all of 9 sessions are equal"
    assert found.note.startswith("All 9 sessions gave the same")


def test_few_values_do_not_show_their_skewness():
    assert skewness_of_mean(np.array([0.0, 0, 0, 1])) == 0
    assert skewness_of_mean(np.array([2.0] * 8)) == 0
