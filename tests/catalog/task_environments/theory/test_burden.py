"""Burdens: distractions, tasks beside and scarcer limits change the dose and nothing of what is to be done."""

import pytest

from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.theory.burden import KNOBS, burden
from mensura.errors import BadParameter, UnknownName
from mensura.running.take import take

RACE = find_task("car-race")
START = [20.0]


@pytest.mark.parametrize("knob", KNOBS)
def test_at_dose_0_a_task_is_what_it_was(knob):
    assert burden(RACE, **{knob: 0}).id == RACE.id


@pytest.mark.parametrize("knob", ["sensors", "motors", "objects", "less_time", "less_energy"])
def test_the_best_stays_what_it_is_under_what_only_distracts_or_limits(knob):
    harder = find_task(f"car-race#{knob}={0.5 if knob.startswith('less') else 2}")
    best, alone = oracle_of(harder.fix(START)), oracle_of(RACE.fix(START))
    assert (best.t_min, best.e_min) == (alone.t_min, alone.e_min)
    assert harder.id != RACE.id


def test_tasks_in_parallel_take_the_time_of_one_and_the_energy_of_all():
    three = find_task("car-race#parallel=2")
    best, alone = oracle_of(three.fix(START * 3)), oracle_of(RACE.fix(START))
    assert best.t_min == pytest.approx(alone.t_min)
    assert best.e_min == pytest.approx(3 * alone.e_min)


class Watcher:
    """Drives with the first motor only, and keeps what it saw."""

    def __init__(self):
        self.seen = []

    def __call__(self, ask):
        self.seen.append(list(ask.prompt.values))
        return [200.0, *[0.0] * (len(ask.space.high) - 1)]


def test_distractions_are_seen_and_set_and_change_nothing():
    plain = take(task_environments, FullThrottle(), seed=4)
    for name, seen, set_ in (("sensors=3", 5, 1), ("motors=2", 2, 3), ("objects=2", 4, 1)):
        watcher = Watcher()
        taken = take(task_environments, watcher, seed=4, parameters={"task": f"car-race#{name}"})
        assert len(watcher.seen[0]) == seen
        assert taken.truths["result0"]["time"] == plain.truths["result0"]["time"]
        assert taken.truths["result0"]["drawn"] == plain.truths["result0"]["drawn"]
        assert all(len(one.value) == set_ for one in taken.record.answers)
        if name != "motors=2":
            assert len({tuple(row[2:]) for row in watcher.seen}) == len(watcher.seen)


def test_a_lever_that_moves_nothing_costs_energy():
    idle = take(task_environments, FullThrottle(), seed=4, parameters={"task": "car-race#motors=1"})
    plain = take(task_environments, FullThrottle(), seed=4)
    assert idle.truths["result0"]["energy"] == pytest.approx(2 * plain.truths["result0"]["energy"], rel=0.05)


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("car-race#sensor=2", UnknownName, "Did you mean sensors"),
        ("car-race#sensors=-1", BadParameter, "whole number from 0"),
        ("car-race#sensors=1.5", BadParameter, "whole number from 0"),
        ("car-race#less_time=1", BadParameter, "from 0 to below 1"),
        ("car-race#less_time=half", BadParameter, "#NAME=NUMBER"),
        ("n-dimensions:2#sensors", BadParameter, "#NAME=NUMBER"),
    ],
)
def test_what_is_no_burden_is_refused(name, error, words):
    with pytest.raises(error, match=words):
        find_task(name)
