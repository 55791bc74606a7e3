import json

import numpy as np
import pytest
from scipy.stats import ttest_rel

from mensura.stats import paired_difference, paired_permutation

STUDIES = 500


def test_difference_and_p_agree_with_scipy():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.5, 1, size=25), rng.normal(size=25)
    found = paired_difference(first=first, second=second, rng=rng)
    expected = ttest_rel(first, second)
    interval = expected.confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx((interval.low, interval.high))
    assert found.p_t == pytest.approx(expected.pvalue)
    assert found.p_permutation == pytest.approx(expected.pvalue, abs=0.02)
    assert found.p == found.p_permutation
    assert found.first.value - found.second.value == pytest.approx(found.difference.value)


def test_a_difference_is_said_in_words():
    found = paired_difference(first=[4, 5, 6, 7, 9, 5], second=[1, 3, 4, 4, 5, 3], names=("ada", "bob"))
    assert found.sentence == (
        "ada scores higher than bob by 2.67 [1.81, 3.52] on the same 6 items; if there were no difference, "
        "chance alone would give one this large in about 3 of 100 such studies."
    )


def test_no_difference_is_not_called_equality():
    found = paired_difference(first=[1, 5, 2, 8], second=[2, 4, 3, 7], names=("ada", "bob"))
    assert found.sentence.startswith("The data do not show a difference:")
    assert found.sentence.endswith("That is not proof that they are equal.")


def test_items_are_matched_by_name_and_the_rest_counted():
    found = paired_difference(first={"a": 1.5, "b": 2, "c": 5}, second={"b": 1, "c": 3, "d": 4}, names=("ada", "bob"))
    assert found.difference.n == 2
    assert found.unmatched == 2
    assert "on the same 2 items (2 items not scored on both sides left out)" in found.sentence


def test_one_item_or_none_shows_nothing():
    assert paired_difference(first=[1], second=[2]).sentence.endswith("one item cannot show a difference.")
    assert paired_difference(first=[np.nan], second=[2]).sentence.endswith("nothing can be compared.")
    assert np.isnan(paired_difference(first=[1], second=[2]).p_t)


def test_scores_alike_on_every_item_are_said_to_be_alike():
    found = paired_difference(first=[0.3, 0.7], second=[0.3, 0.7], names=("ada", "bob"))
    assert found.sentence == "ada and bob score alike on the same 2 items, item by item."


def test_a_difference_that_never_varies_has_no_error():
    found = paired_difference(first=[0.3, 0.7, 1.2], second=[0.5, 0.9, 1.4], names=("ada", "bob"))
    assert found.sentence == (
        "bob scores higher than ada by 0.2 on every one of the same 3 items; as the difference never varied, "
        "its error is not known."
    )


def test_right_and_wrong_get_an_interval_even_without_disagreement():
    found = paired_difference(first=[1] * 20, second=[1] * 20, proportion=True)
    assert found.difference.method == "Agresti-Min"
    assert found.difference.low == pytest.approx(-0.089, abs=0.001)
    assert found.difference.high == pytest.approx(0.089, abs=0.001)


def test_the_interval_of_right_and_wrong_never_leaves_out_what_was_seen():
    found = paired_difference(first=[1] * 40, second=[0] * 40, rng=np.random.default_rng(1))
    assert found.difference.value == 1 == found.difference.high


def test_without_a_generator_many_items_are_compared_by_t():
    rng = np.random.default_rng(2)
    found = paired_difference(first=rng.normal(size=40), second=rng.normal(size=40))
    assert np.isnan(found.p_permutation)
    assert found.p == found.p_t
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["p_permutation"] is None


def test_few_items_are_permuted_exactly_without_a_generator():
    first, second = [1, 4, 3, 6], [2, 1, 1, 2]
    assert paired_difference(first=first, second=second).p == paired_permutation(first=first, second=second).p


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 10, 40])
def test_interval_covers_a_difference_of_numbers(n):
    rng = np.random.default_rng([3, n])
    estimates = []
    for _ in range(STUDIES):
        items = rng.exponential(size=n)
        first, second = items + rng.normal(0.2, 0.5, size=n), items + rng.normal(0, 1, size=n)
        estimates.append(paired_difference(first=first, second=second, names=("a", "b")).difference)
    assert 0.93 <= np.mean([e.low <= 0.2 <= e.high for e in estimates]) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("n", "better", "worse"), [(10, 0.3, 0.1), (20, 0.3, 0.1), (20, 0.2, 0.2), (100, 0.1, 0.02)])
def test_interval_covers_a_difference_of_shares(n, better, worse):
    rng = np.random.default_rng([4, n])
    kinds = rng.choice(3, p=[better, worse, 1 - better - worse], size=(STUDIES, n))
    estimates = [paired_difference(first=k == 0, second=k == 1).difference for k in kinds]
    truth = better - worse
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97


def test_scores_that_are_all_nought_are_not_taken_for_shares():
    found = paired_difference(first=[0.0] * 20, second=[0.0] * 20)
    assert not found.difference.has_interval
    assert not found.first.has_interval
