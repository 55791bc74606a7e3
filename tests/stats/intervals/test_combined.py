"""Sums of proportions that were counted apart: known values, and intervals that cover."""

import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import combined_proportions


def test_the_sum_is_that_of_the_shares_and_the_interval_holds_it_within_bounds():
    found = combined_proportions([(20, 20), (0, 20)], weights=[0.5, 0.25], shift=0.1)
    assert found.value == pytest.approx(0.6)
    assert 0.1 <= found.low < found.value < found.high <= 0.85
    assert found.n == 40


@pytest.mark.parametrize("right", [0, 5])
def test_where_all_trials_agree_the_interval_is_one_sided_and_not_empty(right):
    found = combined_proportions([(right, 5)] * 4, weights=[0.25] * 4)
    assert (found.low == found.value) == (right == 0)
    assert (found.high == found.value) == (right == 5)
    assert found.high - found.low > 0.05


@pytest.mark.parametrize(
    ("counts", "weights", "words"),
    [
        ([(1, 2)], [1, 1], "needs a weight"),
        ([(1, 2)], [-1], "needs a weight"),
        ([(3, 2)], [1], "between 0 and the number of trials"),
        ([(0, 0)], [1], "at least 1"),
    ],
)
def test_what_cannot_be_summed_is_said(counts, weights, words):
    with pytest.raises(BadData, match=words):
        combined_proportions(counts, weights=weights)


def test_nothing_counted_is_unknown():
    assert np.isnan(combined_proportions([], weights=[]).value)
