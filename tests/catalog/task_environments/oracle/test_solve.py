"""The oracle of one body: never beaten, attained, and right where nothing is printed."""

from math import inf

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.solve import solve
from mensura.errors import BadParameter
from tests.catalog.task_environments.oracle.transcription import simulated, transcribed_time
from tests.proofs import proofs

CAR = {"mass": 5.0, "friction": 0.2, "gravity": 10.0, "power": 200.0, "distance": 75.0}


def car(**changes):
    return solve(BodyProblem(**(CAR | changes)))


def carried_out(oracle, energy):
    """Return time, place, speed and energy after a plan, by an integrator that knows nothing of the oracle."""
    body = oracle.body
    place, speed, spent, clock = 0.0, body.velocity, 0.0, 0.0
    for stage in oracle.plan(energy):

        def rates(root, state, stage=stage, spent=spent):
            # In the square root of time, and in signed energy per kilogram, starts from rest are smooth.
            v = np.sign(state[1]) * np.sqrt(2 * abs(state[1]))
            way = 1.0 if v > 0 or (v == 0 and stage.power >= 0) else -1.0
            mass = max(body.mass - body.loss * (spent + abs(stage.power) * root**2), body.dry)
            slope = body.gravity * np.sin(body.slope)
            slowing = body.gravity * body.friction * np.cos(body.slope) * way + slope + body.drag / mass * v * abs(v)
            return [2 * root * v, 2 * root * (stage.power / mass - slowing * abs(v))]

        begin = [place, np.sign(speed) * speed**2 / 2]
        done = solve_ivp(rates, (0, stage.seconds**0.5), begin, rtol=1e-10, atol=1e-10, max_step=0.02)
        place, half = done.y[:, -1]
        speed = np.sign(half) * np.sqrt(2 * abs(half))
        clock += stage.seconds
        spent += abs(stage.power) * stage.seconds
    return clock, place, speed, spent


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"slope": 0.1},
        {"slope": -0.3},
        {"velocity": 3.0},
        {"stop": True},
        {"stop": True, "end_speed": 2.0},
        {"stop": True, "slope": -0.3},
        {"drag": 0.05},
        {"drag": 0.05, "stop": True},
        {"drag": 0.05, "velocity": 9.0},
        {"loss": 0.001, "dry": 4.0},
        {"loss": 0.001, "dry": 3.0},
        {"friction": 0.0},
    ],
)
def test_plans_attain_the_curve(changes):
    oracle = car(**changes)
    middle = oracle.e_min + 0.4 * (oracle.e_at_t_min - oracle.e_min)
    for energy in (middle, oracle.e_at_t_min):
        clock, place, speed, spent = carried_out(oracle, energy)
        assert clock == pytest.approx(oracle.least_time(energy), abs=1e-6)
        assert spent == pytest.approx(energy, rel=1e-6)
        assert place == pytest.approx(75, abs=2e-3)
        assert speed <= oracle.body.fastest_end + 0.02


@pytest.mark.parametrize("drag", [0.0, 0.05])
@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_random_profiles_never_beat_the_curve(drag, slope):
    oracle, rng = car(drag=drag, slope=slope), np.random.default_rng(1)
    powers = rng.choice([0.0, 100.0, 200.0], size=(300, 60), p=[0.35, 0.15, 0.5])
    powers[:100] = np.where(np.arange(60) < rng.integers(12, 40, size=(100, 1)), 200.0, 0.0)
    force = oracle.body.resistance
    time, spent = simulated(powers, mass=5, resistance=force, drag=drag, distance=75, most=20)
    arrived = ~np.isnan(time)
    assert arrived.sum() > 100
    best = np.array([oracle.least_time(energy) for energy in spent[arrived]])
    assert (time[arrived] - best).min() > -2e-3
    # Full power then coasting is among them, and without drag it lies on the curve.
    assert drag or (time[arrived] - best).min() < 2e-3


@pytest.mark.parametrize(
    ("drag", "energy", "cells"),
    [(0.0, 900, 16), (0.05, 1050, 16), *proofs((0.0, 1100, 60), (0.05, 1050, 75), (0.05, 1250, 60))],
)
def test_direct_transcription_comes_close_from_above(drag, energy, cells):
    found = transcribed_time(mass=5, resistance=10, drag=drag, power=200, distance=75, energy=energy, cells=cells)
    least = car(drag=drag).least_time(energy)
    assert least <= found <= (1 + 0.4 / cells) * least


@pytest.mark.parametrize("friction", [1e-12, 1e-8, 1e-5, 1e-3, 0.02, 0.3, 3.0, 300.0])
def test_least_time_agrees_with_quadrature_at_any_friction(friction):
    oracle = car(friction=friction)
    force = friction * 50
    end = np.sqrt(2 * (oracle.e_at_t_min - force * 75) / 5)
    if 1 - end * force / 200 > 1e-6:
        seconds = quad(lambda v: 5 * v / (200 - force * v), 0, end, epsabs=0, epsrel=1e-12)[0]
        assert oracle.t_min == pytest.approx(seconds, rel=1e-9)
    else:
        assert oracle.t_min == pytest.approx(75 * force / 200, rel=1e-3)


