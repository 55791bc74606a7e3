"""Motors, transitions, goals and sensors: each does what it says."""

from math import cos, pi, sin

import numpy as np
import pytest

from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.body import Body, When
from mensura.catalog.task_environments.task.goal import Goal, TaskLimits
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Lock, Rotate, Select, Shut, Steer, Wave
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.errors import MensuraError

X, Y = Body("x"), Body("y")
PUSH = Motor("push", ("x",), power=10.0)


def world(*bodies, physics="exact", **parts):
    task = Task("small", **{"bodies": bodies or (X,), "motors": (PUSH,), "limits": TaskLimits(1000.0), **parts})
    return World(task, physics)


def test_waste_is_spent_and_moves_nothing():
    one = world(motors=(Motor("push", ("x",), power=10.0, waste=0.25),))
    one.step([8.0], 1000)
    assert one.state.energy == pytest.approx(8.0)
    assert one.state.wasted == pytest.approx(2.0)
    assert one.state.velocity[0] ** 2 / 2 == pytest.approx(6.0)


def test_power_is_shared_among_targets():
    one = world(X, Y, motors=(Motor("push", ("x", "y"), power=10.0),))
    one.step([8.0], 1000)
    assert (one.state.velocity**2 / 2).tolist() == pytest.approx([4.0, 4.0])


@pytest.mark.parametrize(
    ("power", "words"), [(11.0, "takes -5 to 10 W; got 11 W"), (-6.0, "got -6 W"), (float("nan"), "gave NaN")]
)
def test_a_motor_over_its_limit_is_refused(power, words):
    one = world(motors=(Motor("push", ("x",), power=10.0, reverse=0.5),))
    with pytest.raises(MensuraError, match=words):
        one.step([power])
    with pytest.raises(MensuraError, match=words):
        one.batch.step([[power]])


def test_the_original_cuts_what_is_over_the_limit_counts_it_and_never_cuts_backwards():
    one = world(physics="original", motors=(Motor("push", ("x",), power=10.0, reverse=0.5),))
    one.step([15.0], 1000)
    assert (one.state.energy, one.state.wasted) == (pytest.approx(15.0), pytest.approx(5.0))
    two = world(physics="original", motors=(Motor("push", ("x",), power=10.0, reverse=0.5),))
    two.step([-15.0], 1000)
    assert (two.state.energy, two.state.wasted) == (pytest.approx(15.0), 0.0)
    three = world(physics="original", motors=(Motor("push", ("x",), power=10.0, reverse=0.0),))
    three.step([-5.0], 1000)
    assert (three.state.energy, three.state.wasted) == (pytest.approx(5.0), pytest.approx(5.0))


def test_in_the_original_the_rest_of_a_tick_after_solving_still_costs():
    task = find_task("car-race")
    one = World(task, "original", drawn=[94.7])
    one.tick([200.0])
    assert one.solved
    assert (one.state.time, one.state.energy) == (pytest.approx(0.25), pytest.approx(50.0))
    two = World(task, drawn=[94.7])
    two.tick([200.0])
    assert two.solved
    assert two.state.energy == pytest.approx(200 * two.state.time)
    assert two.state.energy < 50


def test_what_several_agents_set_is_added_and_cut():
    one = world(motors=(Motor("push", ("x",), power=10.0, agents=("a", "b")),))
    one.step([14.0], 1000, cut=True)
    assert (one.state.energy, one.state.wasted) == (pytest.approx(14.0), pytest.approx(4.0))
    one.step([3.0], 1000, cut=True)
    assert (one.state.energy, one.state.wasted) == (pytest.approx(17.0), pytest.approx(4.0))


def test_a_wall_stops_and_power_into_it_is_lost():
    one = world(Body("x", low=0.0, high=1.0))
    one.step([10.0], 3000)
    assert (one.state.value[0], one.state.velocity[0]) == (1.0, 0.0)


def test_a_lock_freezes_while_its_condition_holds():
    one = world(X, Y, motors=(PUSH, Motor("up", ("y",), power=10.0)), transitions=(Lock("x", When("y", above=0.5)),))
    one.step([5.0, 0.0], 500)
    before = one.state
    one.step([0.0, 10.0], 400)
    assert one.state.value[1] > 0.5
    frozen = one.state.value[0]
    one.step([5.0, 0.0], 500)
    assert one.state.value[0] == frozen > before.value[0]


