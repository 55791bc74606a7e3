"""Λ*'s learners in courses: frozen, branched, kept from one environment to the next; without that, as before."""

import pytest

from mensura.catalog.lambda_star.agents.learning import QLearning
from mensura.running.course import Phase, run_courses
from mensura.running.run import run

WORLD = {"episodes": 1, "iterations": 15}


def course(store, subject):
    phases = [
        Phase("training", "lambda-star", 3, parameters=WORLD, knowledge=True),
        Phase("frozen", "lambda-star", 2, parameters=WORLD, learn=False, state="branch", task="new"),
        Phase("learning", "lambda-star", 2, parameters=WORLD, state="branch", task="new"),
    ]
    results = run_courses(phases, subject, store=store, seed=1)
    return {
        name: [record for record in store.records.of(result.head.id) if record.status == "finished"]
        for name, result in results.items()
    }


def actions(records):
    return [[answer.value for answer in record.answers] for record in records]


@pytest.mark.parametrize("kind", ["q-learning", "sarsa", "cooperative-q", "cooperative-sarsa"])
def test_learners_are_frozen_and_branched_and_say_what_they_know(store, kind):
    found = course(store, f"{kind}#sessions=3#keep=true")
    assert [len(records) for records in found.values()] == [3, 2, 2]
    known = [record.answers[0].notes["knowledge"] for record in found["training"]]
    assert known[0] == 0 < known[1] < known[2]
    assert actions(found["frozen"]) != actions(found["learning"])


def test_what_is_kept_changes_what_is_done_and_without_it_nothing_carries_over(store):
    kept, anew = (course(store, f"q-learning#sessions=3{keep}") for keep in ("#keep=true", ""))
    assert actions(kept["training"])[0] == actions(anew["training"])[0]
    assert actions(kept["training"])[1] != actions(anew["training"])[1]
    alone = run("lambda-star", "q-learning#sessions=3", store=store, seed=1, parameters=WORLD)
    assert alone.counts["finished"] == 1


def test_a_restored_table_is_a_copy():
    learner = QLearning()
    learner.restore([{"0 4": [0.5] + [0.0] * 8}])
    state = learner.snapshot()
    state[0]["0 4"][0] = 9.0
    assert learner.snapshot() == [{"0 4": [0.5] + [0.0] * 8}]
