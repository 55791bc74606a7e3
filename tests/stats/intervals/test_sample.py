import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats.intervals.sample import (
    check_level,
    check_names,
    groups_of,
    is_constant,
    numbers,
    observed,
    pairs,
    table,
)


def test_words_are_refused_with_what_was_expected():
    with pytest.raises(BadData, match="must be numbers, or NaN where unknown"):
        observed(["high"])


def test_infinite_scores_are_refused_with_their_place():
    with pytest.raises(BadData, match=r"got -inf at position 1\. Score such answers with a bounded score"):
        observed([0.0, -np.inf])


def test_a_table_is_not_a_sample():
    with pytest.raises(BadData, match=r"shape \(2, 2\)"):
        numbers([[1, 2], [3, 4]])


def test_a_single_number_is_a_sample_of_one():
    assert observed(3).tolist() == [3.0]


@pytest.mark.parametrize(
    ("values", "message"),
    [([1, 2], "must be a table of raters by items"), ([[1, np.inf]], "must be finite"), ([["x"]], "must be numbers")],
)
def test_a_table_refuses_what_it_cannot_hold(values, message):
    with pytest.raises(BadData, match=message):
        table(values, name="ratings", rows="raters", columns="items")


def test_pairs_are_matched_by_position_and_unknown_ones_counted():
    left, right, unmatched = pairs(first=[1, 2, np.nan, 4], second=[5, np.nan, 7, 8])
    assert (left.tolist(), right.tolist(), unmatched) == ([1, 4], [5, 8], 2)


def test_pairs_of_different_length_are_refused():
    with pytest.raises(BadData, match="got 2 and 3"):
        pairs(first=[1, 2], second=[1, 2, 3])


def test_a_list_does_not_pair_with_a_mapping():
    with pytest.raises(BadData, match="got one each"):
        pairs(first=[1, 2], second={"a": 1})


def test_nothing_is_not_constant():
    assert not is_constant(np.array([]))
    assert is_constant(np.zeros(3))


def test_a_comparison_needs_two_groups_with_enough_values():
    with pytest.raises(BadData, match="at least two groups; got 1"):
        groups_of({"a": [1, 2]})
    with pytest.raises(BadData, match="at least 2 known values; b has 1"):
        groups_of({"a": [1, 2], "b": [3, np.nan]})


def test_a_level_is_a_share():
    assert check_level(0.9) == 0.9
    with pytest.raises(BadData, match="got 95"):
        check_level(95)


def test_names_are_two():
    with pytest.raises(BadData, match="Give two names"):
        check_names("ab")
