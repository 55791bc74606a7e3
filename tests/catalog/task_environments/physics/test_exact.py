"""Exact physics: closed forms, the balance of energy, and nothing that depends on order or form."""

from dataclasses import replace
from math import atan, exp, log, log1p, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.physics.batch import Batch
from mensura.catalog.task_environments.physics.program import compile_task
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import TaskLimits
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task, list_tasks
from mensura.errors import MensuraError


def world_of(*, power=200.0, **body):
    task = Task(
        "free",
        bodies=(Body("car", **{"mass": 5.0, "kinetic": 0.2, "static": 0.3, "gravity": 10.0, **body}),),
        motors=(Motor("engine", ("car",), power=power),),
        limits=TaskLimits(1000.0),
    )
    return World(task)


def ended(world, power, steps):
    world.step([power], steps)
    return float(world.state.value[0]), float(world.state.velocity[0])


def close(value):
    return pytest.approx(value, rel=1e-6, abs=1e-9)


def test_coasting_stops_where_friction_has_taken_all():
    assert ended(world_of(velocity=3.0), 0.0, 2000) == (close(9 / 4), 0.0)


def test_full_power_is_the_closed_form():
    # t(u) and x(u) of section 3, with w = P / F and u = v / w.
    w, scale = 20.0, 5 * 20 / 10
    x, v = ended(world_of(), 200.0, 3000)
    u = v / w
    assert scale * (-log1p(-u) - u) == close(3.0)
    assert scale * w * (-log1p(-u) - u - u * u / 2) == close(x)


def test_a_brake_stops_as_the_closed_form_says_and_then_reverses():
    def left(v):
        u = v * 10 / 200
        return 10 * (u - log1p(u)), 200 * (log1p(u) - u + u * u / 2)

    time, way = left(12.0)
    world = world_of(velocity=12.0)
    x, v = ended(world, -200.0, int(time * 1000))
    assert left(v)[0] + int(time * 1000) / 1000 == close(time)
    assert left(v)[1] + x == close(way)
    assert ended(world, -200.0, 100)[1] < 0


def test_a_slope_lets_go_beyond_static_friction_and_slides_evenly():
    assert ended(world_of(slope=0.99 * atan(0.3)), 0.0, 1000) == (0.0, 0.0)
    angle = 0.5
    pull = 10 * (np.sin(angle) - 0.2 * np.cos(angle))
    x, v = ended(world_of(slope=angle), 0.0, 1000)
    assert (x, v) == (close(-pull / 2), close(-pull))


def test_a_trickle_of_power_creeps_at_the_speed_that_friction_allows():
    x, v = ended(world_of(), 0.0005, 1000)
    assert v == close(0.0005 / 10)
    assert x == pytest.approx(0.00005, rel=1e-4)


def test_drag_without_friction_is_the_closed_form():
    world = world_of(kinetic=0.0, static=0.0, drag=0.5, velocity=10.0)
    x, v = ended(world, 0.0, 2000)
    assert v == close(10 / (1 + 0.5 / 5 * 10 * 2))
    assert x == close(5 / 0.5 * log(1 + 0.5 / 5 * 10 * 2))


def test_drag_under_power_is_the_closed_form():
    # m v v' = P - k v³, so v³ nears P / k as exp(-3 k x / m).
    world = world_of(kinetic=0.0, static=0.0, drag=0.5)
    x, v = ended(world, 100.0, 4000)
    assert v**3 == close(200 * (1 - exp(-3 * 0.5 * x / 5)))


def test_without_resistance_energy_becomes_speed():
    x, v = ended(world_of(kinetic=0.0, static=0.0), 100.0, 1000)
    assert (x, v) == (close(2 / 3 * sqrt(40)), close(sqrt(40)))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-200, 200), st.integers(1, 400)), min_size=1, max_size=8),
    st.floats(-0.25, 0.25),
    st.floats(-5, 5),
)
def test_energy_put_in_is_energy_that_went_somewhere(pushes, slope, velocity):
    world = world_of(slope=slope, velocity=velocity)
    put_in = rubbed = 0.0
    for power, steps in pushes:
        for _ in range(steps):
            before = world.state
            world.step([power])
            after = world.state
            x, u, v = after.value[0] - before.value[0], before.velocity[0], after.velocity[0]
            if u * v <= 0:
                return  # Where it turns within a step, the way there and back is not seen from outside.
            put_in += power * 0.001 * np.sign(u)
            rubbed += 0.2 * 5 * 10 * np.cos(slope) * abs(x)
    state = world.state
    kinetic = 0.5 * 5 * (state.velocity[0] ** 2 - velocity**2)
    height = 5 * 10 * np.sin(slope) * state.value[0]
    assert put_in == pytest.approx(kinetic + height + rubbed, abs=1e-8 * max(1.0, abs(put_in), rubbed))


