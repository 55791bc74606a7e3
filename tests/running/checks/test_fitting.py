"""Truths that nobody could answer are caught."""

import pytest

from mensura.dialogue import (
    Action,
    Allocation,
    Ask,
    Choice,
    Density,
    Distribution,
    Likert,
    Number,
    Point,
    Probability,
    Text,
)
from mensura.running.checks.fitting import check_truth_fits, misfit
from tests.running.checks.examined import good, saving, trial_of

COLOURS = ("red", "blue")


def test_a_truth_outside_its_space_is_caught():
    def green(rng):
        yield Ask("Which?", Choice(COLOURS), key="q", truth="green")

    found = check_truth_fits(trial_of(green))
    assert found.passed is False
    assert found.words == "the truth of 'q' is 'green', which nobody can answer: Choose one of red, blue; got 'green'."
    own = check_truth_fits(trial_of(green, score=lambda record, truths: {}))
    assert own.passed is None
    assert "its own scoring" in own.words


@pytest.mark.parametrize(
    ("space", "right", "wrong"),
    [
        (Action(COLOURS), 1, "blue"),
        (Likert(5), 3, 6),
        (Number(0, 10), 7.5, 11),
        (Number(0, 10), float("nan"), "many"),
        (Text(longest=5), "short", "too long"),
        (Probability(), True, 0.5),
        (Distribution(COLOURS), "red", "green"),
        (Distribution(COLOURS), 1, 2),
        (Density(0, 10), 12.0, "many"),
        (Allocation(COLOURS, total=10), {"red": 4, "blue": 6}, {"green": 10}),
        (Allocation(COLOURS, total=10), [4, 6], [10]),
        (Point(), [1, 2], "here"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_each_kind_of_space_takes_its_kind_of_truth(space, right, wrong):
    assert misfit(space, right) == ""
    assert misfit(space, wrong) != ""


def test_truths_that_fit_and_tests_without_any_pass():
    assert check_truth_fits(trial_of(good)).passed
    assert check_truth_fits(trial_of(saving)).passed is None
