"""Levels of courses near chance, where the scale changes its slope."""

import numpy as np
import pytest

from mensura.running.adaptivity.levels import sided
from mensura.stats.adaptivity import course_difference

COURSES, STUDIES = 12, 600


def performance(score, chance, *, oracle=1.0, worst=0.0):
    return (score - chance) / (oracle - chance if score >= chance else chance - worst)


def test_the_mean_of_levels_is_the_performance_of_the_mean():
    rng = np.random.default_rng(1)
    for chance in (0.2, 0.8):
        for mean in (0.1, chance - 0.01, chance, 0.9):
            scores = mean + 0.05 * rng.standard_normal(COURSES)
            levels = sided((scores - chance) / (1 - chance), steeper=(1 - chance) / chance)
            assert levels.mean() == pytest.approx(performance(scores.mean(), chance))


def test_levels_of_courses_without_a_score_stay_unknown():
    found = sided(np.array([-0.4, np.nan, -0.2]), steeper=2.0)
    assert np.isnan(found).tolist() == [False, True, False]
    assert found[[0, 2]].tolist() == pytest.approx([-0.8, -0.4])


@pytest.mark.parametrize("chance", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("away", [0.0, 1.0, 3.0])
def test_the_interval_of_a_difference_of_levels_is_not_too_short_near_chance(chance, away):
    """Coverage is 94 to 99 %, the most where both lie at chance; 600 studies tell it from 90 %."""
    rng = np.random.default_rng([round(10 * chance), round(away)])
    error = 0.05 / np.sqrt(COURSES)
    truth = performance(chance + away * error, chance) - performance(chance - error, chance)
    covered = 0
    for _ in range(STUDIES):
        scores = 0.05 * rng.standard_normal((2, COURSES)) + [[chance + away * error], [chance - error]]
        levels = [sided((one - chance) / (1 - chance), steeper=(1 - chance) / chance) for one in scores]
        found = course_difference(*levels)
        covered += found.low <= truth <= found.high
    assert covered / STUDIES > 0.92
