"""Practice: the exercises before the tasks, and what is said of each try."""

import numpy as np
import pytest

from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.dialogue import prompt_text
from mensura.running.take import take
from mensura.subjects import Chance

PRACTICE = {
    "1": ("distribution", "choice", "surprise"),
    "2": ("distribution", "circle", "choice", "surprise"),
    "3": ("distribution", "centre", "choice", "surprise"),
    "5": ("distribution", "allocation", "surprise"),
    "6": ("distribution", "allocation", "surprise", "layer", "update"),
    "7": ("distribution", "allocation", "surprise", "buy"),
    "1234567": (
        "distribution", "circle", "centre", "choice", "allocation", "surprise", "layer", "update", "buy",
    ),
}  # fmt: skip


@pytest.mark.parametrize("tasks", PRACTICE)
def test_the_tutorial_practises_what_the_tasks_to_come_will_ask_for(folder, tasks):
    taken = take(sensemaking, Chance(), seed=3, parameters={"exam": str(folder), "tutorial": True, "tasks": tasks})
    assert taken.record.status == "finished", taken.record.last_words
    practised = [key for key in taken.record.given() if key.startswith("practice.")]
    assert practised == [f"practice.{name}" for name in PRACTICE[tasks]]


def _practised(answers, tasks="1234567"):
    """What practice tells after each exercise, given these answers to it."""
    told, running = [], sensemaking.function(np.random.default_rng(1), tasks=tasks, tutorial=True)
    item = next(running)
    while not prompt_text(item.prompt).startswith("## Task"):
        if item.space is None:
            told.append(prompt_text(item.prompt))
            item = next(running)
        else:
            item = running.send(answers.get(item.key.partition(".")[2]))
    return told


def test_practice_answers_every_try():
    told = _practised(
        {
            "distribution": {"A": 0.4, "B": 0.2, "C": 0.2, "D": 0.2},
            "circle": [47.0, 56.0, 11.0],
            "centre": [53.0, 33.0],
            "choice": "A",
            "allocation": {"A": 60.0, "B": 40.0, "C": 0.0, "D": 0.0},
            "layer": "SIGINT-B",
            "update": {"A": 0.4, "B": 0.3, "C": 0.2, "D": 0.1},
            "buy": "IMINT",
        }
    )
    told = "\n".join(told)
    assert "Your answer is 100 of 100 like the right one." in told
    assert "Your circle holds 5 of 9 events; two thirds are 6." in told
    assert "miles along the road from a good one" in told
    assert "it was group **B**, against the odds. You would score 0 of 100." in told
    assert "You would score 60 of 100." in told
    # SIGINT on B in practice is silent: 40, 10, 20, 10 of 80.
    assert "A right answer: A 50.0 %, B 12.5 %, C 25.0 %, D 12.5 %" in told
    assert "You have 1.00 credits left." in told


def test_practice_goes_on_where_nothing_is_answered():
    told = "\n".join(_practised({}))
    assert "A good circle would be this one" in told
    assert "A good centre would be at" in told
    assert "You keep your 2.00 credits" in told


def test_a_good_practice_answer_is_called_good():
    """What is called a good circle and a good centre is what the normative solver would draw."""
    told = "\n".join(_practised({"circle": [46.667, 55.667, 1.4823 * 7.56454], "centre": [55.0, 31.0]}, tasks="23"))
    assert "Its centre is 0.0 miles from that of a good one, and its radius 1.00 times as long." in told
    assert "Your centre is 0.0 miles along the road from a good one" in told
