"""Steps of the authors' program (Thorarensen et al., EGPAI 2016, and its repository at 8407d03), to all digits noted.

Mass 5, friction 0.2 in motion and 0.3 at rest, gravity 10, bounds 0 to 150, steps of a millisecond. The times on the
curve are those of section 3 of our note on it: 75 metres at 200 W.
"""

import pytest

from mensura.catalog.task_environments.physics.batch import steps_of
from mensura.catalog.task_environments.physics.stepping import Starts, step_task
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.tasks.find import find_task


@pytest.mark.parametrize(
    ("start", "velocity", "slope", "power", "steps", "value", "speed"),
    [
        (10, 2, 0, 150, 500, 11.9319971018, 5.1289922126),
        (10, 0, 0, 150, 1000, 14.5336202932, 6.4793965233),
        (10, 0, 0, 0.0005, 1000, 10, 0),
        (10, 3, 0, 0, 2000, 12.2485, 0),
        (149, 4, 0, 0, 500, 150, 0),
        (10, 5, 0.2, 100, 1000, 15.0207602434, 5.0366806696),
        (10, 6, 0, -80, 1000, 12.5071562753, -2.4501407912),
    ],
)
def test_original_steps_as_the_program_did(start, velocity, slope, power, steps, value, speed):
    given = Starts([start], [velocity], [slope])
    world = step_task(find_task("car-race"), physics="original", powers=[power], steps=steps, given=given, on=True)
    assert world.state.value[0] == pytest.approx(value, abs=5.1e-11, rel=0)
    assert world.state.velocity[0] == pytest.approx(speed, abs=5.1e-11, rel=0)


def test_static_friction_of_the_program_depends_on_its_step():
    # 2 m dt (μ g)² = 0.09 W.
    for power, moved in ((0.0899, False), (0.0901, True)):
        world = step_task(find_task("car-race"), physics="original", powers=[power], given=Starts([10.0]))
        assert bool(world.state.velocity[0]) is moved


def test_two_seconds_take_the_program_a_step_more():
    assert steps_of(2.0, 0.001, "original") == 2001
    assert steps_of(0.25, 0.001, "original") == 250


def drive(physics, ticks):
    world = World(find_task("car-race"), physics, drawn=[20.0])
    for tick in range(200):
        if world.over:
            break
        world.tick([200.0 if tick < ticks else 0.0])
    assert world.solved
    return world.state


@pytest.mark.parametrize(
    ("ticks", "time", "speed"),
    [(16, 8.264890, 4.472136), (18, 7.382162, 7.745967), (20, 6.982904, 10), (22, 6.772354, 11.832160),
     (24, 6.666781, 13.416408), (99, 6.627488, 15.172310)],
)  # fmt: skip
def test_full_power_then_coasting_lands_on_the_curve(ticks, time, speed):
    state = drive("exact", ticks)
    assert state.time == pytest.approx(time, abs=6e-7, rel=0)
    assert state.velocity[0] == pytest.approx(speed, abs=1e-6, rel=0)


def test_the_least_energy_takes_as_long_as_it_must_and_other_physics_create_some():
    assert drive("exact", 15).time == pytest.approx(10.112280, abs=6e-7, rel=0)
    printed = drive("paper", 15)
    assert printed.time == pytest.approx(9.915, abs=1e-9)
    assert printed.created > 0.4
    # The program counts whole ticks.
    assert drive("original", 15).created > 0.4
    assert drive("exact", 15).created == 0
