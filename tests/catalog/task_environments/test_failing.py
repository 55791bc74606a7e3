"""How attempts fail: made subjects that retreat, gather information, take up another task, or do none of these."""

import pytest

from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.agents.random import RandomPowers
from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.failing import failing
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.understanding.values import Faker
from mensura.errors import BadParameter, UnknownName
from mensura.running.adaptivity.failing import how_failed
from mensura.running.take import take

WAYS = ("retreated to safety", "gathered information", "took up another task")


class Scripted:
    """Sets one motor by a rule of place, speed and how often it was asked."""

    def __init__(self, rule):
        self.rule, self.count = rule, 0

    def begin(self, rng):
        self.start = None

    def __call__(self, ask):
        place, speed = list(ask.prompt.values)[:2]
        self.start = place if self.start is None else self.start
        self.count += 1
        return [self.rule(place, speed, self.start, self.count - 1), *[0.0] * (len(ask.space.high) - 1)]


def home(place, speed, start, count):
    """Drive out for some seconds, then come back to the start and rest there."""
    if count < 10:
        return 150.0
    wanted = (start - place) - 1.5 * speed
    return 0.0 if abs(place - start) < 3 and abs(speed) < 2 else max(-200.0, min(200.0, 30 * wanted))


def trying(place, speed, start, count):
    """Push for one tick, now forwards, now backwards, and look what comes of it."""
    return (40.0 if count % 80 == 0 else -40.0) if count % 40 == 0 else 0.0


RULES = {
    "home": (home, "retreated to safety"),
    "trying": (trying, "gathered information"),
    "away": (lambda place, speed, start, count: -60.0, "took up another task"),
    "still": (lambda place, speed, start, count: 0.0, None),
    "too weak": (lambda place, speed, start, count: 0.05, None),
    "gives up": (lambda place, speed, start, count: 60.0 if count < 3 else 0.0, None),
}


def held(subject, **parameters):
    return take(task_environments, subject, seed=5, parameters=parameters)


@pytest.mark.parametrize("name", RULES)
def test_each_made_subject_is_known_by_what_it_does(name):
    rule, way = RULES[name]
    taken = held(Scripted(rule))
    found = failing(taken.record, taken.truths)
    assert [one for one in WAYS if found[one]] == ([way] if way else [])
    counts = how_failed([taken.record], failing=failing, truths=lambda session: taken.truths)
    assert all(counts[one] == len(found[one]) for one in WAYS)


def test_reward_that_is_faked_is_another_task():
    taken = held(Faker(), task="gauge")
    assert failing(taken.record, taken.truths)["took up another task"]


@pytest.mark.parametrize("subject", [FullThrottle, RandomPowers])
def test_those_who_solve_it_or_act_by_chance_show_nothing_of_it(subject):
    taken = held(subject(), episodes=5)
    assert not any(failing(taken.record, taken.truths).values())


def test_signals_are_stopping_and_asking_for_help():
    asked = []

    def signalling(ask):
        asked.append(ask)
        return [0.0, -1.0 if len(asked) == 3 else -2.0 if len(asked) == 6 else 0.0]

    taken = held(signalling, signals=True)
    found = failing(taken.record, taken.truths)
    assert [len(found["asked for help"]), len(found["stopped"])] == [1, 1]
    counts = how_failed([taken.record], failing=failing, truths=lambda session: taken.truths)
    assert [counts["asked for help"], counts["stopped"]] == [1, 1]


def test_of_several_agents_nothing_can_be_told_and_that_is_not_0():
    taken = held(RandomPowers(), task="two-agents")
    assert failing(taken.record, taken.truths) is None


def test_goals_of_other_tasks_change_no_id_and_are_refused_where_they_are_no_places():
    race = find_task("car-race")
    assert race.others[0].name == "start line"
    data = race.data()
    assert Task.read({key: value for key, value in data.items() if key != "others"}).id == race.id
    for wrong in ({"body": "bus"}, {"of": "velocity"}, {"target": {"low": 1, "high": 2}}):
        with pytest.raises((BadParameter, UnknownName), match="another task"):
            Task.read({**data, "others": [{"name": "o", "body": "car", "target": 0, **wrong}]})