@pytest.mark.parametrize("stop", [False, True])
def test_numbers_of_any_size_are_solved(stop):
    rng = np.random.default_rng(4)
    for _ in range(200):
        mass, power, distance = 10 ** rng.uniform(-4, 4, size=3)
        friction, slope = (
            rng.choice([0.0, *10 ** rng.uniform(-9, 2, size=3)]),
            rng.choice([0.0, rng.uniform(-1.5, 1.5)]),
        )
        body = BodyProblem(
            mass=mass, friction=friction, gravity=10, power=power, distance=distance, slope=slope, stop=stop
        )
        oracle, force = solve(body), body.resistance
        bare = (9 * mass * distance**2 / (8 * power)) ** (1 / 3)
        assert oracle.t_min >= bare * (1 - 1e-9) or force < 0
        assert oracle.e_min == pytest.approx(max(force, -force if stop else 0.0) * distance)
        assert oracle.e_min <= oracle.e_at_t_min * (1 + 1e-12)
        # At full power all the way, what is spent is the time times the power.
        assert oracle.e_at_t_min == pytest.approx(power * oracle.t_min, rel=1e-6) or stop
        for one in oracle.curve(5)[1:]:
            assert oracle.t_min * (1 - 1e-9) <= one.time <= oracle.t_at_e_min * (1 + 1e-9)


def test_curve_falls_and_inverts():
    for changes in ({}, {"stop": True}, {"drag": 0.05}, {"velocity": -3.0}, {"loss": 0.001, "dry": 3.0}):
        oracle = car(**changes)
        curve = oracle.curve(12)
        times, energies = [one.time for one in curve], [one.energy for one in curve]
        assert times == sorted(times, reverse=True)
        assert energies == sorted(energies)
        for one in curve[1:-1]:
            assert oracle.least_energy(one.time) == pytest.approx(one.energy, rel=1e-7)
    assert car().least_time(749.9) == car().least_energy(6.6) == inf
    # What stepping does to a trip is no reason to call it impossible.
    assert car().least_time(750 - 1e-5) == car().t_at_e_min
    assert car().least_energy(car().t_min - 1e-6) == pytest.approx(car().e_at_t_min)
    assert car().least_energy(100) == 750


def test_turning_back_costs_what_it_must():
    level = car(velocity=-3.0)
    # On level ground the way there and back takes the kinetic energy once more, whether it is braked or not.
    assert level.e_min == pytest.approx(750 + 22.5)
    assert level.t_min > car().t_min
    walled = car(velocity=-3.0, room=0.5)
    assert walled.e_min == pytest.approx(755)
    assert walled.t_at_e_min == pytest.approx(1 / (3 + 7**0.5) + car(distance=75.5).t_at_e_min)
    clock, place, _, spent = carried_out(level, level.e_at_t_min)
    assert (clock, spent) == (pytest.approx(level.t_min), pytest.approx(level.e_at_t_min))
    assert place == pytest.approx(75, abs=2e-3)


def test_what_is_not_known_is_called_a_bound():
    assert car(velocity=25.0).kind == "bound"
    assert car(velocity=12.0, distance=2.0, stop=True).kind == "bound"
    assert car(velocity=-2.0, drag=0.1).kind == "bound"
    assert car(drag=0.05, slope=-0.3, stop=True).kind == "bound"
    assert car(loss=0.001, dry=4.0, drag=0.05).kind == "bound"
    with pytest.raises(BadParameter, match="only a bound"):
        car(velocity=25.0).plan(800)


def test_cheapest_trip_that_never_ends_is_infinite():
    assert (car(friction=0.0).e_min, car(friction=0.0).t_at_e_min) == (0, inf)
    assert (car(drag=0.05).e_min, car(drag=0.05).t_at_e_min) == (750, inf)
    assert all(np.isfinite(one.time) for one in car(drag=0.05).curve(10))


def test_downhill_takes_no_energy_to_race_but_some_to_park():
    assert car(slope=-0.3).e_min == 0
    assert car(slope=-0.3, stop=True).e_min == pytest.approx(-car(slope=-0.3).body.resistance * 75)


def test_start_on_the_goal_is_done():
    assert (car(distance=0.0).t_min, car(distance=0.0).e_min) == (0, 0)


def test_one_way_motor_parks_only_by_coasting():
    oracle = car(stop=True, brake=0.0)
    assert [(one.energy, round(one.time, 6)) for one in oracle.curve()] == [(750, 10.11228)]
    with pytest.raises(BadParameter, match="one-way"):
        car(stop=True, brake=0.0, slope=-0.3)


def test_starts_that_cannot_be_made_are_refused():
    with pytest.raises(BadParameter, match="cannot start"):
        car(power=0.0)
    with pytest.raises(BadParameter, match="cannot start"):
        car(power=0.0, slope=-0.25, static=0.3)
    assert car(power=0.0, slope=-0.35, static=0.3).e_min == 0
    with pytest.raises(BadParameter, match="does not get to its goal"):
        car(power=0.0, velocity=1.0)
    with pytest.raises(BadParameter, match="not enough"):
        car().plan(700)
    with pytest.raises(BadParameter, match="fuel is not enough"):
        car(loss=0.001, dry=4.5)


@pytest.mark.parametrize(
    ("field", "value"), [("mass", 0.0), ("distance", -1.0), ("slope", 2.0), ("static", 0.1), ("friction", inf)]
)
def test_bad_numbers_are_refused(field, value):
    with pytest.raises(BadParameter, match=field.replace("static", "Static")):
        car(**{field: value})
