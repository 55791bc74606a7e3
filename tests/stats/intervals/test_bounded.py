"""Intervals of means with two bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.stats import Scale, bounded_interval, proportion_estimate, rule_of_three, unit_estimate

shares = st.lists(st.floats(0, 1).map(lambda share: round(share, 6)), min_size=2, max_size=30)


@pytest.mark.parametrize(("right", "n"), [(0, 10), (1, 10), (7, 20), (81, 263), (20, 20)])
def test_single_answers_have_clopper_and_pearson_s_interval(right, n):
    exact = proportion_estimate(right, n=n, method="Clopper-Pearson")
    found = unit_estimate([1.0] * right + [0.0] * (n - right), unit="item", scale=Scale(binary=True))
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))


def test_a_known_variance_is_an_effective_n():
    exact = proportion_estimate(30, n=40, method="Clopper-Pearson")
    found = bounded_interval(0.75, variance=0.75 * 0.25 / 40, freedom=float("inf"))
    assert found == pytest.approx((exact.low, exact.high))


def test_the_rule_of_three_is_clopper_and_pearson_s_at_the_ends():
    assert rule_of_three(1.0, n=5) == pytest.approx((0.025**0.2, 1.0))
    assert rule_of_three(0.0, n=100)[1] == pytest.approx(3.69 / 100, rel=0.02)


@given(shares, st.sampled_from([Scale(0, 1), Scale(-3, 40)]))
def test_intervals_lie_inside_the_bounds_around_the_mean_and_are_never_empty(values, scale):
    values = [scale.value(value) for value in values]
    found = unit_estimate(values, scale=scale)
    assert scale.low <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= scale.high
    assert found.high - found.low > 1e-6


@given(shares)
def test_intervals_mirror(values):
    one, other = unit_estimate(values, scale=Scale(0, 1)), unit_estimate(1 - np.array(values), scale=Scale(0, 1))
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-6)


def test_more_confidence_is_wider():
    values = [0.2, 0.4, 0.4, 0.7, 0.6]
    narrow, wide = (unit_estimate(values, scale=Scale(0, 1), level=level) for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert wide.method.endswith("over 5 sessions, 99 %")


def test_values_that_are_all_alike_are_never_of_zero_width():
    for value in (0.0, 0.3, 1.0):
        found = unit_estimate([value] * 6, scale=Scale(0, 1))
        assert found.high - found.low > 0.4
        assert found.method == "rule of three over 6 sessions"


def test_a_bound_too_near_0_for_a_number_is_0():
    assert bounded_interval(1e-5, variance=1e-7, freedom=5.0)[0] == 0.0
