import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import mean_estimate
from mensura.stats.adaptivity import first_reached, time_to_level

NEVER = float("nan")


def test_the_first_of_several_probes_in_a_row_counts():
    curves = [[0.2, 0.9, 0.5, 0.8, 0.9], [0.8, 0.8, 0.1, 0.1, 0.1], [0.1] * 5, [0.9]]
    assert first_reached(curves, target=0.8).tolist()[:2] == [2, 1]
    held = first_reached(curves, target=0.8, held=2)
    assert held.tolist()[:2] == [4, 1]
    assert np.isnan(held[2:]).all()


def test_resources_other_than_sessions_and_targets_per_course():
    spent = [[5.0, 9.0], [4.0, 11.0]]
    assert first_reached([[0.2, 0.9], [0.3, 0.6]], target=[0.5, 0.6], spent=spent).tolist() == [9, 11]
    assert first_reached([[30, 20], [50, 25]], target=25, better="less").tolist() == [2, 2]
    with pytest.raises(BadData, match="2 levels and 1 amounts"):
        first_reached([[0.1, 0.2]], target=0.1, spent=[[1]])
    with pytest.raises(BadData, match="held for at least 1"):
        first_reached([[0.1]], target=0.1, held=0)


def test_a_level_nobody_reached_is_a_sentence():
    found = time_to_level([NEVER] * 3, horizon=50)
    assert found.sentence == ("None of 3 courses reached the level within 50 sessions: how long it takes is unknown.")
    assert found.reached == 0
    assert not found.median.has_interval
    assert np.isnan(found.median.value)


def test_one_course_has_no_interval_and_says_so():
    found = time_to_level([10], horizon=50)
    assert found.restricted_mean.note.startswith("One course:")
    assert found.median.method == "none: one course"
    assert not found.restricted_mean.has_interval
    assert not found.share.has_interval


def test_courses_that_are_all_alike_promise_nothing():
    found = time_to_level([2] * 10, horizon=3)
    assert (
        found.median.method
        == found.restricted_mean.method.replace("values", "courses")
        == "none: all 10 courses are equal"
    )


def test_beyond_the_horizon_is_never():
    late, never = time_to_level([10, 60], horizon=50), time_to_level([10, NEVER], horizon=50)
    assert late == never
    assert "half had reached it by 10" in late.sentence


def test_fewer_than_half_have_no_median():
    found = time_to_level([10, *[NEVER] * 9], horizon=50)
    assert found.as_json()["median"]["value"] is None
    assert "fewer than half did" in found.sentence


def test_an_upper_bound_beyond_the_horizon_is_open_and_told():
    found = time_to_level([5, 10, 20, 30, 40, NEVER, NEVER, NEVER], horizon=50)
    assert found.median.high == np.inf
    assert "beyond the horizon" in found.median.note
    assert found.as_json()["median"]["high"] is None


def test_without_censoring_the_restricted_mean_is_the_mean():
    times = [3.0, 8.0, 5.0, 9.0]
    found = time_to_level(times, horizon=50).restricted_mean
    plain = mean_estimate(times)
    assert (found.value, found.low, found.high) == (plain.value, plain.low, plain.high)


def hand_kaplan_meier(times, seen, horizon):
    """Walk along time, one course after the other: survival, area, and the first step at or below one half."""
    alive, survival, area, last, median = len(times), 1.0, 0.0, 0.0, None
    for time in sorted(set(times)):
        area += survival * (time - last)
        last = time
        fell = sum(1 for t, s in zip(times, seen, strict=True) if t == time and s)
        survival *= 1 - fell / alive
        if median is None and survival <= 0.5 + 1e-12:
            median = time
        alive -= sum(1 for t in times if t == time)
    return survival, area + survival * (horizon - last), median


def test_courses_that_left_early_count_as_kaplan_and_meier_say():
    rng = np.random.default_rng(3)
    for _ in range(20):
        times, watched = np.ceil(rng.exponential(20, 12)), np.ceil(rng.uniform(5, 50, 12))
        seen = times <= watched
        found = time_to_level(np.where(seen, times, np.nan), horizon=50, watched=watched)
        until = np.where(seen, times, watched).tolist()
        survival, area, median = hand_kaplan_meier(until, seen.tolist(), 50)
        assert found.restricted_mean.value == pytest.approx(area)
        assert found.share.value == pytest.approx(1 - survival)
        assert found.median.value == pytest.approx(median) if median else np.isnan(found.median.value)


def test_log_log_limits_are_scipys():
    from scipy.stats import CensoredData, ecdf

    times, seen = np.array([4.0, 9, 12, 20, 25, 31, 40, 50]), np.array([1, 1, 0, 1, 1, 0, 1, 0], dtype=bool)
    found = time_to_level(np.where(seen, times, np.nan), horizon=50, watched=np.where(seen, 50.0, times))
    curve = ecdf(CensoredData.right_censored(times, ~seen)).sf
    limits = curve.confidence_interval(method="log-log")
    assert found.share.value == pytest.approx(1 - curve.evaluate(40.0))
    assert found.share.low == pytest.approx(1 - limits.high.evaluate(40.0))
    assert found.share.high == pytest.approx(1 - limits.low.evaluate(40.0))
    inside = [t for t in times[seen] if limits.low.evaluate(t) <= 0.5]
    assert found.median.low == inside[0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"times": [], "horizon": 5}, "at least one course"),
        ({"times": [-1], "horizon": 5}, "from 0 up"),
        ({"times": [1], "horizon": 0}, "horizon is a number above 0"),
        ({"times": [1, 9], "horizon": 10, "watched": [10, 5]}, "up to where it was watched"),
        ({"times": ["soon"], "horizon": 5}, "must be numbers"),
    ],
)
def test_bad_times_are_refused(given, words):
    with pytest.raises(BadData, match=words):
        time_to_level(**given)


def test_everybody_gone_before_the_horizon_is_told():
    found = time_to_level([3, 5, NEVER], horizon=10, watched=[10, 10, 4])
    assert found.share.method == "none: courses left early and none remained"
    assert time_to_level([NEVER, NEVER], horizon=10, watched=[4, 10]).median.method == "none: nobody reached it"
    assert not time_to_level([NEVER], horizon=10, watched=[4]).restricted_mean.has_interval
