"""Batch forms that say otherwise than the dialogue are caught."""

import re

import pytest

from mensura.dialogue import Ask, Choice, Scores, test
from mensura.running.check import check_test
from mensura.running.checks.batch import check_batch
from tests.running.checks.examined import QUICK, Chatty, good, trial_of


@pytest.mark.parametrize(("accuracy", "passed"), [(1.0, True), (0.8, False)])
def test_a_batch_form_that_says_otherwise_is_caught(accuracy, passed):
    def batch(rng, subject, **parameters):
        return Scores({"accuracy": accuracy}) if isinstance(subject, Knowing) else None

    class Knowing:
        def __call__(self, ask):
            return "a"

    def all_a(rng):
        for i in range(3):
            yield Ask("Which?", Choice(("a", "b")), key=f"q{i}", truth="a")

    made = {"subjects": {"knowing": Knowing, "other": Chatty}, "batch": batch}
    found = check_batch(trial_of(all_a, **made))
    assert found.passed is passed


def test_a_batch_form_with_other_scores_is_caught_and_none_is_no_fault():
    def batch(rng, subject, **parameters):
        return Scores({"else": 1.0})

    class Letters:
        def __call__(self, ask):
            return "a"

    found = check_batch(trial_of(good, subjects={"letters": Letters}, batch=batch))
    assert found.passed is False
    assert "the arrays else" in found.words
    assert check_batch(trial_of(good)).passed is None
    assert check_batch(trial_of(good, subjects={"a": Letters}, batch=lambda rng, subject, **given: None)).passed is None


def test_a_batch_form_that_raises_is_caught():
    def batch(rng, subject, **parameters):
        raise IndexError("oops")

    made = test("raising-v1", subjects={"chatty": Chatty}, batch=batch)(good)
    report = check_test(made, options=QUICK)
    (check,) = report.failed
    assert check.name == "batch"
    assert re.fullmatch(r"it raised IndexError in .*test_batch\.py, line \d+: oops", check.words)
