"""Agents do what they are for: controllers solve their tasks, learners learn, and none knows what it is not told."""

import numpy as np
import pytest

from mensura.catalog.find import find_test
from mensura.catalog.task_environments.agents.learner import MotorQLearning, MotorSarsa
from mensura.catalog.task_environments.agents.model_learner import ModelLearner
from mensura.catalog.task_environments.agents.told import Aims
from mensura.catalog.task_environments.scoring import score
from mensura.dialogue import Ask, Readings
from mensura.errors import BadParameter
from mensura.running.take import take
from mensura.subjects import find_subject

TEST = find_test("task-environments")


def attempts(subject, task, *, episodes, seed=1, **others):
    made = find_subject(subject, TEST)() if isinstance(subject, str) else subject
    taken = take(TEST, made, seed=seed, parameters={"task": task, "episodes": episodes, **others})
    return {name: np.asarray(items.values) for name, items in score(taken.record, taken.truths).values.items()}


@pytest.mark.parametrize(
    ("agent", "task"),
    [
        ("pid", "car-race"),
        ("pid", "parking"),
        ("pid", "keep"),
        ("plotter", "locking-plotter"),
        ("plotter", "plotter-2d"),
        ("n-controller", "n-dimensions-original:5"),
        ("model-learner", "car-race"),
        ("model-learner", "parking"),
        ("full-throttle", "two-agents"),
    ],
)
def test_a_controller_solves_the_task_that_it_is_made_for(agent, task):
    assert attempts(agent, task, episodes=4)["solved"].tolist() == [1.0] * 4


def test_who_is_not_told_the_goals_does_not_know_them():
    found = attempts("pid", "car-race", episodes=2, told="reward")
    assert found["solved"].tolist() == [0.0, 0.0]


def test_goals_are_read_from_the_words_in_their_order():
    aims = Aims()
    words = "Your goals:\n- still: the velocity of car at 0, at most 0.05 off\n- in: car at 100, at most 5 off"
    aims.hear(Ask(f"Every 0.25 s you read your sensors.\n{words}\n- up: arm at 1, at most 0.1 off, while in"))
    assert (aims.targets, aims.widths) == ([100.0, 1.0], [5.0, 0.1])
    assert aims.errors(Readings([40.0, 3.0, 0.25], ("place", "speed", "height"))) == [60.0, 0.75]


def test_sarsa_solves_more_as_it_goes_on():
    runs = [attempts("sarsa", "car-race", episodes=120, seed=seed)["solved"] for seed in range(3)]
    first, last = (np.mean([run[part] for run in runs]) for part in (slice(0, 20), slice(-20, None)))
    assert last > first + 0.2


def test_what_a_learner_knows_can_be_taken_away_and_given_back():
    learner = MotorSarsa()
    learner.begin(np.random.default_rng(0))
    attempts(learner, "car-race", episodes=5)
    kept, known = learner.snapshot(), learner.knowledge()
    assert known > 10
    learner.restore({})
    assert learner.knowledge() == 0
    learner.restore(kept)
    assert (learner.snapshot(), learner.knowledge()) == (kept, known)


def test_a_frozen_learner_learns_nothing():
    learner = MotorQLearning()
    learner.learning = False
    attempts(learner, "car-race", episodes=2)
    assert learner.knowledge() == 0


def test_the_model_learner_finds_mass_and_friction():
    learner = ModelLearner()
    attempts(learner, "car-race", episodes=6)
    mass, slowing = learner.model(0)
    assert mass == pytest.approx(5, rel=0.05)
    assert slowing == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levels": 4}, "3 or 5 levels"),
        ({"rate": 0}, "between 0 and 1"),
        ({"cells": "5,x"}, "sizes with commas"),
        ({"cells": "0"}, "above 0"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, words):
    with pytest.raises(BadParameter, match=words):
        MotorSarsa(**options)


def test_five_levels_are_half_powers_too():
    learner = MotorSarsa(levels=5)
    attempts(learner, "car-race", episodes=1)
    assert sorted(setting[0] for setting in learner._settings) == [-200, -100, 0, 100, 200]
