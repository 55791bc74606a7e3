"""The oracle of tasks: which of them are solved, which only bounded, and what each part becomes."""

import numpy as np
import pytest
from scipy.optimize import differential_evolution

from mensura.catalog.task_environments.oracle.find import oracle_of, plan_of
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.errors import BadParameter

KINDS = {
    "car-race": "closed-form",
    "parking": "closed-form",
    "two-agents": "closed-form",
    "fuel-car": "numerical",
    "plotter": "bound",
    "locking-plotter": "bound",
    "plotter-2d": "bound",
    "rotating-motor": "bound",
    "steered-car": "bound",
    "follow": "bound",
    "keep": "bound",
    "n-dimensions:4": "bound",
    "n-dimensions-original:4": "bound",
}


def car(**changes):
    usual = {"mass": 5, "kinetic": 0.2, "static": 0.3, "gravity": 10, "low": 0, "high": 150, "value": 20}
    return Body("car", **(usual | changes))


def race(body, *, goal=None, motor=None):
    goals = goal or (Goal("there", "car", 100, 5),)
    return Task("race", bodies=(body,), motors=(motor or Motor("engine", ("car",), power=200),), goals=goals)


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_every_task_that_comes_with_it_has_an_oracle(name, kind):
    task = find_task(name)
    for seed in range(3):
        oracle = oracle_of(task.draw(np.random.default_rng(seed)))
        assert oracle.kind == kind
        assert 0 <= oracle.t_min <= oracle.t_at_e_min
        assert 0 <= oracle.e_min <= oracle.e_at_t_min
        # What it takes at least fits into the limits of the task, else nobody could solve it.
        assert oracle.t_min < task.limits.time
        assert oracle.e_min < (task.limits.energy or np.inf)


def test_a_start_beyond_the_goal_is_the_same_way_back():
    ahead, behind = oracle_of(race(car())), oracle_of(race(car(value=180.0, high=200)))
    assert (behind.t_min, behind.e_min) == (pytest.approx(ahead.t_min), pytest.approx(ahead.e_min))
    uphill = oracle_of(race(car(slope=0.1)))
    assert oracle_of(race(car(value=180.0, high=200, slope=-0.1))).t_min == pytest.approx(uphill.t_min)


def test_the_near_side_of_the_tolerance_counts_and_a_line_has_none():
    near = oracle_of(race(car(), goal=(Goal("there", "car", 100, 5),)))
    line = oracle_of(race(car(value=25.0), goal=(Goal("over", "car", 100, crossing=True),)))
    assert near.e_min == line.e_min == 750


def test_a_wall_within_the_goal_stops_for_nothing_so_parking_there_is_bounded():
    slow = Goal("slow", "car", 0, 0.05, of="velocity")
    there = Goal("there", "car", 100, 5, requires=("slow",), present=True)
    assert oracle_of(race(car(), goal=(slow, there))).kind == "closed-form"
    assert oracle_of(race(car(high=102), goal=(slow, there))).kind == "bound"


def test_what_is_held_takes_that_much_longer():
    held = oracle_of(race(car(), goal=(Goal("there", "car", 100, 5, held=3.0),)))
    assert held.kind == "bound"
    assert held.t_min == pytest.approx(oracle_of(race(car())).t_min + 3)


def test_families_and_tasks_without_goals_are_refused():
    with pytest.raises(BadParameter, match="draw an instance"):
        oracle_of(find_task("car-race"))
    with pytest.raises(BadParameter, match="only a bound"):
        plan_of(find_task("keep").draw(np.random.default_rng(1)))


@pytest.mark.parametrize("count", [3, 6])
def test_strict_dimensions_need_twice_for_twice_as_many_with_starts_repeated(count):
    starts = list(np.random.default_rng(count).uniform(1, 5, count))
    once = oracle_of(find_task(f"n-dimensions:{count}").fix(starts))
    twice = oracle_of(find_task(f"n-dimensions:{2 * count}").fix(starts * 2))
    assert twice.e_min == pytest.approx(2 * once.e_min, rel=1e-12)
    assert twice.t_min == pytest.approx(2 * once.t_min, rel=1e-12)
    assert twice.sequence.time == pytest.approx(2 * once.sequence.time, rel=0.01)


def test_the_original_dimensions_need_no_more_time_for_twice_as_many():
    starts = [1.5, 4.0, 3.0]
    once = oracle_of(find_task("n-dimensions-original:3").fix(starts))
    twice = oracle_of(find_task("n-dimensions-original:6").fix(starts * 2))
    assert twice.t_min == once.t_min
    assert twice.e_min == pytest.approx(2 * once.e_min)


