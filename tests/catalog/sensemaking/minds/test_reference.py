import json

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.assessment.assess import AssessmentRules, Benchmark, ModelSide, score_model
from mensura.catalog.sensemaking.assessment.skill import skill_by_task
from mensura.catalog.sensemaking.exam.probs import published_probs
from mensura.catalog.sensemaking.minds import MINDS, answer_exam, find_mind
from mensura.catalog.sensemaking.people import read_people, respondents_of
from mensura.errors import BadParameter, UnknownName


@pytest.fixture(scope="module")
def people(data, final_exam):
    return read_people(data / "human_final", final_exam)


def _runs(exam, name, seed=0):
    return respondents_of(
        [check_answers(answer_exam(exam, find_mind(name), rng=np.random.default_rng(seed)), exam)], exam
    )


def _passed(benchmark, exam, name):
    scores = score_model(benchmark, ModelSide(benchmark, _runs(exam, name)))
    return sum(float(score) >= 50 for score in scores.biases.values())


def test_the_bayesian_mind_answers_as_the_published_model(data, final_exam):
    published = answers_from_json(json.loads((data / "results_bayesian.json").read_text()))
    theirs = respondents_of([check_answers(published, final_exam)], final_exam)
    ours = _runs(final_exam, "bayesian")
    for number in range(1, 7):
        np.testing.assert_allclose(ours.tasks[number].stages, theirs.tasks[number].stages, atol=1e-9)
        np.testing.assert_allclose(ours.tasks[number].allocation, theirs.tasks[number].allocation, atol=1e-9)
        np.testing.assert_array_equal(ours.tasks[number].layers, theirs.tasks[number].layers)


def test_a_uniform_model_passes_two_biases_and_three_if_it_asks_for_sigint(final_exam, people):
    benchmark = Benchmark(final_exam, people)
    assert _passed(benchmark, final_exam, "uniform") == 2
    assert _passed(benchmark, final_exam, "uniform-sigint") == 3


def test_under_table_7_as_printed_a_uniform_model_shows_anchoring_too(final_exam, people):
    benchmark = Benchmark(final_exam, people, rules=AssessmentRules(sign=False))
    assert _passed(benchmark, final_exam, "uniform-sigint") == 4


def test_the_uniform_model_has_no_relative_success_at_all(final_exam, people):
    benchmark = Benchmark(final_exam, people)
    scores = score_model(benchmark, ModelSide(benchmark, _runs(final_exam, "uniform")))
    assert [float(scores.tasks[number]) for number in range(1, 6)] == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("name", ["normative", "normative-proportional", "bayesian"])
def test_normative_minds_have_an_s1_of_almost_100(final_exam, name):
    """Not quite: reports are rounded to whole percents before they are scored."""
    for number, skill in skill_by_task(final_exam, _runs(final_exam, name)).items():
        if number != 7:
            assert skill.s1.min() > 99.8


def test_maximising_puts_all_on_one_and_proportional_does_not(final_exam):
    for name, all_on_one in (("normative", True), ("normative-proportional", False)):
        shares = _runs(final_exam, name).tasks[5].allocation
        assert bool((shares.max(axis=-1) == 100).all()) == all_on_one


def test_conservative_without_shrinking_is_bayesian_from_what_was_shown(final_exam):
    full = _runs(final_exam, "conservative:shrink=0").tasks[5].stages[0, 0]
    trial = final_exam.tasks[5].trials[0]
    belief = np.array(trial.humint)
    for stage, layer in enumerate(trial.layers, start=1):
        belief = belief * published_probs().likelihood(layer, trial.feature(layer))
        np.testing.assert_allclose(full[stage], 100 * belief / belief.sum())


def test_conservative_with_full_shrinking_never_moves(final_exam):
    stages = _runs(final_exam, "conservative:shrink=1").tasks[5].stages
    np.testing.assert_allclose(stages, np.broadcast_to(stages[:, :, :1], stages.shape))


def test_averaging_with_all_weight_on_the_prior_never_moves(final_exam):
    stages = _runs(final_exam, "averaging:prior_weight=1").tasks[5].stages
    np.testing.assert_allclose(stages, np.broadcast_to(stages[:, :, :1], stages.shape))


@pytest.mark.parametrize("name", sorted(MINDS))
def test_every_mind_answers_the_whole_exam_without_fault(final_exam, name):
    answers = check_answers(answer_exam(final_exam, find_mind(name), rng=np.random.default_rng(1)), final_exam)
    assert answers.faults == ()
    assert {number: len(trials) for number, trials in answers.tasks.items()} == {
        number: len(task.trials) for number, task in final_exam.tasks.items()
    }
    assert answers.parameters["mind"] == name


def test_nobody_spends_more_credits_than_they_have(final_exam):
    task = final_exam.tasks[7]
    for name in MINDS:
        answers = answer_exam(final_exam, find_mind(name), rng=np.random.default_rng(2))
        credits = task.credits
        for place, trial in enumerate(task.trials, start=1):
            answer = answers.tasks[7][place]
            names = [site.name for site in trial.sites]
            credits += answer.allocation.values[names.index(trial.truth_site)] / 100
            price = dict(zip(trial.layers, trial.costs, strict=True))
            credits -= sum(price[layer] for layer in answer.layers)
            assert credits >= 0


def test_unknown_minds_and_parameters_are_named():
    with pytest.raises(UnknownName, match="Did you mean conservative"):
        find_mind("conservativ")
    with pytest.raises(UnknownName, match="parameter of conservative called 'shrnk'"):
        find_mind("conservative:shrnk=1")
    with pytest.raises(BadParameter, match="shrink of conservative lies between 0 and 1; got 2"):
        find_mind("conservative:shrink=2")
    with pytest.raises(BadParameter, match="should be a number, got 'much'"):
        find_mind("conservative:shrink=much")