@pytest.mark.parametrize("name", ["car-race", "parking"])
def test_random_profiles_never_beat_the_curve(name):
    task, rng = find_task(name), np.random.default_rng(7)
    batch = Batch(task, compile_task(task).drawn(rng, 300))
    powers = rng.choice([-200.0, 0.0, 200.0], p=[0.15, 0.25, 0.6], size=(240, 300, 1))
    for power in powers:
        batch.tick(power * rng.random())
    assert batch.solved.sum() > 20
    for place in np.flatnonzero(batch.solved):
        oracle = oracle_of(task.fix(batch.drawn[place]))
        assert batch.time[place] >= oracle.least_time(batch.energy[place]) - 1e-9


@pytest.mark.parametrize("physics", ["exact", "paper", "original"])
@pytest.mark.parametrize("name", list_tasks())
def test_one_world_and_many_are_the_same_to_the_last_bit(name, physics):
    task, rng = find_task(name), np.random.default_rng(3)
    drawn = compile_task(task).drawn(rng, 4)
    batch = Batch(task, drawn, physics=physics)
    worlds = [World(task, physics, drawn=row) for row in drawn]
    for _ in range(12):
        powers = rng.uniform(batch.low, batch.high)
        batch.tick(powers)
        for world, power in zip(worlds, powers.tolist(), strict=True):
            world.tick(power)
    for place, world in enumerate(worlds):
        state = world.state
        assert state.value.tolist() == batch.value[place].tolist()
        assert state.velocity.tolist() == batch.velocity[place].tolist()
        assert (state.time, state.energy) == (batch.time[place], batch.energy[place])
        assert state.met.tolist() == batch.met[place].tolist()
        assert world.distance() == batch.distance()[place]


@pytest.mark.parametrize("name", ["plotter-2d", "steered-car", "rotating-motor", "locking-plotter"])
def test_the_order_of_bodies_changes_nothing(name):
    task = find_task(name).draw(np.random.default_rng(1))
    other = replace(task, bodies=task.bodies[::-1], goals=task.goals[::-1])
    one, two, rng = World(task), World(other), np.random.default_rng(2)
    for _ in range(40):
        powers = rng.uniform(one.batch.low, one.batch.high)[0].tolist()
        one.tick(powers)
        two.tick(powers)
    assert one.state.value.tolist() == two.state.value[::-1].tolist()
    assert one.state.met.tolist() == two.state.met[::-1].tolist()


def test_a_step_in_parts_is_nearly_the_step_as_a_whole():
    fine = World(find_task("car-race"), drawn=[20.0], step=0.0001)
    coarse = World(find_task("car-race"), drawn=[20.0])
    for world in (fine, coarse):
        while not world.over:
            world.tick([200.0 if world.state.time < 4.4 else 0.0])
    assert fine.state.time == pytest.approx(coarse.state.time, abs=1e-6)


def test_a_copy_goes_on_apart():
    world = World(find_task("car-race"), drawn=[20.0])
    world.tick([200.0])
    other = world.copy()
    other.tick([200.0])
    assert other.state.energy == pytest.approx(2 * world.state.energy)
    world.tick([200.0])
    assert world.state.value.tolist() == other.state.value.tolist()


def test_a_family_without_numbers_and_unknown_physics_are_refused():
    with pytest.raises(MensuraError, match=r"bodies.car.value; an instance needs a number for each"):
        World(find_task("car-race"))
    with pytest.raises(MensuraError, match="exact, paper or original"):
        World(find_task("car-race"), "aristotle", drawn=[20.0])


@pytest.mark.parametrize("name", list_tasks())
def test_arrays_of_every_task_have_the_types_that_the_step_was_compiled_for(name):
    from numba import typeof

    task = find_task(name)
    batch, race = (Batch(one, [one.numbers([0.5] * len(one.ranges))]) for one in (task, find_task("car-race")))
    assert [typeof(one) for one in batch._held] == [typeof(one) for one in race._held]