def heading_for_its_goals(world, task, rng):
    """Return full power towards the goals, less what speed carries a body on; at random where no goal says."""
    names, away = [body.name for body in task.bodies], np.zeros(len(task.bodies))
    for goal in task.goals:
        if goal.of == "value":
            place = names.index(goal.body)
            target = world.state.value[names.index(goal.target)] if isinstance(goal.target, str) else goal.target
            away[place] = target - world.state.value[place] - 0.8 * world.state.velocity[place]
    powers = []
    for motor in (one for one in task.motors if one.agents):
        wanted = sum(away[names.index(name)] for name in motor.targets) or rng.uniform(-1, 1)
        powers.append(motor.power if wanted > 0 else -motor.power * motor.reverse)
    return powers


@pytest.mark.parametrize("name", ["follow", "keep", "parking", "rotating-motor"])
def test_nobody_beats_what_a_task_takes_at_least(name):
    family, solved = find_task(name), 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        task = family.draw(rng)
        world = World(task)
        while not world.over:
            world.tick(heading_for_its_goals(world, task, rng))
        if world.solved:
            solved += 1
            oracle = oracle_of(task)
            assert world.state.time >= oracle.least_time(world.state.energy) - 1e-4
            assert world.state.energy >= oracle.least_energy(world.state.time) - 1e-3
    assert solved


def steered(task, plan, *, tick=0.25):
    """Drive the steered car by a plan: when the engine goes off, how hard it turns, and how far ahead it aims."""
    off, gain, damping, aim = plan
    world = World(task, tick=tick)
    names = [body.name for body in task.bodies]
    x, y, drive, heading = (names.index(name) for name in ("x", "y", "drive", "orientation"))
    goal = [one.target for one in task.goals]
    while not world.over:
        state = world.state
        way = np.arctan2(goal[1] + aim - state.value[y], goal[0] + aim - state.value[x])
        turn = np.clip(gain * (way - state.value[heading]) - damping * state.velocity[heading], -1, 1)
        moving = abs(state.velocity[drive]) > 1e-9
        world.tick([200.0 if state.time < off or not moving else 0.0, float(turn)])
    return world


def dimensions(task, plan, *, tick=0.25):
    """Let the selector go to one body after the other, in an order and with times to stay that a plan says."""
    world, count = World(task, tick=tick), len(task.goals)
    order, stays = np.argsort(plan[:count]), np.abs(plan[count:])
    visits = iter(zip(order.tolist(), stays.tolist(), strict=True))
    place, stay = next(visits)
    selector = [body.name for body in task.bodies].index("control.selector")
    while not world.over:
        ahead = place + 0.5 - world.state.value[selector]
        if abs(ahead) < 0.5:
            stay -= tick
            place, stay = next(visits, (place, np.inf)) if stay <= 0 else (place, stay)
        world.tick([1.0, float(np.clip(ahead, -1, 1) * 0.1)])
    return world


SEARCHED = {
    "steered-car": (steered, [(0.5, 12.0), (0.2, 8.0), (0.0, 2.0), (-3.0, 3.0)]),
    "n-dimensions-original:3": (dimensions, [(0.0, 1.0)] * 3 + [(0.25, 4.0)] * 3),
}


@pytest.mark.parametrize("name", SEARCHED)
@pytest.mark.parametrize("rounds", [2, pytest.param(40, marks=pytest.mark.proof)])
def test_an_optimiser_that_knows_no_oracle_never_beats_a_bound(name, rounds):
    """Differential evolution looks for the fastest, the cheapest and one between; what it finds is a real attempt."""
    carry_out, bounds = SEARCHED[name]
    task = find_task(name).draw(np.random.default_rng(3))
    oracle, nearest = oracle_of(task), np.inf
    assert oracle.kind == "bound"
    for price in (0.0, 0.01, 1.0):

        def cost(plan, price=price):
            nonlocal nearest
            world = carry_out(task, plan)
            time, energy = world.state.time, world.state.energy
            if not world.solved:
                return 1e4 + world.distance()
            assert time >= oracle.least_time(energy) - 1e-6
            assert energy >= oracle.least_energy(time) - 1e-6
            nearest = min(nearest, time / oracle.least_time(energy))
            return time + price * energy

        differential_evolution(cost, bounds, maxiter=rounds, popsize=4, seed=1, polish=False, tol=0)
    # A bound that nobody comes near would say little.
    assert nearest < 1.5
