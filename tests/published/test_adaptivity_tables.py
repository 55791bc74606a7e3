"""Hand-worked tables of continual learning and of times to a level, and definitions their sources print."""

import pytest

from mensura.stats.adaptivity import continual, curve_transfer, read_document, time_to_level

R = [[0.8, 0.3, 0.2], [0.6, 0.9, 0.4], [0.5, 0.7, 0.85]]
NEVER = float("nan")


def test_the_worked_matrix_gives_gems_and_chaudhrys_numbers():
    """Lopez-Paz and Ranzato (2017), section 3; Chaudhry and others (2018), section 4."""
    found = read_document({"R": R, "b": [0.1, 0.1, 0.1]})
    assert found["acc"] == pytest.approx(0.683333, abs=1e-6)
    assert found["bwt"] == pytest.approx(-0.25)
    assert found["fwt"] == pytest.approx(0.25)
    assert found["forgetting"] == pytest.approx([0.3, 0.2])
    assert found["mean_forgetting"] == pytest.approx(0.25)
    assert found["maximal_forgetting"] == pytest.approx(0.3)


def test_maintenance_is_the_mean_change_at_every_later_probe():
    """l2metrics: task 1 was 0.8 and then 0.6, 0.5; task 2 was 0.9 and then 0.7."""
    assert continual(R).maintenance.value == pytest.approx(((-0.2 - 0.3) / 2 - 0.2) / 2)


def test_four_courses_of_which_one_never_reaches_the_level():
    found = time_to_level([10, 20, 30, NEVER], horizon=50)
    assert (found.reached, found.courses) == (3, 4)
    assert found.restricted_mean.value == pytest.approx(27.5)
    assert found.median.value == 20
    assert found.restricted_mean.value != pytest.approx(20), "the mean of those who did is not what it takes"


def test_area_form_of_continual_world():
    """Wołczyk and others (2021): (AUC - AUC_b) / (1 - AUC_b)."""
    found = curve_transfer(after=[[0.5, 0.9]] * 3, alone=[[0.2, 0.6]] * 3)
    assert found.area_form.value == pytest.approx((0.7 - 0.4) / (1 - 0.4))
