import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, mannwhitneyu, ttest_ind
from statsmodels.stats.proportion import confint_proportions_2indep

from mensura.errors import BadData
from mensura.stats import Scale, pairwise_differences, two_sample_difference

STUDIES = 500


def test_difference_and_p_agree_with_scipy():
    rng = np.random.default_rng(1)
    first, second = rng.normal(1, 2, size=12), rng.normal(0, 1, size=30)
    found = two_sample_difference(first=first, second=second)
    expected = ttest_ind(first, second, equal_var=False)
    interval = expected.confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx((interval.low, interval.high))
    assert found.p == pytest.approx(expected.pvalue)
    assert found.p_rank == pytest.approx(mannwhitneyu(first, second).pvalue)
    assert (found.test, found.difference.n) == ("Welch's t", 42)


def test_shares_get_newcombes_interval_and_fishers_test():
    first, second = [1] * 56 + [0] * 14, [1] * 48 + [0] * 32
    found = two_sample_difference(first=first, second=second)
    # Newcombe (1998), table II, method 10 for 56 of 70 against 48 of 80: 0.0524 to 0.3339.
    assert (found.difference.low, found.difference.high) == pytest.approx((0.0524, 0.3339), abs=0.00005)
    expected = confint_proportions_2indep(56, 70, 48, 80, method="newcomb")
    assert (found.difference.low, found.difference.high) == pytest.approx(expected)
    assert found.p == pytest.approx(fisher_exact([[56, 14], [48, 32]]).pvalue)
    assert found.test == "Fisher's exact test"


def test_a_difference_is_said_in_words():
    found = two_sample_difference(first=[7, 8, 6, 9, 8], second=[5, 6, 4, 6, 5], names=("ada", "bob"))
    assert found.sentence.startswith("ada scores higher than bob by 2.4 [0.9, 3.9] (5 against 5 values);")


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ([], [1, 2], "one side has no known values"),
        ([3], [1, 2], "one side has a single value"),
        ([3, 3], [2, 2], "the values do not vary within either side"),
    ],
)
def test_what_cannot_be_compared_says_why(first, second, why):
    found = two_sample_difference(first=first, second=second)
    assert found.sentence.endswith(f"cannot be compared: {why}.")
    assert np.isnan(found.p)


def test_ranks_of_equal_values_show_nothing():
    assert two_sample_difference(first=[3, 3], second=[3, 3]).p_rank == 1
    assert np.isnan(two_sample_difference(first=[], second=[3]).p_rank)


def test_pairwise_p_values_are_adjusted_for_their_number():
    rng = np.random.default_rng(2)
    groups = {"a": rng.normal(0, 1, 30), "b": rng.normal(0, 1, 30), "c": rng.normal(2, 1, 30)}
    found = pairwise_differences(groups)
    assert [c.names for c in found.comparisons] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found.adjusted.kept == (False, True, True)
    assert found.sentence.startswith("These differ: a and c; b and c.")


def test_pairwise_says_where_nothing_differs():
    found = pairwise_differences({"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]})
    assert found.sentence.startswith("No two groups are shown to differ.")
    with pytest.raises(BadData, match="at least two groups"):
        pairwise_differences({"a": [1, 2]})


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m", "spread"), [(3, 5, 1), (10, 10, 3), (10, 40, 3), (40, 10, 3)])
def test_welch_interval_covers_whatever_the_spreads(n, m, spread):
    rng = np.random.default_rng([3, n, m])
    covered = []
    for _ in range(STUDIES):
        found = two_sample_difference(first=rng.normal(0.5, spread, size=n), second=rng.normal(0, 1, size=m))
        covered.append(found.difference.low <= 0.5 <= found.difference.high)
    assert 0.93 <= np.mean(covered) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m", "share", "other"), [(15, 40, 0.5, 0.5), (50, 50, 0.9, 0.8)])
def test_newcombe_interval_covers(n, m, share, other):
    rng = np.random.default_rng([4, n, m])
    truth, covered = share - other, []
    for _ in range(STUDIES):
        found = two_sample_difference(first=rng.random(n) < share, second=rng.random(m) < other)
        covered.append(found.difference.low <= truth <= found.difference.high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_p_is_scipys_also_where_one_side_does_not_vary(recwarn):
    rng = np.random.default_rng(4)
    for left, right in ((rng.normal(size=9), rng.normal(1, 3, 14)), (np.full(30, 0.1), rng.normal(0.2, 0.1, 30))):
        found = two_sample_difference(first=left, second=right)
        assert not recwarn.list
        assert found.p == pytest.approx(ttest_ind(left, right, equal_var=False).pvalue, rel=1e-9)
        recwarn.clear()


@given(st.lists(st.integers(1, 7), min_size=2, max_size=6), st.lists(st.integers(1, 7), min_size=2, max_size=6))
def test_on_a_scale_no_interval_leaves_it(first, second):
    found = two_sample_difference(first=first, second=second, scale=Scale(1, 7))
    for side in (found.first, found.second):
        assert not side.has_interval or 1 <= side.low <= side.high <= 7
    if found.difference.has_interval:
        assert -6 <= found.difference.low <= found.difference.value <= found.difference.high <= 6
        assert found.difference.method == "MOVER"
