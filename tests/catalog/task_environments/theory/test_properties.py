"""Eleven properties: between 0 and 1, repeatable, and each moved one way by its knob."""

from dataclasses import replace
from itertools import pairwise

import pytest

from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.theory.making import compose, vary
from mensura.catalog.task_environments.theory.properties import DEFINITIONS, properties_of
from mensura.dialogue import generator

RACE, FOLLOW = find_task("car-race"), find_task("follow")


def turned(task, path, *numbers):
    return [vary(task, {path: number}) for number in numbers]


def crewed(count):
    roles = [f"agent{number}" for number in range(count)]
    motors = tuple(Motor(f"push {role}", ("car",), power=200 / count, agents=(role,)) for role in roles)
    return replace(RACE, motors=motors)


KNOBS = {
    "determinism": ("less", turned(RACE, "sensors.place.noise", 0.0, 1.0, 5.0, 20.0)),
    "ergodicity": ("more", turned(RACE, "motors.engine.reverse", 0.0, 0.1, 0.3, 1.0)),
    "continuity": ("less", turned(RACE, "sensors.place.resolution", 0.0, 1.0, 10.0, 50.0)),
    "asynchrony": ("more", turned(RACE, "sensors.place.latency", 0.0, 0.25, 1.0, 4.0)),
    "dynamism": ("more", turned(FOLLOW, "transitions.0.amplitude", 1.0, 5.0, 20.0)),
    "observability": ("less", turned(RACE, "sensors.place.noise", 0.0, 5.0, 20.0, 60.0)),
    "controllability": ("more", turned(RACE, "motors.engine.power", 1.0, 10.0, 50.0, 200.0)),
    "parallel causal chains": ("more", [RACE, compose([RACE, RACE]), compose([RACE, RACE, RACE])]),
    "agents": ("more", [crewed(count) for count in (1, 2, 3)]),
    "periodicity": ("more", turned(FOLLOW, "transitions.0.period", 80.0, 40.0, 10.0)),
    "repeatability": ("less", turned(RACE, "bodies.car.value", 45.0, Range(40, 50), Range(20, 70), Range(0, 90))),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_turning_its_knob_moves_a_property_one_way(name):
    direction, tasks = KNOBS[name]
    numbers = [properties_of(task, generator(5))[name] for task in tasks]
    steps = [(later - sooner) * (1 if direction == "more" else -1) for sooner, later in pairwise(numbers)]
    assert all(step > 1e-6 for step in steps), numbers


@pytest.mark.parametrize("name", ["car-race", "steered-car", "keep", "n-dimensions:3"])
def test_properties_lie_between_0_and_1_and_repeat(name):
    task = find_task(name)
    first = properties_of(task, generator(1))
    assert list(first) == list(DEFINITIONS)
    assert all(0 <= number <= 1 for number in first.values())
    assert properties_of(task, generator(1)) == first


def test_a_sensor_less_means_less_is_seen():
    blind = replace(RACE, sensors=RACE.sensors[1:])
    assert properties_of(blind, generator(1))["observability"] < properties_of(RACE, generator(1))["observability"]
