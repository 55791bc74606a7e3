import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats.adaptivity import continual, recovery_trend, sample_efficiency

R = np.array([[0.8, 0.3, 0.2], [0.6, 0.9, 0.4], [0.5, 0.7, 0.85]])


def loops(levels, base):
    """Write ACC, BWT and FWT as loops over the definition."""
    tasks = len(levels)
    acc = sum(levels[tasks - 1][j] for j in range(tasks)) / tasks
    bwt = sum(levels[tasks - 1][j] - levels[j][j] for j in range(tasks - 1)) / (tasks - 1)
    fwt = sum(levels[j - 1][j] - base[j] for j in range(1, tasks)) / (tasks - 1)
    lost = [max(levels[i][j] for i in range(tasks - 1)) - levels[tasks - 1][j] for j in range(tasks - 1)]
    return acc, bwt, fwt, lost


@pytest.mark.parametrize("tasks", [2, 3, 6])
def test_vectors_agree_with_loops_over_the_definitions(tasks):
    rng = np.random.default_rng(tasks)
    levels, base = rng.random((tasks, tasks)), rng.random(tasks)
    acc, bwt, fwt, lost = loops(levels, base)
    found = continual(levels, untrained=base)
    assert (found.acc.value, found.bwt.value, found.fwt.value) == pytest.approx((acc, bwt, fwt))
    assert [part.value for part in found.forgetting] == pytest.approx(lost)


def test_courses_give_the_interval():
    courses = [R, R + 0.1, R - 0.05, R + 0.02]
    found = continual(courses, untrained=[[0.1] * 3] * 4)
    assert found.acc.n == 4
    assert found.acc.has_interval
    assert found.acc.value == pytest.approx(np.mean([one[-1].mean() for one in courses]))


def test_one_course_and_no_baseline_are_told():
    found = continual(R)
    assert found.fwt is None
    assert "with no error estimate (one course)" in found.sentence
    assert "On tasks to come" not in found.sentence


def test_noise_alone_makes_chaudhrys_forgetting_positive_but_not_backward_transfer():
    rng = np.random.default_rng(5)
    found = continual(0.7 + rng.normal(0, 0.1, (400, 4, 4)))
    assert found.mean_forgetting.low > 0
    assert found.maximal_forgetting.value > found.mean_forgetting.value
    assert not found.bwt.excludes(0)
    assert not found.maintenance.excludes(0)


@pytest.mark.parametrize(
    ("levels", "base", "words"),
    [
        ([[0.1, 0.2]], None, "as many phases as tasks"),
        ([[0.1]], None, "at least two"),
        ([[0.1, "x"], [0.2, 0.3]], None, "square table of numbers"),
        ([[0.1, None], [0.2, 0.3]], None, "R must be whole"),
        (R, [0.1, 0.1], "one for each of 3 tasks"),
        (R, "low", "one for each of 3 tasks"),
    ],
)
def test_bad_matrices_are_refused(levels, base, words):
    with pytest.raises(BadData, match=words):
        continual(levels, untrained=base)


def test_recovery_trend_is_minus_the_theil_sen_slope():
    from scipy.stats import theilslopes

    times = np.random.default_rng(1).exponential(10, (5, 6))
    assert recovery_trend(times).value == pytest.approx(-np.mean([theilslopes(row).slope for row in times]))
    with pytest.raises(BadData, match="at least two changes"):
        recovery_trend([[3]])


def test_sample_efficiency_is_level_times_speed_against_the_expert():
    ours, expert = [[0.2, 0.4, 0.8, 0.8]], [[0.1, 0.2, 0.5, 1.0]]
    assert sample_efficiency(ours, expert=expert).value == pytest.approx(0.8 / 1.0 * 4 / 3)
    assert sample_efficiency(expert, expert=expert, window=2).value == pytest.approx(1)
    with pytest.raises(BadData, match="as many courses of the expert"):
        sample_efficiency(ours, expert=[])
