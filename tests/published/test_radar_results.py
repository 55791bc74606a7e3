"""RADAR Test (Steinfeld et al. 2006, CMU-CS-06-125): what its tables print, and where its text contradicts them."""

import numpy as np
import pytest

from mensura.catalog.crisis.study.deltas import deltas

MEANS = {"cots": 0.507, "without": 0.534, "learning": 0.633}
SIZES = {"cots": 29, "without": 34, "learning": 32}


def sample(name, sd):
    """A group with exactly the mean and size of Table 6."""
    values = np.linspace(-1, 1, SIZES[name])
    return MEANS[name] + sd * (values - values.mean()) / values.std(ddof=1)


def found(sd):
    return deltas(**{name: sample(name, sd) for name in MEANS})


@pytest.mark.parametrize("sd", [0.062, 0.078])
def test_table_6_deltas(sd):
    of = found(sd)
    assert of.learning.difference.value == pytest.approx(0.099)
    assert of.overall.difference.value == pytest.approx(0.126)
    assert of.nonlearning.difference.value == pytest.approx(0.027)
    assert of.learning.p < 1e-4
    assert of.overall.p < 1e-4


def test_section_5_2_share_of_learning_is_786_per_mille_where_it_says_about_78_per_cent():
    share = found(0.07).share
    assert share.value == pytest.approx(0.099 / 0.126) == pytest.approx(0.786, abs=5e-4)
    # The paper prints no interval. With its sizes and any spread its p-values allow, the share is known to about ± .2.
    assert share.low < 0.65
    assert share.high > 0.95


@pytest.mark.parametrize("sd", [0.062, 0.078])
def test_section_5_2_not_all_differences_are_significant(sd):
    # The text says that all are; Table 6 prints p < .088 for the nonlearning delta.
    assert found(sd).nonlearning.p > 0.05


def test_section_5_1_sixty_four_hours_count_only_the_learning_condition():
    hours = {name: 2 * size for name, size in SIZES.items()}
    assert hours["learning"] == 64
    assert hours["learning"] + hours["without"] == 132


def test_section_4_1_milestones_pay_three_to_one_to_one_while_the_score_weighs_four_to_one_to_one():
    pay = np.array([12, 4, 4]) / 20
    score = np.array([2 / 3, 1 / 6, 1 / 6])
    assert pay.sum() == pytest.approx(score.sum()) == pytest.approx(1)
    assert pay[0] / pay[1] == pytest.approx(3)
    assert score[0] / score[1] == pytest.approx(4)
