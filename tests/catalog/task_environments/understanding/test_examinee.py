"""Agents that are asked what they understood: a model answers, the others say nothing and act as they learned to."""

import numpy as np
import pytest

from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.understanding.dialogue import understanding
from mensura.catalog.task_environments.understanding.scoring import PARTS
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

RACE = {"episodes": 2}


def asked(subject, phenomenon="friction", strength=0.2):
    parameters = {"phenomenon": phenomenon, "strength": strength, "runs": 0, "questions": 1, "goals": 1}
    held = take(understanding, subject, seed=3, parameters=parameters)
    assert held.record.status == "finished"
    return held, [score_record(understanding, held.record, held.truths).values[part] for part in PARTS]


def test_a_model_that_was_learned_while_driving_answers_for_the_friction():
    subject = understanding.subjects["model-learner"]()
    assert asked(subject)[1][0] < 0
    take(task_environments, subject, seed=1, parameters={"episodes": 8})
    held, numbers = asked(subject)
    assert min(numbers[place] for place in (0, 2, 3)) > 0.7
    assert float(held.record.given()["recreate"]) == pytest.approx(0.2, abs=0.02)


def test_a_model_of_coasting_says_nothing_of_another_phenomenon():
    subject = understanding.subjects["model-learner"]()
    take(task_environments, subject, seed=1, parameters=RACE)
    held, _ = asked(subject, "drag", 0.1)
    assert {one.status for one in held.record.answers if one.key in ("graph", "recreate", "words")} == {"refused"}


@pytest.mark.parametrize("name", ["sarsa", "q-learning", "pid", "random", "full-throttle", "oracle"])
def test_an_agent_without_a_model_says_nothing_and_still_acts(name):
    subject = understanding.subjects[name]()
    take(task_environments, subject, seed=1, parameters=RACE)
    held, numbers = asked(subject)
    said = {one.key for one in held.record.answers if one.status == "answered"}
    assert said == {f"{cell}0" for cell in ("planned-with", "planned-without", "steered-with", "steered-without")}
    assert [numbers[place] for place in (0, 2, 3)] == [-1, -1, -1]


def test_an_examinee_drives_and_learns_as_the_agent_itself_does():
    own, plain = understanding.subjects["sarsa"](), task_environments.subjects["sarsa"]()
    drives = [take(task_environments, one, seed=1, parameters={"episodes": 5}).record for one in (own, plain)]
    assert [one.value for one in drives[0].answers] == [one.value for one in drives[1].answers]
    assert own.snapshot() == plain.snapshot()
    assert own.knowledge() == plain.knowledge()
    before = own.snapshot()
    own.learning = False
    assert not own.agent.learning
    own.restore({})
    assert own.agent.values == {}
    own.restore(before)
    assert own.snapshot() == before
    assert np.isfinite(own.knowledge())
