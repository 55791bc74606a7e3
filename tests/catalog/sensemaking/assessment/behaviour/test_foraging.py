import numpy as np
import pytest

from mensura.catalog.sensemaking.assessment.behaviour.foraging import foraging
from mensura.catalog.sensemaking.generating import generate_exam
from mensura.catalog.sensemaking.people import read_people
from mensura.catalog.sensemaking.people.respondents import Respondents, TaskAnswers


@pytest.fixture(scope="module")
def exam():
    return generate_exam(np.random.default_rng(5))


def _buyers(exam, *, when):
    """Forty subjects who believe the sites alike but for noise, and buy when `when` of their surprise says so."""
    rng = np.random.default_rng(1)
    data = TaskAnswers.empty(exam, 7, subjects=40)
    truth = [int(trial.truth_site) - 1 for trial in exam.tasks[7].trials]
    for subject, trial in np.ndindex(40, len(truth)):
        belief = 100 * rng.dirichlet(np.ones(4))
        data.stages[subject, trial] = belief
        data.allocation[subject, trial] = belief
        bits = -np.log2(max(belief[truth[trial]] / 100, 0.01))
        if when(bits, rng):
            data.layers[subject, trial, 0] = 0
    return Respondents(tuple(f"s{i}" for i in range(40)), ("standard",) * 40, {7: data})


def test_buying_when_surprised_is_found(exam):
    found = foraging(exam, _buyers(exam, when=lambda bits, rng: bits > 2))
    assert found.within_trials.low > 0
    assert "buy when they are surprised" in found.sentence


def test_buying_at_random_is_not_taken_for_foraging(exam):
    found = foraging(exam, _buyers(exam, when=lambda bits, rng: rng.random() < 0.4))
    assert found.within_trials.low < 0 < found.within_trials.high
    assert "do not follow surprise" in found.sentence


def test_nothing_can_be_said_of_subjects_who_never_buy(exam):
    found = foraging(exam, _buyers(exam, when=lambda bits, rng: False))
    assert np.isnan(found.own_difference.value)
    assert "Too few" in found.sentence


def test_people_of_the_final_exam_bought_928_reports(data, final_exam):
    found = foraging(final_exam, read_people(data / "human_final", final_exam))
    assert sum(found.bought.values()) == 928
    assert found.rate.n == 101
    assert found.rate_by_trial[-1] == 0
