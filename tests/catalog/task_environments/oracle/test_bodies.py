"""Several bodies at once: sums for own motors, bursts for a shared one."""

from itertools import permutations
from math import inf

import pytest

from mensura.catalog.task_environments.oracle.bodies import OwnMotors, SharedMotor
from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.solve import solve


def body(distance, **changes):
    return BodyProblem(**({"mass": 1, "friction": 0.2, "gravity": 10, "power": 1, "distance": distance} | changes))


def shared_by(*bodies):
    return SharedMotor([solve(one) for one in bodies], power=bodies[0].power)


def test_own_motors_add_energies_and_wait_for_the_slowest():
    parts = [solve(body(distance, power=20)) for distance in (3, 6, 9)]
    together = OwnMotors(parts)
    assert together.kind == "closed-form"
    assert together.t_min == parts[2].t_min
    assert together.e_min == pytest.approx(sum(part.e_min for part in parts))
    # In the time of the slowest at full power the others need not hurry.
    assert together.e_at_t_min < sum(part.e_at_t_min for part in parts)
    for one in together.curve(6):
        assert together.least_energy(one.time) == pytest.approx(one.energy, rel=1e-9)
    assert together.least_time(together.e_min - 1) == inf


def test_no_order_of_bursts_is_faster_than_longest_tail_first():
    shared = shared_by(*(body(distance, mass=mass, power=5) for distance, mass in ((3, 1), (6, 8), (2, 3), (4, 20))))
    found = shared.sequence

    def finish(order):
        clock = done = 0.0
        for index in order:
            clock += found.bursts[index]
            done = max(done, clock + found.tails[index])
        return done

    assert len({round(tail, 6) for tail in found.tails}) == 4
    assert found.time == pytest.approx(min(finish(order) for order in permutations(range(4))))
    assert shared.t_min <= found.time
    assert shared.e_min == found.energy


def test_twice_the_bodies_need_twice_the_energy_and_nearly_twice_the_time():
    bodies = [body(distance) for distance in (6.5, 5.2, 7.9, 4.6, 8.3)]
    once, twice = shared_by(*bodies), shared_by(*bodies, *bodies)
    assert twice.e_min == 2 * once.e_min
    assert twice.sequence.time == pytest.approx(2 * once.sequence.time, rel=0.01)
    assert twice.limits() == (pytest.approx(2 * once.limits()[0], rel=0.01), 2 * once.limits()[1])


def test_a_long_tail_bounds_a_shared_motor():
    shared = shared_by(body(50, mass=400, power=200), body(1, power=200))
    slow = solve(body(50, mass=400, power=200))
    assert shared.least_time(shared.e_min) == pytest.approx(slow.t_at_e_min)
    assert shared.least_energy(slow.t_at_e_min) == pytest.approx(shared.e_min)
    assert shared.t_min < shared.t_at_e_min
