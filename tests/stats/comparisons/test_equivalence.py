import numpy as np
import pytest
from statsmodels.stats.weightstats import ttost_ind, ttost_paired

from mensura.errors import BadData
from mensura.stats import paired_equivalence, two_sample_equivalence


@pytest.mark.parametrize("margin", [0.2, 0.4, 0.6, 1.0])
def test_verdict_is_that_of_two_one_sided_tests(margin):
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.1, 1, size=40), rng.normal(0, 1, size=40)
    paired = ttost_paired(first, second, -margin, margin)[0]
    apart = ttost_ind(first, second, -margin, margin, usevar="unequal")[0]
    assert paired_equivalence(first=first, second=second, margin=margin).equivalent == (paired < 0.05)
    assert two_sample_equivalence(first=first, second=second, margin=margin).equivalent == (apart < 0.05)


def test_it_is_said_in_words():
    alike = paired_equivalence(first=[5, 6, 7, 8], second=[5.1, 5.9, 7.1, 7.9], margin=0.5, names=("ada", "bob"))
    assert alike.sentence.startswith("ada and bob are alike within 0.5:")
    unlike = two_sample_equivalence(first=[5, 6, 7, 8], second=[5, 6, 8, 7], margin=0.5)
    assert unlike.sentence.startswith("It is not shown that A and B are alike within 0.5:")
    unknown = paired_equivalence(first=[5], second=[5], margin=0.5)
    assert unknown.sentence.endswith("cannot be told: there is no error estimate.")


def test_a_margin_is_more_than_nothing():
    with pytest.raises(BadData, match="got 0"):
        paired_equivalence(first=[1, 2], second=[1, 2], margin=0)


@pytest.mark.slow
def test_a_difference_at_the_margin_is_called_alike_in_at_most_one_of_twenty_studies():
    rng = np.random.default_rng(2)
    called = [
        two_sample_equivalence(first=rng.normal(1, 1, size=30), second=rng.normal(0, 1, size=30), margin=1).equivalent
        for _ in range(1000)
    ]
    assert 0.03 < np.mean(called) < 0.065
