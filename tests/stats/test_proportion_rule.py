import pytest
from scipy.stats import binom, binomtest

from mensura.errors import BadData
from mensura.stats import critical_count, proportion_power, proportion_sample_size, proportion_test


def test_the_p_value_is_that_of_scipys_exact_test():
    for right in (0, 5, 22, 23, 39):
        assert proportion_test(right, n=39).p == pytest.approx(
            binomtest(right, 39, 0.7, alternative="less").pvalue, rel=1e-9
        )


@pytest.mark.parametrize("n", [1, 2, 3, 10, 39, 144])
def test_the_critical_count_is_the_last_that_shows_it(n):
    found = critical_count(n, below=0.7)
    assert binom.cdf(found, n, 0.7) <= 0.05 < binom.cdf(found + 1, n, 0.7)


def test_no_smaller_number_of_trials_reaches_the_power():
    plan = proportion_sample_size(0.55, below=0.7)
    assert plan.power >= 0.8
    assert all(proportion_power(0.55, below=0.7, n=n).power < 0.8 for n in range(1, plan.n))


def test_too_few_trials_show_nothing_whatever_comes_out():
    assert not proportion_test(0, n=2).passed
    assert "too few" in proportion_power(0.5, below=0.7, n=2).sentence


@pytest.mark.parametrize(
    ("proportion", "below", "words"),
    [(0.8, 0.7, "lies below"), (0.5, 1.2, "between 0 and 1"), (-0.1, 0.7, "share lies"), (0.6999, 0.7, "million")],
)
def test_what_cannot_be_planned_is_said(proportion, below, words):
    with pytest.raises(BadData, match=words):
        proportion_sample_size(proportion, below=below)


def test_trials_and_successes_must_fit():
    with pytest.raises(BadData, match="at least one trial"):
        proportion_test(0, n=0)
    with pytest.raises(BadData, match="between 0 and n"):
        proportion_test(5, n=4)
