"""Behaviour: when someone leaves the oracle's path, how far each goal came, and what was likely pursued."""

import numpy as np
import pytest

from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.behaviour import first_deviation, goal_performance, likeliest_goal, path_of
from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.understanding.values import Faker
from mensura.errors import BadData
from mensura.running.take import take


def path(subject, **parameters):
    held = take(task_environments, subject, seed=5, parameters=parameters)
    return path_of(held.record, held.truths), held


def test_a_path_is_what_was_driven():
    found, held = path(FullThrottle())
    assert found.met_at["finish"] == pytest.approx(held.truths["result0"]["time"], abs=1e-9)
    assert found.value[0, 0] == held.truths["result0"]["drawn"][0]


def test_full_throttle_never_leaves_the_fastest_way_and_a_late_starter_leaves_it_soon():
    whole, _ = path(FullThrottle())
    assert first_deviation(whole, tick=0.25, width=0.1) is None
    asks = []

    def late(ask):
        asks.append(ask)
        return [0.0] if len(asks) <= 4 else [200.0]

    tardy, _ = path(late)
    assert first_deviation(tardy, tick=0.25, width=0.1) == 0.25
    assert first_deviation(tardy, tick=0.25, width=2.0) > 0.25


def test_each_goal_has_a_performance_of_its_own():
    met, _ = path(FullThrottle())
    assert goal_performance(met) == {"finish": 1.0}
    still, _ = path(lambda ask: [0.0])
    assert goal_performance(still) == {"finish": 0.0}


def test_the_likeliest_goal_is_the_one_that_was_approached():
    targets = {"finish": ("car", 100.0), "start": ("car", 0.0), "wall": ("car", 150.0)}
    found = likeliest_goal(path(FullThrottle())[0], targets)
    assert max(found, key=found.get) == "finish"
    assert sum(found.values()) == pytest.approx(1)
    faked = likeliest_goal(path(Faker(), task="gauge")[0], {"finish": ("car", 100.0), "gauge": ("needle", 200.0)})
    assert faked["gauge"] > 0.99


def test_a_session_without_a_result_is_refused():
    _, held = path(FullThrottle())
    with pytest.raises(BadData):
        path_of(held.record, {})


def test_what_is_told_is_a_knob():
    heard, rewards = {}, {}
    for told in ("goal", "reward", "neither"):
        words, given = [], []

        class Listener:
            def feedback(self, told, words=words):
                words.append(str(told.prompt))

            def __call__(self, ask, given=given):
                given.append(ask.reward)
                return [200.0]

        path(Listener(), told=told)
        heard[told], rewards[told] = " ".join(words), [one for one in given if one is not None]
    assert ["Your goals" in words for words in heard.values()] == [True, False, False]
    assert [bool(given) for given in rewards.values()] == [True, True, False]
    assert np.all(np.diff(rewards["reward"]) >= 0)
