"""Intervals of CPA over trials, and over people and trials, cover the truth as often as they promise, by simulation."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.assessment.assess import AssessmentRules, Benchmark, ModelSide, score_cpa, score_tasks
from mensura.catalog.sensemaking.assessment.average import average
from mensura.catalog.sensemaking.assessment.cpa import overall
from mensura.catalog.sensemaking.assessment.resampling import interval, resample, trials_quantile
from mensura.catalog.sensemaking.generating import Design, generate_exam
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.minds.simulated import simulate_people
from mensura.catalog.sensemaking.people import respondents_of
from tests.proofs import proofs

pytestmark = pytest.mark.slow

PUBLISHED = {1: 10, 2: 5, 3: 5, 4: 10, 5: 10, 6: 10}
"""Trials of each task in the published design: what one study has."""
STUDIES = 240


@pytest.fixture(scope="module")
def world():
    """Many trials of every task, and simulated people who took them all: the population studies draw from."""
    many = Design(
        blocks_1=40, blocks_2=20, blocks_3=20, trials_4=40, trials_5=40, trials_6=40, trials_7=2,
        shortest_wave=2, longest_wave=2,
    )  # fmt: skip
    exam = generate_exam(np.random.default_rng(5), design=many)
    people = simulate_people(exam, count=90, rng=np.random.default_rng(6), tasks=range(1, 7))
    respondents = respondents_of([check_answers(person, exam) for person in people], exam)
    return exam, Benchmark(exam, respondents, rules=AssessmentRules(exclusions="computed"))


def _model(world, name):
    exam, whole = world
    answers = answer_exam(exam, find_mind(name), rng=np.random.default_rng(0))
    return ModelSide(whole, respondents_of([check_answers(answers, exam)], exam))


def _on_trials(whole, model, picks, people):
    """A study: some trials of every task, and some people (None: all of them)."""
    study, side = copy(whole), copy(model)
    study.assessed_stages = {number: use[picks[number]] for number, use in whole.assessed_stages.items()}
    side.mean, side.sequence = _picked(model.mean, picks), model.sequence[picks[6]]
    side.answered = {number: share[picks[number]] for number, share in model.answered.items() if number in picks}
    if people is None:
        study.human = _picked(whole.human, picks)
        return study, side
    parts = ("stages", "allocation", "layers", "surprise", "drawn")
    tasks = {
        number: replace(people.tasks[number], **{part: getattr(people.tasks[number], part)[:, use] for part in parts})
        for number, use in picks.items()
    }
    study.people = replace(people, tasks=tasks)
    study.human = average(study.people)
    return study, side


def _picked(mean, picks):
    return replace(
        mean,
        stages={number: values[picks[number]] for number, values in mean.stages.items() if number in picks},
        allocation={number: values[picks[number]] for number, values in mean.allocation.items() if number in picks},
        sequences=mean.sequences[picks[6]],
    )


def _coverage(world, name, *, over, studies=STUDIES, draws=80):
    _, whole = world
    model = _model(world, name)
    truth = float(score_cpa(whole, model))
    rng = np.random.default_rng(12)
    covered = 0
    for _ in range(studies):
        picks = {
            number: rng.integers(len(values), size=PUBLISHED[number])
            for number, values in whole.human.stages.items()
            if number < 7
        }
        people = None if over == "trials" else whole.people.subset(rng.integers(len(whole.people), size=60))
        study, side = _on_trials(whole, model, picks, people)
        drawn = resample(people=len(study.people), trials=PUBLISHED, draws=draws, rng=rng)
        value = float(score_cpa(study, side))
        if over == "trials":
            tasks = score_tasks(study, side, resamples=drawn.only_trials())
            quantile = trials_quantile(tasks, weights=whole.rules.weights, trials=PUBLISHED)
            low, high = interval(value, overall(tasks, weights=whole.rules.weights), quantile=quantile)
        else:
            low, high = interval(value, score_cpa(study, side, resamples=drawn))
        covered += low <= truth <= high
    return covered / studies


@pytest.mark.parametrize("name", ["bayesian", *proofs("averaging", "representativeness", "normative")])
@pytest.mark.proof
def test_the_interval_over_trials_covers_the_cpa_of_all_trials(world, name):
    """240 studies with the published number of trials, drawn from a population of them; people stay the same.

    At 95 %, 240 studies cover 91.2 to 98.4 % in 99 of 100 such tests.
    """
    assert 0.912 <= _coverage(world, name, over="trials") <= 0.984


@pytest.mark.parametrize("name", ["conservative", *proofs("anchoring", "uniform-sigint")])
def test_the_interval_over_trials_is_somewhat_short_at_the_ends_of_the_scale(world, name):
    """A limit that the docs state: where almost all trials score alike, the rare other one is missing from many
    studies of ten."""
    assert 0.86 <= _coverage(world, name, over="trials") < 0.95


@pytest.mark.parametrize("name", [*proofs("bayesian"), "conservative"])
def test_the_interval_over_people_and_trials_covers_the_cpa_of_all_people_and_trials(world, name):
    """Both drawn anew in every study. The interval is rather wide than narrow: noise of people is met twice."""
    assert 0.95 <= _coverage(world, name, over="both", studies=120) <= 1.0
