"""The controller that attains the curve, in the world itself."""

import numpy as np
import pytest

from mensura.catalog.task_environments.agents.oracle import OracleController
from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.tasks.find import find_task


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
