"""What intervals of few courses are worth, by simulation of courses whose true mean is known."""

import numpy as np
import pytest

from mensura.stats import Scale, learning_curve
from mensura.stats.adaptivity import course_mean
from mensura.stats.adaptivity.courses import FEW

ZERO_TO_ONE = Scale(0, 1)
LAWS = {
    "uniform": (lambda rng, n: rng.random(n), 0.5),
    "good": (lambda rng, n: rng.beta(8, 2, n), 0.8),
    "near the bound": (lambda rng, n: rng.beta(9, 1, n), 0.9),
    "at both ends": (lambda rng, n: rng.beta(0.5, 0.5, n), 0.5),
}
FREE = {"normal": (lambda rng, n: rng.normal(3, 2, n), 3.0), "skewed": (lambda rng, n: rng.exponential(1, n), 1.0)}


def coverage(draw, truth, n, *, studies, **how):
    rng = np.random.default_rng([n, studies])
    found = [course_mean(draw(rng, n), **how) for _ in range(studies)]
    assert all(one.has_interval for one in found)
    return np.mean([one.low <= truth <= one.high for one in found]), found


def check(studies, counts, slack):
    for draw, truth in LAWS.values():
        for n in counts:
            bounded, found = coverage(draw, truth, n, studies=studies, scale=ZERO_TO_ONE)
            assert bounded >= 0.97 - slack
            assert all(0 <= one.low <= one.high <= 1 for one in found)
            plain, _ = coverage(draw, truth, n, studies=studies)
            assert 0.86 - slack <= plain <= 0.98 + slack
    for name, (draw, truth) in FREE.items():
        for n in counts:
            share, found = coverage(draw, truth, n, studies=studies)
            assert (0.93 if name == "normal" else 0.86) - slack <= share <= 0.97 + slack
            assert all(one.note == FEW for one in found)


def test_intervals_of_few_courses_cover_as_their_note_says():
    # With 200 studies a share of .86 is known to within .074, three standard errors.
    check(200, (3, 6), 0.074)


@pytest.mark.proof
def test_intervals_of_two_to_seven_courses_cover_as_their_note_says():
    check(4000, (2, 3, 4, 5, 6, 7), 0.016)


def test_one_course_has_no_interval_and_eight_have_no_such_note():
    assert not course_mean([0.7], scale=ZERO_TO_ONE).has_interval
    assert "One course" in course_mean([0.7], scale=ZERO_TO_ONE).note
    assert FEW not in course_mean(np.linspace(0.2, 0.9, 8), scale=ZERO_TO_ONE).note


def test_points_of_a_curve_stay_within_the_bounds_that_the_score_has():
    scores = [[0.1, 1.0, 1.0], [0.0, 0.9, 1.0], [0.0, 1.0, 0.8], [0.4, 0.7, 1.0]]
    plain, bounded = learning_curve(scores), learning_curve(scores, scale=ZERO_TO_ONE)
    assert any(point.high > 1 or point.low < 0 for point in plain.points)
    for point, other in zip(bounded.points, plain.points, strict=True):
        assert point.value == pytest.approx(other.value)
        assert 0 <= point.low <= point.value <= point.high <= 1
    assert bounded.area.high <= 1
    assert plain.gain.high > 1
    assert (bounded.gain.value, bounded.gain.low, bounded.gain.high) == (plain.gain.value, plain.gain.low, 1)
