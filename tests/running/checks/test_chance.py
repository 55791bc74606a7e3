"""Wrong chance levels are caught."""

import numpy as np
import pytest

from mensura.dialogue import Ask, Choice, Items, test
from mensura.running.check import CheckOptions, make_trial
from mensura.running.checks.chance import check_chance_level
from tests.running.checks.examined import good, trial_of


@pytest.mark.parametrize(
    ("chance", "passed", "words"),
    [
        ({"accuracy": 1 / 3}, True, "declared 0.3333"),
        ({"accuracy": 0.9}, False, "declared 0.9"),
        ({"brilliance": 0.5}, False, "scores are accuracy"),
        ({}, None, "none is declared"),
    ],
)
def test_wrong_chance_levels_are_caught(chance, passed, words):
    made = test("level-v1", chance=chance)(good)
    found = check_chance_level(make_trial(made, options=CheckOptions(sessions=20)))
    assert found.passed is passed
    assert words in found.words


def test_a_chance_level_that_is_exact_must_be_exact():
    def score(record, truths):
        return {"constant": 2.0}

    assert check_chance_level(trial_of(good, score=score, chance={"constant": 2.0})).passed
    assert check_chance_level(trial_of(good, score=score, chance={"constant": 2.1})).passed is False


def test_an_event_too_rare_to_be_seen_is_no_fault():
    def score(record, truths):
        return {"reached": Items([1.0] * 10)}

    # Fifty hits in fifty are likely at 0.999 and out of the question at 0.7.
    assert check_chance_level(trial_of(good, score=score, chance={"reached": 0.999})).passed
    assert check_chance_level(trial_of(good, score=score, chance={"reached": 0.7})).passed is False


def test_a_level_for_what_is_never_scored_is_caught():
    def score(record, truths):
        return {"never": Items([np.nan])}

    found = check_chance_level(trial_of(good, score=score, chance={"never": 0.0}))
    assert found.passed is False
    assert "too few to judge" in found.words


def test_a_test_of_its_own_chance_is_measured_by_that():
    class AlwaysA:
        def __call__(self, ask):
            return "a"

    def all_a(rng):
        for i in range(3):
            yield Ask("Which?", Choice(("a", "b")), key=f"q{i}", truth="a")

    assert check_chance_level(trial_of(all_a, subjects={"chance": AlwaysA}, chance={"accuracy": 1.0})).passed
