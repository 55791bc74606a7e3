import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import mean_estimate, proportion_estimate, skewed_mean_estimate, summarise

STUDIES = 2000


def test_each_session_counts_once_whatever_its_number_of_items():
    estimate = summarise([[0.1, 0.3], [0.5], [0.7, 0.9, 0.8, 0.8]])
    assert estimate.value == pytest.approx((0.2 + 0.5 + 0.8) / 3)
    assert (estimate.n, estimate.method) == (3, "t over 3 session means")
    plain = mean_estimate([0.2, 0.5, 0.8])
    assert (estimate.low, estimate.high) == pytest.approx((plain.low, plain.high))


def test_many_sessions_are_corrected_for_skew():
    values = [0.1, 0.2, 0.2, 0.3, 0.9, 2.4]
    estimate = summarise(values)
    assert estimate.method == "t corrected for skew over 6 session means"
    assert estimate.low == skewed_mean_estimate(values).low


def test_unscored_items_and_sessions_do_not_count():
    estimate = summarise([[0.1, np.nan, 0.3], [np.nan], [0.5, 0.5]])
    assert estimate.value == pytest.approx(0.35)
    assert estimate.n == 2


def test_nothing_scored_is_unknown():
    estimate = summarise([[np.nan], []])
    assert np.isnan(estimate.value)
    assert (estimate.n, estimate.method) == (0, "none: no session was scored")
    assert summarise([]).n == 0


def test_items_of_one_session_are_said_to_be_taken_as_independent():
    estimate = summarise([[0.1, 0.4, 0.2, 0.9, 0.3]])
    assert estimate.method == "t corrected for skew over 5 items of one session, taken as independent"
    assert estimate.n == 5


def test_one_session_of_right_and_wrong_is_a_proportion():
    estimate = summarise([[1, 1, 0, np.nan, 1]], level=0.9, proportion=True)
    assert estimate.method == "Wilson over 4 items of one session, taken as independent, 90 %"
    assert estimate.low == proportion_estimate(3, n=4, level=0.9).low


def test_one_value_has_no_error_estimate():
    assert summarise([0.8]).method == "none: one value"
    assert summarise([[1.0]]).method == "none: one value"


def test_sessions_won_or_lost_are_a_proportion_of_sessions():
    estimate = summarise([1, 0, 1, 1], proportion=True)
    assert (estimate.n, estimate.method) == (4, "Wilson over 4 sessions")


def test_perfect_sessions_do_not_look_certain():
    estimate = summarise([[1, 1, 1]] * 20, proportion=True)
    assert estimate.value == 1
    assert estimate.low == pytest.approx(0.839, abs=0.001)
    assert estimate.method == "Wilson over 20 sessions"


def test_equal_means_of_right_and_wrong_fall_back_on_items():
    estimate = summarise([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0]], proportion=True)
    assert estimate.value == 0.5
    assert estimate.n == 3
    assert estimate.method == "Wilson over 12 items taken as independent, as all 3 session means are equal"
    assert estimate.low == proportion_estimate(6, n=12).low


def test_equal_numbers_claim_no_zero_width():
    estimate = summarise([0.7, 0.7, 0.7])
    assert (estimate.value, estimate.n, estimate.method) == (0.7, 3, "none: all 3 session means are equal")


def test_interval_of_right_and_wrong_stays_between_0_and_1():
    estimate = summarise([[1, 1, 1, 0], [1, 1, 1, 1]], proportion=True)
    assert 0 < estimate.low < 0.875 < estimate.high < 1


@pytest.mark.slow
@pytest.mark.parametrize("sessions", [3, 5, 10, 30])
def test_interval_covers_where_sessions_differ_in_difficulty(sessions):
    rng = np.random.default_rng([11, sessions])
    difficulty = rng.normal(size=(STUDIES, sessions, 1))
    items = difficulty + rng.exponential(size=(STUDIES, sessions, 15))
    covered = [inside(summarise(list(study)), 1.0) for study in items]
    assert 0.93 <= np.mean(covered) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("share", "clustering"), [(0.5, 0.0), (0.5, 0.1), (0.9, 0.0), (0.9, 0.05), (0.97, 0.05)])
@pytest.mark.parametrize("sessions", [20, 40])
def test_interval_covers_shares_right_in_sessions_that_differ(sessions, share, clustering):
    assert 0.93 <= share_covered(sessions=sessions, share=share, clustering=clustering) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("share", "clustering"), [(0.5, 0.1), (0.9, 0.0), (0.9, 0.05), (0.97, 0.05)])
@pytest.mark.parametrize("sessions", [3, 5, 10])
def test_interval_of_few_sessions_near_the_ceiling_errs_on_the_wide_side(sessions, share, clustering):
    assert share_covered(sessions=sessions, share=share, clustering=clustering) >= 0.93


def share_covered(*, sessions, share, clustering):
    rng = np.random.default_rng([12, sessions, int(100 * share), int(100 * clustering)])
    chance = np.full((STUDIES, sessions, 1), share)
    if clustering:
        strength = (1 - clustering) / clustering
        chance = rng.beta(share * strength, (1 - share) * strength, size=(STUDIES, sessions, 1))
    items = (rng.random((STUDIES, sessions, 20)) < chance).astype(float)
    return np.mean([inside(summarise(list(study), proportion=True), share) for study in items])


@pytest.mark.slow
@pytest.mark.parametrize("items", [10, 20, 50])
def test_interval_of_one_session_covers_the_mean_of_skewed_items(items):
    rng = np.random.default_rng([13, items])
    losses = rng.exponential(size=(STUDIES, 1, items))
    assert 0.93 <= np.mean([inside(summarise(study), 1.0) for study in losses]) <= 0.97


def inside(estimate, truth):
    return estimate.low <= truth <= estimate.high


def test_numbers_that_happen_to_be_nought_are_no_proportion():
    estimate = summarise([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    assert not estimate.has_interval
    assert "equal" in estimate.method
    assert "Wilson" not in summarise([[0, 1, 1], [0, 0, 1]]).method


def test_items_of_a_proportion_are_nought_or_one():
    with pytest.raises(BadData, match=r"0 or 1; got 0\.5"):
        summarise([[0, 1, 0.5]], proportion=True)
