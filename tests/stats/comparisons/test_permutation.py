from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import binomtest, permutation_test, ttest_ind, ttest_rel

from mensura.errors import BadData
from mensura.stats import paired_permutation, two_sample_permutation


def test_exact_paired_p_agrees_with_counting_all_exchanges():
    first, second = np.array([3.1, 4.0, 5.2, 2.2, 6.1, 3.3]), np.array([2.0, 4.4, 4.1, 2.0, 4.0, 3.0])
    differences = first - second
    sums = [abs(np.dot(signs, differences)) for signs in product([-1, 1], repeat=6)]
    expected = np.mean([s >= abs(differences.sum()) - 1e-9 for s in sums])
    result = paired_permutation(first=first, second=second)
    assert result.p == pytest.approx(expected)
    assert (result.exact, result.permutations, result.n) == (True, 64, 6)
    assert "(all permutations)" in result.sentence


def test_exact_two_sample_p_agrees_with_counting_all_deals():
    first, second = [5.0, 7.0, 9.0], [1.0, 6.0, 2.0, 4.0]
    everything = first + second
    total, seen = sum(everything), abs(np.mean(first) - np.mean(second))
    deals = [abs(sum(c) / 3 - (total - sum(c)) / 4) for c in combinations(everything, 3)]
    result = two_sample_permutation(first=first, second=second)
    assert result.p == pytest.approx(np.mean([d >= seen - 1e-9 for d in deals]))
    assert result.permutations == 35


def test_p_agrees_with_scipy():
    rng = np.random.default_rng(6)
    first, second = rng.normal(0.5, 1, size=9), rng.normal(size=9)

    def mean_difference(x, y, axis):
        return x.mean(axis=axis) - y.mean(axis=axis)

    for ours, kind in ((paired_permutation, "samples"), (two_sample_permutation, "independent")):
        expected = permutation_test(
            (first, second), mean_difference, permutation_type=kind, n_resamples=100_000, vectorized=True
        )
        result = ours(first=first, second=second, rng=rng, resamples=99_999)
        assert result.p == pytest.approx(expected.pvalue, abs=1e-9 if result.exact else 0.005)


def test_right_and_wrong_give_mcnemars_exact_test():
    first = [1] * 9 + [0] * 2 + [1] * 20
    second = [0] * 9 + [1] * 2 + [1] * 20
    assert paired_permutation(first=first, second=second).p == pytest.approx(binomtest(2, 11).pvalue)


def test_random_permutations_come_near_the_t_test():
    rng = np.random.default_rng(5)
    first, second = rng.normal(0.3, 1, size=60), rng.normal(size=60)
    paired = paired_permutation(first=first, second=second, rng=rng)
    assert not paired.exact
    assert paired.p == pytest.approx(ttest_rel(first, second).pvalue, abs=0.02)
    unpaired = two_sample_permutation(first=first, second=second, rng=rng)
    assert unpaired.p == pytest.approx(ttest_ind(first, second).pvalue, abs=0.02)
    assert "(9999 random permutations)" in unpaired.sentence


def test_a_random_p_is_never_zero():
    result = paired_permutation(first=np.arange(1, 41), second=np.zeros(40), rng=np.random.default_rng(1), resamples=99)
    assert result.p == 1 / 100


def test_too_many_permutations_ask_for_a_generator():
    with pytest.raises(BadData, match="hand in rng"):
        paired_permutation(first=np.arange(30), second=np.zeros(30))


def test_right_and_wrong_need_no_generator_for_any_number_of_items():
    result = paired_permutation(first=np.ones(200), second=np.arange(200) < 110)
    assert result.exact
    assert result.p == pytest.approx(binomtest(0, 90).pvalue)


def test_a_sample_of_one_can_be_dealt():
    assert two_sample_permutation(first=[9], second=[1, 2, 3]).p == 0.25


def test_ties_alone_show_nothing():
    assert paired_permutation(first=[1, 2], second=[1, 2]).p == 1


def test_nothing_known_gives_no_p():
    assert np.isnan(paired_permutation(first=[np.nan], second=[1]).p)
    empty = two_sample_permutation(first=[], second=[1, 2])
    assert np.isnan(empty.p)
    assert empty.sentence == "There is nothing to permute: too few values are known."


def test_items_by_name_belong_to_the_paired_test():
    with pytest.raises(BadData, match="Use `paired_permutation`"):
        two_sample_permutation(first={"a": 1}, second=[1])


@pytest.mark.slow
def test_false_alarms_come_at_the_nominal_rate():
    rng = np.random.default_rng(9)
    p = [paired_permutation(first=rng.exponential(size=10), second=rng.exponential(size=10)).p for _ in range(1000)]
    assert 0.04 < np.mean(np.array(p) <= 0.05) < 0.06
