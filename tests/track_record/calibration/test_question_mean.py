import numpy as np
import pytest

from mensura.scores.rule import rule
from mensura.stats import Scale
from mensura.track_record.calibration.diagnosis import DiagnosisOptions, diagnose
from mensura.track_record.calibration.question_mean import question_mean, scale_of_rule
from mensura.track_record.calibration.sheet import Sheet


@pytest.mark.parametrize("rows", [40, 30_000, 250_000])
def test_intervals_have_the_width_of_the_normal_ones(rows):
    values = np.random.default_rng(rows).normal(2, 3, rows)
    found = question_mean(values, scale=Scale())
    assert found.value == pytest.approx(values.mean())
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * values.std(ddof=1) / np.sqrt(rows), rel=0.1)


def test_intervals_cover_the_mean_at_the_nominal_rate():
    rng = np.random.default_rng(1)
    found = [question_mean(rng.normal(1, 1, 25), scale=Scale()) for _ in range(600)]
    assert np.mean([one.low <= 1 <= one.high for one in found]) == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize(("rows", "least"), [(5, 0.85), (10, 0.85), (20, 0.93)])
@pytest.mark.parametrize("name", ["log", "quadratic"])
def test_intervals_of_forecasters_cover_surprises_or_say_that_they_may_not(name, rows, least):
    rng = np.random.default_rng(3)
    each = rule(name)
    scale = scale_of_rule(each, alternatives=[2])
    many = rng.uniform(0.6, 0.95, 100_000)
    true = each.gain(np.stack([many, 1 - many], axis=1)).mean()
    covered, told = [], []
    for _ in range(400):
        stated = rng.uniform(0.6, 0.95, rows)
        happened = rng.random(rows) < stated
        values = each.score(forecast=np.stack([stated, 1 - stated], axis=1), outcome=(~happened).astype(int))
        one = question_mean(values, scale=scale)
        covered.append(one.low <= true <= one.high)
        told += [] if covered[-1] else ["too narrow" in one.note or "cannot rule out" in one.note]
    assert np.mean(covered) >= least
    assert np.mean(covered) >= 0.93 or np.mean(told) > 0.9


def test_few_questions_say_so_and_equal_ones_of_a_bounded_rule_are_not_certain():
    few = question_mean(np.array([0.1, 0.2, 0.3]), scale=Scale(high=np.log(2)))
    assert few.population == "questions"
    assert "3 questions are too few for a useful interval" in few.note
    same = question_mean(np.zeros(50), scale=Scale())
    assert np.isnan(same.low)
    assert "equal" in same.method
    assert question_mean(np.zeros(50), scale=Scale(-0.75, 0.25)).has_interval


@pytest.mark.parametrize("rows", [5, 50, 30_000])
def test_infinite_losses_stay_infinite_without_a_crash(rows):
    values = np.zeros(rows)
    values[0], values[1] = -np.inf, 1
    found = question_mean(values, scale=Scale(high=1))
    assert found.value == -np.inf
    assert np.isnan(found.low)
    assert "without bound" in found.method


def test_the_interval_of_a_score_does_not_depend_on_the_rule_that_was_chosen():
    rng = np.random.default_rng(5)
    stated = rng.random(12)
    sheet = Sheet.binary(stated, rng.random(12) < stated)
    chosen = [diagnose(sheet, options=DiagnosisOptions.named(name)).scores["log"] for name in ("log", "spherical")]
    assert chosen[0] == chosen[1]
