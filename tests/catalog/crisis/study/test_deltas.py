"""Deltas, learning's share, and waves, checked by simulation and by hand."""

import numpy as np
import pytest

from mensura.catalog.crisis.study.deltas import deltas, learning_share
from mensura.catalog.crisis.study.waves import beats, difficulty, progress
from mensura.errors import BadData


def test_the_overall_delta_is_the_sum_of_the_other_two():
    found = deltas(cots=[0.4, 0.5, 0.6], without=[0.5, 0.55, 0.6], learning=[0.6, 0.7, 0.8])
    whole = found.learning.difference.value + found.nonlearning.difference.value
    assert found.overall.difference.value == pytest.approx(whole)
    assert found.share.value == pytest.approx(found.learning.difference.value / whole)


def test_the_share_has_no_bounds_where_the_whole_may_be_nothing():
    share = learning_share(cots=[0.4, 0.5, 0.6], without=[0.5, 0.5, 0.6], learning=[0.4, 0.5, 0.7])
    assert not share.has_interval
    assert "may be zero" in share.method


def test_fewer_than_three_in_a_group_give_no_share():
    assert not learning_share(cots=[0.1, 0.2], without=[0.1, 0.2, 0.3], learning=[0.5, 0.6, 0.7]).has_interval


@pytest.mark.slow
def test_the_interval_of_the_share_covers_what_it_should():
    rng = np.random.default_rng(1)
    inside = total = 0
    for _ in range(3000):
        groups = {"cots": rng.normal(0.507, 0.07, 29), "without": rng.normal(0.534, 0.07, 34)}
        share = learning_share(**groups, learning=rng.normal(0.633, 0.07, 32))
        if share.has_interval:
            total += 1
            inside += share.low <= 0.099 / 0.126 <= share.high
    assert total > 2950
    assert inside / total == pytest.approx(0.95, abs=0.015)


def test_a_harder_package_is_no_loss_of_progress():
    rng = np.random.default_rng(2)
    waves = {
        "easy": {"cots": rng.normal(0.6, 0.05, 40), "radar+l": rng.normal(0.7, 0.05, 40)},
        "hard": {"cots": rng.normal(0.4, 0.05, 40), "radar+l": rng.normal(0.65, 0.05, 40)},
    }
    found = progress(waves, condition="radar+l", earlier="easy", later="hard")
    assert found.gain.low > 0
    assert "it has improved" in found.sentence
    assert difficulty(waves)["hard"].value < difficulty(waves)["easy"].value


@pytest.mark.slow
def test_the_interval_of_progress_covers_what_it_should():
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(2000):
        waves = {
            "one": {"cots": rng.normal(0.6, 0.05, 12), "radar-l": rng.normal(0.7, 0.1, 20)},
            "two": {"cots": rng.normal(0.5, 0.08, 30), "radar-l": rng.normal(0.62, 0.05, 15)},
        }
        gain = progress(waves, condition="radar-l", earlier="one", later="two").gain
        inside += gain.low <= 0.02 <= gain.high
    assert inside / 2000 == pytest.approx(0.95, abs=0.015)


def test_waves_in_which_nothing_varies_are_not_judged():
    same = {"cots": [0.5, 0.5], "radar+l": [0.6, 0.6]}
    found = progress({"one": same, "two": same}, condition="radar+l", earlier="one", later="two")
    assert not found.gain.has_interval
    assert "cannot be judged" in found.sentence


def test_a_wave_without_the_yardstick_is_named():
    with pytest.raises(BadData, match="The wave two has no condition cots"):
        progress({"one": {}, "two": {"radar+l": [1, 2]}}, condition="radar+l", earlier="one", later="two")


def test_hypothesis_four_compares_two_conditions_of_one_wave():
    found = beats({"radar+l": [0.7, 0.8, 0.75], "cots+a": [0.5, 0.55, 0.6]}, "radar+l", "cots+a")
    assert found.difference.value == pytest.approx(0.2)
