"""What a model leaves out never pays, neither in CPA and CFA nor in S1 and S2."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import read_json_answers
from mensura.catalog.sensemaking.answers.record import record_of, truths_of
from mensura.catalog.sensemaking.assessment.assess import Benchmark, ModelSide, score_model
from mensura.catalog.sensemaking.assessment.cfa import BIASES
from mensura.catalog.sensemaking.assessment.result import assess
from mensura.catalog.sensemaking.assessment.skill import skill_by_task
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.people import read_people, respondents_of
from mensura.catalog.sensemaking.scoring import score

WEIGHTS = {1: 0.05, 2: 0.10, 3: 0.15, 4: 0.15, 5: 0.40, 6: 0.15}


@pytest.fixture(scope="module")
def benchmark(data, final_exam):
    return Benchmark(final_exam, read_people(data / "human_final", final_exam))


@pytest.fixture(scope="module")
def bayesian(data, final_exam):
    return check_answers(read_json_answers(data / "results_bayesian.json"), final_exam)


def _runs(benchmark, *answers):
    return respondents_of([check_answers(each, benchmark.exam) for each in answers], benchmark.exam)


def _keeping(answers, kept):
    """Answers without everything that is not in `kept`: task, trial."""
    tasks = {
        number: {place: trial for place, trial in trials.items() if (number, place) in kept}
        for number, trials in answers.tasks.items()
        if number < 7
    }
    return replace(answers, tasks={number: trials for number, trials in tasks.items() if trials}, faults=())


def _assessed(benchmark, runs):
    return assess(benchmark, runs, model="model", rng=np.random.default_rng(0))


def test_ten_well_chosen_answers_do_not_pass(benchmark, bayesian):
    whole = score_model(benchmark, ModelSide(benchmark, _runs(benchmark, bayesian))).stages
    means = {(n, k + 1): np.nanmean(row) for n, found in whole.stages.items() for k, row in enumerate(found) if n > 1}
    means |= {(6, k + 1): value for k, value in enumerate(whole.matches)} | {(1, 1): 0.0}
    best = [max((key for key in means if key[0] == number), key=means.__getitem__) for number in WEIGHTS]
    found = _assessed(benchmark, _runs(benchmark, _keeping(bayesian, set(best))))
    assert sum(found.missing.values()) == 79 + 10 - 10
    assert found.answered > 80
    assert float(found.scores.cpa) < 15
    assert not found.passes_cpa
    assert not found.passes_cfa
    assert found.biases_passed == ()


def test_cpa_counts_what_is_missing_as_0_over_all_assessed_stages(benchmark, bayesian):
    """Recomputed from the stages of the whole answers, by the definition alone."""
    rng = np.random.default_rng(4)
    kept = {(n, k) for n, trials in bayesian.tasks.items() for k in trials if rng.random() < 0.6}
    whole = score_model(benchmark, ModelSide(benchmark, _runs(benchmark, bayesian))).stages
    tasks = {6: sum(value for k, value in enumerate(whole.matches, 1) if (6, k) in kept) / 10}
    for number, found in whole.stages.items():
        values = [v * ((number, k) in kept) for k, row in enumerate(found, 1) for v in row if np.isfinite(v)]
        tasks[number] = sum(values) / len(values)
    by_hand = sum(weight * tasks[number] for number, weight in WEIGHTS.items())
    scores = score_model(benchmark, ModelSide(benchmark, _runs(benchmark, _keeping(bayesian, kept))))
    assert float(scores.cpa) == pytest.approx(by_hand, abs=1e-9)
    twice = score_model(benchmark, ModelSide(benchmark, _runs(benchmark, bayesian, _keeping(bayesian, kept))))
    full = {number: float(value) for number, value in zip(WEIGHTS, map(whole.task_value, WEIGHTS), strict=True)}
    of_two = sum(weight * (full[number] + tasks[number]) / 2 for number, weight in WEIGHTS.items())
    assert float(twice.cpa) == pytest.approx(of_two, abs=1e-9)


@pytest.mark.parametrize("name", ["conservative", "uniform-sigint", "averaging"])
def test_leaving_more_out_never_raises_a_score(benchmark, name):
    answers = answer_exam(benchmark.exam, find_mind(name), rng=np.random.default_rng(0))
    order = [(number, place) for number, trials in answers.tasks.items() for place in trials if number < 7]
    np.random.default_rng(1).shuffle(order)
    before = None
    for count in range(len(order), 0, -7):
        runs = _runs(benchmark, _keeping(answers, set(map(tuple, order[:count]))))
        scores = score_model(benchmark, ModelSide(benchmark, runs))
        now = [float(scores.cpa), *(float(scores.biases[bias]) for bias in BIASES)]
        assert before is None or all(new <= old + 1e-9 for new, old in zip(now, before, strict=True))
        before = now


def test_confirmation_is_not_shown_by_leaving_out_the_other_trials(benchmark, bayesian):
    confirming = bayesian.tasks[6][1]
    assert any(layer.kind == "SIGINT" for layer in confirming.layers)
    few = replace(bayesian, tasks={6: {1: confirming, 2: bayesian.tasks[6][2]}})
    scores = score_model(benchmark, ModelSide(benchmark, _runs(benchmark, few)))
    assert float(scores.biases["confirmation"]) == 0


def test_what_a_file_leaves_out_of_a_task_counts_0_in_s1_and_s2(benchmark, bayesian):
    kept = {(n, k) for n, trials in bayesian.tasks.items() for k in trials if k % 2}
    few = check_answers(_keeping(bayesian, kept), benchmark.exam)
    first = few.tasks[5][1]
    few = replace(few, tasks={**few.tasks, 5: {**few.tasks[5], 1: replace(first, stages=(*first.stages[:-1], None))}})
    whole = skill_by_task(benchmark.exam, respondents_of([bayesian], benchmark.exam))
    skill = skill_by_task(benchmark.exam, respondents_of([few], benchmark.exam))
    scores = score(record_of(few, benchmark.exam), truths_of(few, benchmark.exam))
    found = {
        name: dict(zip(scores.values[name].keys, scores.values[name].values, strict=True)) for name in ("s1", "s2")
    }
    for number in range(1, 7):
        for place in bayesian.tasks[number]:
            s1 = (
                whole[number].stages[0, place - 1, 1:4].sum() / 4
                if (number, place) == (5, 1)
                else whole[number].s1[0, place - 1]
            )
            for name, value in (("s1", s1), ("s2", whole[number].s2[0, place - 1])):
                expected = value if (number, place) in kept else 0.0
                assert getattr(skill[number], name)[0, place - 1] == pytest.approx(expected, abs=1e-9)
                assert found[name][f"{number}.{place}"] == pytest.approx(expected, abs=1e-9)
