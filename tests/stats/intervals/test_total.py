"""Totals of finite sets from a few of their units."""

import numpy as np
import pytest

from mensura.stats import total_estimate


def test_a_quantity_that_follows_the_size_is_known_but_for_rounding():
    every = np.arange(10.0, 110.0)
    sizes = every[::12]
    found = total_estimate(3 + 2 * sizes, sizes=sizes, all_sizes=every)
    assert found.value == pytest.approx(3 * 100 + 2 * every.sum())


def test_who_was_drawn_is_known():
    every = np.array([1.0, 5, 2, 8, 3, 9])
    values = np.array([2.0, 3, 9, 4, 4, 1])
    found = total_estimate(values, sizes=every, all_sizes=every)
    assert (found.value, found.low, found.high) == pytest.approx((23, 23, 23))


def test_without_sizes_that_differ_it_is_the_mean_times_the_number():
    found = total_estimate([1.0, 2, 3, float("nan")], sizes=[4, 4, 4, 4], all_sizes=[4] * 30)
    assert (found.value, found.n) == (60, 3)
    assert "mean" in found.method


def test_one_unit_has_no_error_estimate():
    found = total_estimate([2.0], sizes=[1], all_sizes=[1, 1, 1])
    assert (found.value, found.has_interval) == (6, False)


def test_interval_covers_the_total_at_nominal_rate():
    """Twenty of 200 units whose quantity grows with their size and is skewed beside it, as answers of models are."""
    rng = np.random.default_rng(5)
    covered, trials = 0, 400
    for _ in range(trials):
        sizes = rng.uniform(100, 1000, 200)
        values = 0.25 * sizes + rng.exponential(60, 200)
        drawn = rng.choice(200, 20, replace=False)
        found = total_estimate(values[drawn], sizes=sizes[drawn], all_sizes=sizes)
        covered += found.low <= values.sum() <= found.high
    assert 0.92 <= covered / trials <= 0.98