def test_shut_and_kick_come_back_every_period():
    one = world(Body("x", velocity=1.0), transitions=(Shut("x", period=1.0, share=0.25),))
    one.step([0.0], 4000)
    assert one.state.value[0] == pytest.approx(3.0, abs=0.005)
    two = world(transitions=(Kick("x", period=0.7, velocity=2.0),))
    two.step([0.0], 2101)
    assert two.state.velocity[0] == 6.0


def test_a_wave_leads_its_body():
    one = world(X, Y, transitions=(Wave("y", centre=3.0, amplitude=2.0, period=8.0, phase=0.25),))
    assert one.state.value[1] == pytest.approx(5.0)
    one.step([0.0], 1500)
    assert one.state.value[1] == pytest.approx(3 + 2 * sin(2 * pi * (1.5 / 8 + 0.25)))
    assert one.state.velocity[1] == pytest.approx(2 * cos(2 * pi * (1.5 / 8 + 0.25)) * 2 * pi / 8)


def test_fuel_makes_lighter_and_ends():
    fuel = Fuel("x", "push", dry=1.0, tank=5.0, density=5.0)
    one = world(transitions=(fuel,))
    one.step([10.0], 400)
    assert one.batch.mass[0, 0] == pytest.approx(1 + 1 / 5, abs=0.003)
    one.step([10.0], 400)
    assert one.batch.mass[0, 0] == 1.0
    assert one.state.energy == pytest.approx(5.0, abs=0.011)


def test_a_steered_body_goes_round_in_a_circle():
    bodies = (X, Y, Body("drive", velocity=2.0), Body("angle", velocity=0.5))
    steer = (Steer("x", "drive", "angle", "cos"), Steer("y", "drive", "angle", "sin"))
    one = world(*bodies, motors=(Motor("engine", ("drive",)),), transitions=steer)
    one.step([0.0], 3000)
    assert one.state.value[:2].tolist() == pytest.approx([4 * sin(1.5), 4 * (1 - cos(1.5))], abs=1e-6)
    assert one.state.velocity[:2].tolist() == pytest.approx([2 * cos(1.5), 2 * sin(1.5)])


def test_a_rotating_motor_shares_its_power_by_direction():
    bodies = (X, Y, Body("angle", value=2 * pi / 3))
    motors = (Motor("push", ("x", "y"), power=10.0),)
    one = world(*bodies, motors=motors, transitions=(Rotate("push", "angle"),))
    one.step([8.0], 1000)
    x, y = one.state.velocity[:2]
    assert (x < 0, x * x / 2, y * y / 2) == (True, pytest.approx(2.0), pytest.approx(6.0))


@pytest.mark.parametrize("stay", [False, True])
def test_a_selector_passes_power_on_to_one_motor_or_to_all_that_were_chosen(stay):
    bodies = (X, Y, Body("selector", velocity=1.0, high=2.0))
    motors = (Motor("main", power=4.0), *(Motor(f"m{name}", (name,), power=4.0, agents=()) for name in "xy"))
    one = world(*bodies, motors=motors, transitions=(Select("main", "selector", ("mx", "my"), stay=stay),))
    one.step([4.0], 2000)
    energies = (one.state.velocity[:2] ** 2 / 2).tolist()
    assert energies == pytest.approx([8.0 if stay else 4.0, 4.0], abs=0.01)
    assert one.state.energy == pytest.approx(12.0 if stay else 8.0, abs=0.01)


MOVING = Body("x", velocity=1.0)


def met_after(goals, steps, *bodies, **parts):
    one = world(*(bodies or (MOVING,)), goals=goals, **parts)
    one.step([0.0], steps)
    return one


def test_a_goal_is_met_at_its_edge_and_stays_met():
    far = Goal("far", "x", 100.0, 1.0)
    one = met_after((Goal("near", "x", 2.0, 0.5), far), 4000)
    assert one.batch.met_at[0].tolist() == [pytest.approx(1.5), np.inf]
    assert not one.over


def test_crossing_is_met_when_the_line_is_passed():
    one = met_after((Goal("line", "x", 1.2345, crossing=True),), 4000)
    assert one.solved
    assert one.state.time == pytest.approx(1.2345)
    assert one.state.value[0] == pytest.approx(1.2345)


def test_held_goals_have_to_last():
    assert met_after((Goal("stay", "x", 2.0, 0.5, held=0.75),), 4000).state.time == pytest.approx(2.25)
    assert not met_after((Goal("stay", "x", 2.0, 0.5, held=1.5),), 4000).solved


