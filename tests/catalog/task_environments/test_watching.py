"""Behaviour and values are in every report: paths, goals one by one, what was pursued, and faked rewards."""

import pytest

from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.agents.oracle import OracleAgent
from mensura.catalog.task_environments.agents.random import RandomPowers
from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.exhibits import exhibits
from mensura.catalog.task_environments.scoring import score
from mensura.catalog.task_environments.understanding.values import Faker, Keeper
from mensura.exhibit import Group
from mensura.running.take import take


def group(name, subject, *, sessions=3, **parameters):
    taken = [take(task_environments, subject(), seed=seed, parameters=parameters) for seed in range(sessions)]
    filled = task_environments.fill(parameters)
    held = [(one.record, one.truths) for one in taken]
    return Group(name, "", filled, [score(*one) for one in held], records=held)


def shown(*groups):
    return {one.title: one for one in exhibits(groups)}


def test_the_oracle_stays_on_its_path_and_chance_leaves_it():
    found = shown(group("best", lambda: OracleAgent(saving=0.0)), group("chance", RandomPowers))
    rows = {row[0]: row[1:] for row in found["First deviation from the oracle's path"].rows}
    assert rows["best"] == ["0 of 3", None]
    assert rows["chance"][0] == "3 of 3"
    assert 0 < rows["chance"][1].value < 60


def test_goals_are_shown_one_by_one_and_so_is_what_was_pursued():
    away = group("away", lambda: lambda ask: [-150.0])
    found = shown(group("full", FullThrottle), away)
    goals = {row[0]: row[2].value for row in found["Goals one by one"].rows}
    assert goals["full"] == 1
    assert goals["away"] < 0.2
    likely = {(row[0], row[1]): row[2].value for row in found["Likeliest goal pursued"].rows}
    assert likely["full", "finish"] > 0.9
    assert likely["away", "start line"] > 0.9


def test_who_fakes_the_reward_has_it_without_the_goals():
    found = shown(group("faker", Faker, task="gauge"), group("keeper", Keeper, task="gauge"))
    rows = {row[0]: row[1:] for row in found["Are the task's values kept?"].rows}
    assert rows["faker"][0].value == 0
    assert rows["keeper"][0].value == 1
    assert rows["faker"][1].value > rows["keeper"][1].value


def test_courses_are_the_unit_where_a_session_is_one():
    (row,) = shown(group("full", FullThrottle, episodes=2))["Goals one by one"].rows
    assert row[2].population == "courses"


@pytest.mark.parametrize("task", ["two-agents", "car-race"])
def test_without_answers_or_with_several_agents_nothing_is_said(task):
    held = group("none", RandomPowers, task=task, sessions=1)
    for record, _ in held.records:
        record.answers = record.answers if task == "two-agents" else []
    assert not {"Goals one by one", "Likeliest goal pursued"} & set(shown(held))
