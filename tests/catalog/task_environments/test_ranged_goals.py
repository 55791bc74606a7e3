"""Goals whose target or tolerance is a range: every instance of the family draws its own."""

import json
from dataclasses import replace

import pytest

from mensura.catalog.find import find_test
from mensura.catalog.task_environments.builder import Builder
from mensura.catalog.task_environments.subjects import SUBJECTS
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.tasks.find import find_task, list_tasks
from mensura.catalog.task_environments.theory.burden import burden
from mensura.catalog.task_environments.theory.comparing import compare_tasks
from mensura.catalog.task_environments.theory.making import compose, scale, split, vary
from mensura.catalog.task_environments.theory.properties import DEFINITIONS, properties_of
from mensura.dialogue import generator
from mensura.report.runs import build_report
from mensura.running.results.compare import compare_runs
from mensura.running.results.exhibits import exhibits_of_runs
from mensura.running.run import run
from mensura.store import open_store

RACE = find_task("car-race")
RANGED = vary(
    RACE,
    {"bodies.car.value": Range(0, 50), "goals.finish.target": Range(80, 100), "goals.finish.tolerance": Range(2, 5)},
)


@pytest.fixture
def ranged(tmp_path):
    path = tmp_path / "ranged.json"
    path.write_text(json.dumps(RANGED.data()))
    return str(path)


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "mensura.db") as opened:
        yield opened


def test_every_instance_draws_its_own_goal():
    drawn = [RANGED.draw(generator(seed)).goals[0] for seed in range(20)]
    assert len({(goal.target, goal.tolerance) for goal in drawn}) == 20
    assert all(80 <= goal.target <= 100 and 2 <= goal.tolerance <= 5 for goal in drawn)


def test_a_ranged_goal_leaves_the_properties_of_its_world_as_they_are():
    aimed = vary(RACE, {"goals.finish.target": Range(104, 106)})
    assert properties_of(aimed, generator(1)) == properties_of(RACE, generator(1))


@pytest.mark.parametrize("name", list_tasks())
def test_properties_are_found_where_the_goals_of_any_task_are_ranges(name):
    task = find_task(name).flat
    wide = [
        replace(goal, tolerance=Range(goal.tolerance, goal.tolerance * 1.01)) if goal.tolerance else goal
        for goal in task.goals
        if not isinstance(goal.tolerance, Range)
    ]
    found = properties_of(replace(task, goals=tuple(wide) or task.goals), generator(1))
    assert list(found) == list(DEFINITIONS)


def test_runs_of_ranged_goals_are_compared_reported_and_shown(ranged, store):
    test, settings = find_test("task-environments"), {"task": ranged, "episodes": 2}
    heads = [run(test, who, store=store, seed=1, parameters=settings).head for who in ("full-throttle", "random")]
    names = [head.id for head in heads]
    assert compare_runs(*names, store=store).paired
    titles = [one.title for one in exhibits_of_runs(heads, store=store, test=test)]
    assert "Properties of the task environment" in titles
    assert build_report(names, store=store).sections


@pytest.mark.parametrize("who", [who for who in SUBJECTS if who != "n-controller"])
def test_every_subject_takes_a_task_with_ranged_goals(ranged, store, who):
    done = run("task-environments", who, store=store, seed=1, parameters={"task": ranged, "episodes": 1})
    assert done.counts["finished"] == 1


def test_a_ladder_begins_near_the_goal_that_was_drawn(ranged, store):
    settings = {"task": ranged, "episodes": 3, "ladder": 3}
    assert run("task-environments", "oracle", store=store, seed=1, parameters=settings).counts["finished"] == 1


@pytest.mark.parametrize("want", ["check", "properties", "curve", "run"])
def test_the_builder_answers_for_ranged_goals(want):
    found = Builder().answer({"task": RANGED.data(), "want": want, "subjects": {"agent": "oracle"}, "ticks": 40})
    assert found["id"] == RANGED.id


def test_tasks_made_of_tasks_with_ranged_goals_keep_the_ranges():
    two = compose([RANGED, RANGED])
    wider = scale(RANGED, 2.0, of="tolerance")
    assert len(two.ranges) == 6
    assert [len(part.ranges) for part in split(two)] == [3, 3]
    assert wider.ranges["goals.finish.tolerance"] == Range(4, 10)
    for task in (two, wider, burden(RANGED, objects=1, parallel=1)):
        assert compare_tasks(task, RACE, seed=0).least[0]["t_min"] > 0
