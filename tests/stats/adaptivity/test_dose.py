import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import Scale
from mensura.stats.adaptivity import dose_response, recovery, representativeness

LEVELS = [[0.9, 0.7, 0.2], [0.8, 0.6, 0.3], [0.9, 0.8, 0.6]]


def test_points_slope_and_breaking_point_by_hand():
    found = dose_response(LEVELS, doses=[0, 1, 2], floor=0.5)
    assert [point.value for point in found.points] == pytest.approx([2.6 / 3, 0.7, 1.1 / 3])
    assert found.slope.value == pytest.approx((-0.35 - 0.25 - 0.15) / 3)
    breaks = [1 + 0.2 / 0.5, 1 + 0.1 / 0.3, 2]
    assert found.breaking.reached == 2
    assert found.breaking.restricted_mean.value == pytest.approx(np.mean(breaks))
    assert "2 of 3 courses broke" in found.sentence


def test_who_never_breaks_is_told_and_who_is_broken_at_once_breaks_at_the_first_dose():
    assert "No course broke up to 2." in dose_response(LEVELS, doses=[0, 1, 2], floor=0.1).sentence
    assert dose_response(LEVELS, doses=[0, 1, 2], floor=0.95).breaking.restricted_mean.value == 0
    assert dose_response(LEVELS, doses=[0, 1, 2]).breaking is None


@pytest.mark.parametrize("doses", [[0, 1], [0, 2, 1], [-1, 0, 1]])
def test_doses_that_do_not_increase_are_refused(doses):
    with pytest.raises(BadData, match="increase from 0 up"):
        dose_response(LEVELS, doses=doses)


def test_the_slope_is_that_of_least_squares():
    rng = np.random.default_rng(2)
    doses, levels = np.array([0.0, 0.5, 1, 3]), rng.random((6, 4))
    assert dose_response(levels, doses=doses).slope.value == pytest.approx(
        np.mean([np.polyfit(doses, row, 1)[0] for row in levels])
    )


def test_recovery_counts_sessions_from_the_onset():
    after = [[0.3, 0.6, 0.8, 0.8], [0.2, 0.5, 0.6, 0.6], [0.4, 0.9, 0.5, 0.9]]
    found = recovery(before=[0.8, 0.8, 0.9], after=after)
    assert found.time.reached == 2
    assert found.time.restricted_mean.value == pytest.approx((3 + 4 + 2) / 3)
    assert recovery(before=[0.8, 0.8, 0.9], after=after, held=2).time.reached == 1
    assert found.dip.value == pytest.approx((0.5 + 0.6 + 0.5) / 3)
    assert found.lasting.value == pytest.approx(0.2 / 3)
    assert found.sentence.startswith("At onset a loss of")
    with pytest.raises(BadData, match="of each of 3 courses"):
        recovery(before=[0.8], after=after)
    with pytest.raises(BadData, match="of each of 2 courses"):
        recovery(before=[0.8, 0.8], after=[[], []])


def test_training_on_the_targets_themselves_is_fully_representative():
    own = np.array([[0.9, 0.8], [0.8, 0.7], [1.0, 0.8]])
    found = representativeness(trained=0.5 * own + np.array([[0.01], [-0.01], [0.0]]), own=own)
    assert found.value == pytest.approx(0.5)
    assert found.population == "courses"


def test_levels_at_each_dose_stay_within_the_bounds_of_their_score():
    rows = [[1.0, 0.9, 0.1], [1.0, 0.8, 0.0], [0.9, 1.0, 0.0], [1.0, 1.0, 0.3]]
    plain, bounded = dose_response(rows, doses=[0, 1, 2]), dose_response(rows, doses=[0, 1, 2], scale=Scale(0, 1))
    assert plain.points[0].high > 1
    assert plain.points[2].low < 0
    assert all(0 <= point.low <= point.high <= 1 for point in bounded.points)
    assert bounded.slope == plain.slope


def test_a_fall_is_told_without_a_second_minus():
    rows = [[0.9, 0.8, 0.6, 0.2], [0.8, 0.8, 0.5, 0.3], [0.9, 0.7, 0.6, 0.4]]
    found = dose_response(rows, doses=[0, 0.5, 1, 2], floor=0.1)
    assert found.slope.high < 0
    assert "a fall of 0." in found.sentence
    assert "fall of -" not in found.sentence
