"""The controller that attains the curve, in the world itself."""

import numpy as np
import pytest

from mensura.catalog.task_environments.agents.oracle import OracleAgent, OracleController
from mensura.catalog.task_environments.attempt import role_space
from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import Ask
from mensura.errors import BadParameter


@pytest.mark.parametrize("name", ["car-race", "parking", "fuel-car", "two-agents"])
@pytest.mark.parametrize("share", [0.05, 0.5, 1.0])
def test_controller_lands_on_the_curve_within_a_millisecond(name, share):
    task = find_task(name).draw(np.random.default_rng(7))
    oracle = oracle_of(task)
    energy = oracle.e_min + share * (oracle.e_at_t_min - oracle.e_min)
    world = OracleController(task, energy=energy).drive(task)
    assert world.solved
    assert world.state.time == pytest.approx(oracle.least_time(energy), abs=1e-3)
    assert world.state.energy == pytest.approx(energy, abs=0.2)


def test_controller_lands_on_the_cheapest_trip():
    task = find_task("car-race").fix([20.0])
    world = OracleController(task, energy=750).drive(task)
    assert world.solved
    assert world.state.time == pytest.approx(10.112280, abs=1e-3)
    assert world.state.energy == pytest.approx(750, abs=1e-5)


def test_random_profiles_in_the_world_never_beat_the_curve():
    task = find_task("car-race").fix([20.0])
    oracle, rng = oracle_of(task), np.random.default_rng(3)
    solved = 0
    for _ in range(60):
        world = World(task)
        bias = rng.random()
        while not world.over:
            world.tick([200.0 * (rng.random() < bias) * rng.choice([0.5, 1.0])])
        if world.solved:
            solved += 1
            assert world.state.time >= oracle.least_time(world.state.energy) - 1e-4
    assert solved > 20


def attempted(name, saving, seed):
    """Return a task's world after an attempt of the oracle at ticks of a quarter of a second, and its oracle."""
    family = find_task(name)
    drawn = family.numbers(np.random.default_rng(seed).random(len(family.ranges)))
    task, world = family.fix(drawn), World(family, drawn=drawn)
    subjects = {role: OracleAgent(saving) for role in task.roles}
    spaces = {role: role_space(task, role, signals=False) for role in task.roles}
    while not world.over:
        asks = [Ask("", spaces[role], role, role, aside=world) for role in task.roles]
        world.tick([power for ask in asks for power in subjects[ask.role](ask)])
    return world, oracle_of(task)


@pytest.mark.parametrize("saving", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", ["car-race", "fuel-car", "two-agents"])
def test_subject_stays_close_to_the_curve_at_ticks(name, saving):
    world, oracle = attempted(name, saving, 2)
    assert world.solved
    assert -1e-4 <= world.state.time - oracle.least_time(world.state.energy) < 0.005


def test_subject_parks_at_ticks_though_a_brake_within_one_is_coarse():
    for seed in range(3):
        world, oracle = attempted("parking", 0.5, seed)
        assert world.solved
        assert -1e-4 <= world.state.time - oracle.least_time(world.state.energy) < 1


def test_saving_is_a_share():
    with pytest.raises(BadParameter, match="fastest"):
        OracleAgent(2)