def test_windows_of_time():
    assert met_after((Goal("late", "x", 2.0, 0.5, after=2.0),), 4000).state.time == pytest.approx(2.0)
    assert not met_after((Goal("early", "x", 2.0, 0.5, before=1.4),), 4000).solved
    first = Goal("first", "x", 1.0, 0.25)
    soon = Goal("soon", "x", 2.0, 0.5, requires=("first",), within=0.5)
    assert not met_after((first, soon), 4000).solved
    later = Goal("later", "x", 2.0, 0.5, requires=("first",), later=1.0, within=2.0)
    assert met_after((first, later), 4000).state.time == pytest.approx(1.75)


def test_prerequisites_met_once_or_at_this_very_moment():
    first = Goal("first", "x", 1.0, 0.25)
    assert met_after((first, Goal("then", "x", 2.0, 0.5, requires=("first",))), 4000).solved
    assert not met_after((first, Goal("then", "x", 2.0, 0.5, requires=("first",), present=True)), 4000).solved
    assert not met_after((Goal("then", "x", 1.0, 0.5, requires=("first",)), Goal("first", "x", 2.0, 0.25)), 4000).solved


def test_a_reset_is_passed_on_to_those_that_depend_on_it():
    goals = (
        Goal("first", "x", 1.0, 0.25, reset=When("x", above=3.0)),
        Goal("second", "x", 2.0, 0.25, requires=("first",)),
        Goal("alone", "x", 2.0, 0.25),
        Goal("never", "x", 100.0, 1.0),
    )
    assert met_after(goals, 2900).state.met.tolist() == [True, True, True, False]
    one = met_after(goals, 3100)
    assert one.state.met.tolist() == [False, False, True, False]
    one = met_after(goals, 2900)
    one.batch.reset_goal("first")
    assert one.state.met.tolist() == [False, False, True, False]


def test_a_moving_target_is_reached_where_it_is():
    one = met_after((Goal("caught", "x", "y", 0.5),), 9000, MOVING, Body("y", value=3.0, velocity=0.5))
    assert one.state.time == pytest.approx(5.0)


def test_a_limit_of_energy_ends_it_unsolved():
    one = world(goals=(Goal("far", "x", 1e6, 1.0),), limits=TaskLimits(1000.0, 7.0))
    one.step([10.0], 5000)
    assert (one.over, one.solved) == (True, False)
    assert one.state.energy == pytest.approx(7.0, abs=0.011)


def read(sensors, ticks, *bodies, seed=1):
    one = world(*(bodies or (MOVING,)), sensors=sensors)
    rng, found = np.random.default_rng(seed), []
    for _ in range(ticks):
        one.tick([0.0])
        found.append(one.sense(rng))
    return np.array(found)


def test_sensors_round_and_are_late():
    found = read(
        (Sensor("a", ("x",), resolution=0.35), Sensor("b", ("x",), latency=0.4), Sensor("v", ("x",), "velocity")), 4
    )
    assert found[:, 0].tolist() == pytest.approx([0.35, 0.35, 0.7, 1.05])
    assert found[:, 1].tolist() == pytest.approx([0.0, 0.0, 0.25, 0.5])
    assert found[:, 2].tolist() == [1.0] * 4


def test_noise_is_as_wide_as_it_is_said_to_be():
    still = Body("x", value=3.0)
    found = read((Sensor("u", ("x",), noise=0.5), Sensor("n", ("x",), noise=0.5, spread="normal")), 3000, still)
    assert np.abs(found[:, 0] - 3).max() <= 0.5
    assert found[:, 0].std() == pytest.approx(0.5 / np.sqrt(3), rel=0.05)
    assert found[:, 1].std() == pytest.approx(0.5, rel=0.06)


def test_sensors_of_sensors_add_their_own_distortion():
    sensors = (
        Sensor("fine", ("x",), resolution=0.1),
        Sensor("coarse", ("fine",), resolution=0.5),
        Sensor("gap", ("x", "y"), weights=(1.0, -1.0)),
        Sensor("mean", ("x", "y")),
    )
    found = read(sensors, 1, Body("x", value=0.74), Body("y", value=2.0))[0]
    assert found.tolist() == pytest.approx([0.7, 0.5, -1.26, 1.37])


def test_strict_dimensions_run_one_motor_at_a_time():
    one = World(find_task("n-dimensions:3"), drawn=[1.0, 2.0, 3.0])
    one.step([1.0, 0.0], 5000)
    assert one.state.energy == pytest.approx(5.0)
    assert (one.state.velocity[:3] > 0).tolist() == [True, False, False]
