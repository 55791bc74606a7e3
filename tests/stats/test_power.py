from itertools import product
from math import ceil

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel
from statsmodels.stats.power import TTestIndPower, TTestPower

from mensura.errors import BadData
from mensura.stats import detectable_difference, power_of_difference, sample_size, sample_size_from_pilot


def test_cohens_published_sample_sizes_are_met():
    # Cohen (1992), Psychological Bulletin 112, table 2: 393, 64 and 26 per group for d = .2, .5, .8 at .05 and .80.
    # With 393 the exact power is 0.7999, which rounds to the wanted one and does not reach it.
    assert [sample_size(d, sd=1).n for d in (0.2, 0.5, 0.8)] == [394, 64, 26]
    assert power_of_difference(0.2, sd=1, n=393).power == pytest.approx(0.8, abs=0.0006)


def test_the_found_n_is_the_least_that_suffices():
    for design in ("paired", "unpaired"):
        plan = sample_size(0.3, sd=1, power=0.9, design=design)
        assert plan.power >= 0.9
        assert power_of_difference(0.3, sd=1, n=plan.n - 1, design=design).power < 0.9


@pytest.mark.parametrize("design", ["paired", "unpaired"])
def test_sample_sizes_are_those_of_statsmodels(design):
    search = TTestPower() if design == "paired" else TTestIndPower()
    for effect, power, alpha in product((0.05, 0.2, 0.5, 0.9), (0.5, 0.8, 0.95), (0.01, 0.05, 0.1)):
        needed = float(np.squeeze(search.solve_power(effect, power=power, alpha=alpha)))
        assert sample_size(effect, sd=1, power=power, alpha=alpha, design=design).n == ceil(needed)


def test_a_study_of_millions_still_has_the_wanted_power():
    # statsmodels' search stops at 240 million here, where the power is .953.
    plan = sample_size(0.0005, sd=1, power=0.969, alpha=0.0004)
    assert plan.power == pytest.approx(0.969, abs=1e-6)


def test_the_sign_of_the_difference_does_not_matter():
    assert sample_size(-0.5, sd=1).n == sample_size(0.5, sd=1).n


def test_a_huge_difference_needs_two():
    assert sample_size(100, sd=1).n == 2


def test_the_detectable_difference_has_the_wanted_power():
    found = detectable_difference(sd=2, n=15, power=0.7, design="paired")
    assert found.power == pytest.approx(0.7, abs=1e-6)
    assert detectable_difference(sd=1, n=2, power=0.99).difference > 5


def test_pairs_are_said_to_be_pairs():
    words = power_of_difference(0.5, sd=1, n=20, design="paired").sentence
    assert words.startswith("With 20 pairs and a standard deviation of the differences of 1, a true difference of 0.5")


def test_a_pilot_gives_its_spread_and_a_safer_n():
    plan = sample_size_from_pilot(first=[5, 7, 6, 8, 7], second=[4, 6, 7, 5, np.nan], difference=1.0)
    pooled = np.sqrt((5.2 + 5.0) / 7)
    assert plan.sd == pytest.approx(pooled)
    assert plan.n == sample_size(1.0, sd=pooled).n
    assert plan.cautious_n > plan.n
    assert f"{plan.cautious_n} per group are the safer choice" in plan.sentence
    assert "9 pilot values" in plan.sentence


def test_a_paired_pilot_gives_the_spread_of_differences():
    first, second = {"a": 5, "b": 7, "c": 9, "d": 2}, {"a": 4, "b": 5, "c": 8, "e": 1}
    plan = sample_size_from_pilot(first=first, second=second, difference=1.0, design="paired")
    assert plan.sd == pytest.approx(np.std([1, 2, 1], ddof=1))
    unpaired = sample_size_from_pilot(first=first, second=second, difference=1.0)
    assert unpaired.pilot.n == 8


def test_a_pilot_without_spread_is_refused():
    with pytest.raises(BadData, match="must show some spread"):
        sample_size_from_pilot(first=[1, 1], second=[1, 1], difference=1.0)
    with pytest.raises(BadData, match="must show some spread"):
        sample_size_from_pilot(first=[], second=[], difference=1.0, design="paired")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"difference": 0, "sd": 1}, "other than 0"),
        ({"difference": 1, "sd": 0}, "more than 0; got 0"),
        ({"difference": 1, "sd": 1, "alpha": 2}, "between 0 and 1; got 2"),
        ({"difference": 1, "sd": 1, "power": 0.01}, "wanted power"),
        ({"difference": 1, "sd": 1, "design": "crossed"}, "unpaired or paired"),
    ],
)
def test_impossible_plans_are_refused(wrong, message):
    difference = wrong.pop("difference")
    with pytest.raises(BadData, match=message):
        sample_size(difference, **wrong)


def test_a_study_of_one_is_refused():
    with pytest.raises(BadData, match="at least 2 pairs; got 1"):
        power_of_difference(1, sd=1, n=1, design="paired")


@pytest.mark.parametrize(("alpha", "n"), [(1e-15, 109), (3e-16, 112)])
def test_a_tiny_alpha_keeps_its_digits(alpha, n):
    assert sample_size(1, sd=1, design="paired", alpha=alpha).n == n


def test_a_power_that_cannot_be_computed_is_refused():
    with pytest.raises(BadData, match="cannot be computed for 2 pairs at an alpha of 1e-06"):
        detectable_difference(sd=1, n=2, design="paired", alpha=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["paired", "unpaired"])
def test_power_is_the_share_of_simulated_studies_that_find_the_difference(design):
    rng = np.random.default_rng(3)
    first, second = rng.normal(0.5, 1, size=(4000, 25)), rng.normal(0, 1, size=(4000, 25))
    if design == "paired":
        p, sd = ttest_rel(first, second, axis=1).pvalue, np.sqrt(2)
    else:
        p, sd = ttest_ind(first, second, axis=1).pvalue, 1
    expected = power_of_difference(0.5, sd=sd, n=25, design=design).power
    assert np.mean(p < 0.05) == pytest.approx(expected, abs=0.025)


def test_the_power_of_a_study_far_too_large_is_one():
    assert power_of_difference(0.1, sd=0.08, n=200).power == pytest.approx(1)
    assert power_of_difference(0.1, sd=0.08, n=60, design="paired").power == pytest.approx(1)


def test_a_difference_too_small_to_plan_for_is_said_in_a_sentence():
    with pytest.raises(BadData, match="with a standard deviation of 1 is too small to plan for"):
        sample_size(1e-12, sd=1)
