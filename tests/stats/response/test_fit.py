"""Items and persons that answer by the model are seldom called misfits, and others are found."""

import numpy as np
import pytest
from scipy.stats import binom

from mensura.stats.response.calibration import calibrate
from mensura.stats.response.fit import _sum_chances, _sums_without_each, item_fit, person_fit
from mensura.stats.response.responses import response_matrix
from tests.stats.response.simulated import simulated


def judged(seed, persons=400, items=25, **given):
    data = simulated(persons, items, seed=seed, **given)
    found = calibrate(data.matrix)
    return item_fit(data.matrix, found), person_fit(data.matrix, found)


@pytest.mark.parametrize("sets", [5, pytest.param(200, marks=pytest.mark.proof)])
def test_false_alarms_are_as_rare_as_they_should_be(sets):
    """Of items at most 5 %, within chance; of persons likewise, whose statistic is known for long tests only."""
    items, persons, infit, outfit = [], [], [], []
    for seed in range(sets):
        of_items, of_persons = judged(200 + seed)
        items += [one.p < 0.05 for one in of_items.values()]
        persons += [one.p < 0.05 for one in of_persons.values()]
        infit += [one.infit for one in of_items.values()]
        outfit += [one.outfit for one in of_items.values()]
    assert binom.ppf(0.0005, len(items), 0.035) <= sum(items) <= binom.ppf(0.9995, len(items), 0.06)
    assert binom.ppf(0.0005, len(persons), 0.04) <= sum(persons) <= binom.ppf(0.9995, len(persons), 0.06)
    assert np.mean(infit) == pytest.approx(1, abs=0.02)
    assert np.mean(outfit) == pytest.approx(1, abs=0.05)


def test_an_item_with_another_curve_is_found():
    data = simulated(1500, 15, seed=31)
    right = data.matrix.right.copy()
    # Right for the able and for the unable, wrong in between.
    right[:, 0] = (np.abs(data.ability) > 0.8).astype(float)
    matrix = response_matrix(right)
    found = item_fit(matrix, calibrate(matrix))
    assert found["item1"].adjusted < 0.001


def test_a_person_who_has_only_the_hard_items_right_is_found():
    data = simulated(300, 40, seed=32)
    right = data.matrix.right.copy()
    right[0] = data.curves.b > np.median(data.curves.b)
    matrix = response_matrix(right)
    found = person_fit(matrix, calibrate(matrix))
    assert found["1"].z < -4
    assert found["1"].adjusted < 0.01


def test_chances_of_sums_are_those_of_all_patterns():
    chance = np.array([[0.2], [0.5], [0.9]])
    each = _sums_without_each(chance)
    assert _sum_chances(chance)[:, 0] == pytest.approx([0.04, 0.41, 0.46, 0.09])
    assert each[1][:, 0] == pytest.approx([0.08, 0.74, 0.18])


def test_what_cannot_be_judged_is_unknown():
    of_items, of_persons = judged(33, persons=150, items=8, missing=0.5)
    assert all(np.isnan(one.p) and one.infit > 0 for one in of_items.values())
    assert all(np.isnan(one.z) for one in of_persons.values())
