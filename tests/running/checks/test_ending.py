"""Tests that do not end, break, or hang on answers that do not come are caught."""

import re

import pytest

from mensura.dialogue import Ask, Choice, Number, test
from mensura.errors import BrokenTest
from mensura.running.check import check_test
from mensura.running.checks.ending import check_declines, check_ends
from tests.running.checks.examined import QUICK, good, trial_of


def test_a_test_without_end_is_caught():
    def endless(rng):
        while True:
            yield Ask("More?", Choice(("yes", "no")))

    found = check_ends(trial_of(endless))
    assert found.passed is False
    assert "does not finish within 200 asks" in found.words


def test_a_test_that_raises_is_caught_and_nothing_more_is_checked():
    def raising(rng):
        yield Ask("Well?", Choice(("yes", "no")))
        raise ZeroDivisionError("oops")

    report = check_test(test("raising-v1")(raising), options=QUICK)
    assert not report.passed
    assert len(report.checks) == 1
    assert re.search(r"raised ZeroDivisionError in .*test_ending\.py, line \d+: oops", str(report))
    with pytest.raises(BrokenTest, match="does not keep the contract"):
        report.require()


def test_scoring_that_raises_is_caught():
    def score(record, truths):
        return {"first": float(record.answers[0].value)}

    found = check_ends(trial_of(good, score=score))
    assert found.passed is False
    assert "raised ValueError" in found.words
    assert "The scoring of" in found.words


def test_breaking_on_declined_answers_is_caught():
    def proud(rng):
        answer = yield Ask("A number?", Number(0, 1))
        yield Ask(f"Twice that is {answer * 2}.")

    found = check_declines(trial_of(proud))
    assert found.passed is False
    assert "declined answers" in found.words


def test_asking_for_ever_until_answered_is_caught():
    def stubborn(rng):
        answer = None
        while answer is None:
            answer = yield Ask("You must answer.", Choice(("yes", "no")))

    trial = trial_of(stubborn)
    assert check_ends(trial).passed
    found = check_declines(trial)
    assert found.passed is False
    assert "does not finish" in found.words


def test_breaking_only_on_lapses_is_caught():
    def timed(rng, *, clock):
        answer = yield Ask("Quick!", Number(0, 1), until=5)
        if answer is None and clock.now == 5:
            raise RuntimeError("too late")

    found = check_declines(trial_of(timed))
    assert found.passed is False
    assert "lapsed asks" in found.words
