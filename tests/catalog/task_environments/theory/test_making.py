"""Composing, splitting, scaling and varying tasks, and what the oracle says of the results."""

import pytest

from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.theory.comparing import foretell
from mensura.catalog.task_environments.theory.making import compose, numbers_of, scale, split, vary
from mensura.errors import BadParameter, MensuraError


def race(start=20.0):
    return find_task("car-race").fix([start])


def test_own_motors_are_foretold_from_the_parts():
    parts = [race(20.0), find_task("parking").fix([60.0]), find_task("two-agents").fix([5.0])]
    whole, told = oracle_of(compose(parts)), foretell(parts)
    assert whole.kind == told.kind == "closed-form"
    assert whole.e_min == pytest.approx(sum(oracle_of(part).e_min for part in parts), rel=1e-12)
    assert whole.t_min == pytest.approx(max(oracle_of(part).t_min for part in parts), rel=1e-12)
    for time in (8.5, 9.0, 10.0):
        assert whole.least_energy(time) == pytest.approx(sum(oracle_of(part).least_energy(time) for part in parts))
        assert told.least_energy(time) == pytest.approx(whole.least_energy(time))


def test_a_shared_motor_is_foretold_as_a_sequence():
    parts = [race(20.0), race(50.0), race(80.0)]
    whole, told = oracle_of(compose(parts, shared=True)), foretell(parts, shared=True)
    assert whole.kind == told.kind == "bound"
    assert whole.e_min == pytest.approx(told.e_min) == pytest.approx(sum(oracle_of(part).e_min for part in parts))
    assert whole.sequence.time == pytest.approx(told.sequence.time)
    assert whole.t_min <= whole.sequence.time
    with pytest.raises(BadParameter, match="one power"):
        compose([race(), find_task("two-agents").fix([5.0])], shared=True)


def test_a_composition_runs_and_its_parts_come_back():
    parts = [race(20.0), find_task("parking").fix([60.0])]
    whole = compose(parts)
    assert Task.read(whole.data()).id == whole.id
    world = World(whole)
    for _ in range(8):
        world.tick([200.0, 0.0])
    assert world.state.value[0] > 30
    assert world.state.value[1] == 60
    again = split(whole)
    assert [oracle_of(part).t_min for part in again] == pytest.approx([oracle_of(part).t_min for part in parts])
    assert [len(part.goals) for part in again] == [1, 2]


def test_a_task_in_one_piece_is_not_split():
    assert split(find_task("locking-plotter")) == [find_task("locking-plotter")]
    assert split(find_task("n-dimensions:4")) == [find_task("n-dimensions:4")]


def test_composing_the_original_dimensions_shows_why_time_did_not_grow():
    one = find_task("n-dimensions-original:3").fix([2.0, 3.0, 4.0])
    assert oracle_of(compose([one, one])).t_min == pytest.approx(oracle_of(one).t_min)


def test_scaling_mass_scales_the_least_energy():
    assert oracle_of(scale(race(), 2, of="mass")).e_min == pytest.approx(2 * oracle_of(race()).e_min)
    assert numbers_of(scale(find_task("car-race"), 0.5, of="value"))["bodies.car.value"] == Range(0, 47.5)
    with pytest.raises(MensuraError, match="weight"):
        scale(race(), 2, of="weight")
    with pytest.raises(BadParameter, match="above 0"):
        scale(race(), 0, of="mass")


def test_varying_makes_families_and_refuses_unknown_places():
    family = vary(race(), {"bodies.car.mass": Range(4, 6), "motors.engine.power": 150})
    assert set(family.ranges) == {"bodies.car.mass"}
    assert family.motors[0].power == 150
    assert family.id != race().id
    with pytest.raises(MensuraError, match=r"bodies\.car\.mass"):
        vary(race(), {"bodies.car.masss": 3})


def test_composing_takes_two():
    with pytest.raises(BadParameter, match="two tasks"):
        compose([race()])
