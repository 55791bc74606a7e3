"""Chance and state from outside the generator are caught."""

import itertools

import numpy as np

from mensura.dialogue import Ask, Choice, Number
from mensura.running.checks.replaying import check_replays_alike
from tests.running.checks.examined import trial_of


def test_chance_from_elsewhere_is_caught():
    outside = np.random.default_rng()

    def leaky(rng):
        yield Ask(f"Is it {outside.random()}?", Choice(("yes", "no")), key="q")

    found = check_replays_alike(trial_of(leaky))
    assert found.passed is False
    assert "two sessions of one seed differ" in found.words


def test_truths_from_elsewhere_are_caught():
    outside = np.random.default_rng()

    def leaky(rng):
        yield Ask("How much?", Number(), key="q", truth=outside.random())

    found = check_replays_alike(trial_of(leaky))
    assert found.passed is False
    assert "the truth of 'q' is another" in found.words


def test_state_outside_the_generator_is_caught():
    calls = itertools.count()

    def stateful(rng):
        for _ in range(3):
            yield Ask(f"Ask number {next(calls)}.", Choice(("yes", "no")))

    assert check_replays_alike(trial_of(stateful)).passed is False
