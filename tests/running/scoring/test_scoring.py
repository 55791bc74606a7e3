"""Scoring records, estimating runs, comparing them."""

import numpy as np
import pytest

from mensura.dialogue import Ask, Choice, Items, Number, Outcome, Probability, Record, Scores, test
from mensura.errors import BrokenTest
from mensura.running.results.compare import compare_runs
from mensura.running.results.estimating import estimated
from mensura.running.run import run
from mensura.running.scoring.scoring import merged_details, natural_scores, score_record, scoring_version
from mensura.running.take import take


@test("mixed-v1")
def mixed(rng):
    """Ask several kinds of things that carry truths, and one that carries none."""
    yield Ask("?", Choice(("a", "b")), key="letter", truth="a")
    yield Ask("?", Number(), key="size", truth=3)
    yield Ask("?", Probability(), key="rain", truth=1)
    yield Ask("?", Number(), key="taste", reward=1.0)
    return Outcome(reward=2.0)


ANSWERS = {"letter": "b", "size": 5, "rain": 0.5, "taste": 7}


def test_whatever_carries_a_truth_gets_its_natural_score():
    taken = take(mixed, lambda ask: ANSWERS[ask.key], seed=1)
    scores = score_record(mixed, taken.record, taken.truths)
    assert scores.values["accuracy"].values.tolist() == [0.0]
    assert scores.declared["accuracy"].proportion
    assert scores.values["absolute_error"].values.tolist() == [2.0]
    assert scores.values["quadratic_score"].values.tolist() == [0.0]
    assert scores.values["return"] == 3.0
    assert scoring_version(mixed) == "natural-2"


def test_a_lapsed_or_missing_answer_is_not_a_zero():
    taken = take(mixed, lambda ask: ANSWERS[ask.key], seed=1)
    taken.record.answers[0].value = None
    scores = natural_scores(taken.record, taken.truths)
    assert np.isnan(scores.values["accuracy"].values).all()


def test_a_scoring_that_gives_something_else_is_the_tests_fault():
    odd = test("odd-v1", score=lambda record, truths: 3)(mixed.function)
    with pytest.raises(BrokenTest, match="Scores or a dict"):
        score_record(odd, Record("odd-v1", {}), {})


def test_certainty_that_was_wrong_makes_the_score_unbounded_and_it_is_said():
    sessions = {
        "run/0.0.0": Scores({"logarithmic_score": Items([0.5, -np.inf], ids=["a", "b"])}),
        "run/0.0.1": Scores({"logarithmic_score": Items([0.1], ids=["c"])}),
    }
    estimate = estimated(sessions, {})["logarithmic_score"].estimate
    assert estimate.value == -np.inf
    assert not estimate.has_interval
    assert "1 of 3 items scored without bound" in estimate.method


def test_details_of_one_session_stand_alone_and_of_several_in_a_list():
    assert merged_details([Scores({}, {"bits": 3})]) == {"bits": 3}
    assert merged_details([Scores({}, {"bits": 3}), Scores({}, {"bits": 4})]) == {"details": [{"bits": 3}, {"bits": 4}]}
    assert merged_details([Scores({})]) == {}


def test_runs_with_the_same_items_are_compared_item_by_item(store):
    first = run("coin", "stated", store=store, seed=1)
    second = run("coin", "half", store=store, seed=1)
    comparison = compare_runs(first.head.id, second.head.id, store=store)
    assert comparison.paired
    assert comparison.findings["quadratic_score"].difference.n == 20
    assert comparison.warnings == []
    assert comparison.as_json()["scores"]["quadratic_score"]["population"] == "items"


def test_runs_with_other_items_are_compared_as_two_samples(store):
    run("coin", "stated", store=store, seed=1, sessions=8)
    run("coin", "half", store=store, seed=2, sessions=8, parameters={"flips": 10})
    comparison = compare_runs("last~1", "last", store=store)
    assert not comparison.paired
    assert comparison.findings["quadratic_score"].difference.n == 16
    assert any("parameters" in warning for warning in comparison.warnings)


def test_a_score_without_bound_is_not_compared_and_it_is_said(store):
    run("coin", "constant:1.0", store=store, seed=1, sessions=3)
    run("coin", "half", store=store, seed=1, sessions=3)
    comparison = compare_runs("last~1", "last", store=store)
    assert list(comparison.findings) == ["quadratic_score"]
    assert comparison.warnings == ["logarithmic_score cannot be compared: some items scored without bound."]


def test_runs_of_different_tests_are_warned_of(store):
    run("coin", "chance", store=store, seed=1, sessions=2)
    run("inbox", "chance", store=store, seed=1, sessions=2)
    comparison = compare_runs("last~1", "last", store=store)
    assert comparison.findings == {}
    assert "different tests" in comparison.warnings[0]


def test_the_same_subject_twice_is_told_apart_by_its_run(store):
    first = run("coin", "chance", store=store, seed=1, sessions=3)
    second = run("coin", "chance", store=store, seed=2, sessions=3)
    finding = compare_runs(first.head.id, second.head.id, store=store).findings["quadratic_score"]
    assert finding.names == (f"chance ({first.head.id})", f"chance ({second.head.id})")
