"""The small learner: it learns, it can be probed, and what it learned can be kept."""

import json

import numpy as np

from mensura.catalog.corridor.dialogue import corridor
from mensura.catalog.corridor.subjects import QLearner
from mensura.dialogue import Address
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def mean_return(subject, *, seed, episodes=100):
    taken = take(corridor, subject, seed=seed, parameters={"episodes": episodes}, trace="summary")
    return score_record(corridor, taken.record, taken.truths).values["return"].values.mean()


def test_it_learns_to_walk_nearly_as_well_as_can_be():
    learner = QLearner()
    learner.learning = False
    untaught = mean_return(learner, seed=1)
    learner.learning = True
    mean_return(learner, seed=2, episodes=300)
    learner.learning = False
    taught = mean_return(learner, seed=1)
    assert untaught < 0.5
    assert taught > 0.9


def test_it_learns_over_sessions_of_one_walk_each():
    learner = QLearner()
    for session in range(300):
        take(corridor, learner, seed=3, address=Address(session=session), trace="summary")
    learner.learning = False
    assert mean_return(learner, seed=4) > 0.9


def test_probing_changes_nothing():
    learner = QLearner()
    mean_return(learner, seed=1, episodes=20)
    before = learner.snapshot()
    learner.learning = False
    mean_return(learner, seed=2, episodes=20)
    seen_before = {here: values for here, values in learner.snapshot().items() if here in before}
    assert seen_before == before
    assert all(values == [0.0, 0.0] for here, values in learner.snapshot().items() if here not in before)


def test_what_was_learned_can_be_kept_and_taken_back():
    learner = QLearner()
    mean_return(learner, seed=1, episodes=50)
    state = json.loads(json.dumps(learner.snapshot()))
    other = QLearner()
    other.restore(state)
    assert mean_return(learner, seed=9, episodes=20) == mean_return(other, seed=9, episodes=20)


def test_one_update_is_the_textbook_one():
    learner = QLearner(rate=0.5, discount=0.9)
    learner.begin(np.random.default_rng(1))
    learner.values = {"a": [0.0, 1.0]}
    learner._last = ("a", 1)
    learner._learn(2.0, 0.9 * 3.0)
    assert learner.values["a"][1] == 1.0 + 0.5 * (2.0 + 2.7 - 1.0)
