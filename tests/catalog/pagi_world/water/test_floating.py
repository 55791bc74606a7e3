"""Water: what is light floats as deep as it should, what is heavy sinks."""

from math import acos, pi, sqrt

import numpy as np
import pytest

from mensura.catalog.pagi_world.water.pool import DENSITY, SPACING, WaterPool
from mensura.catalog.pagi_world.world.plan import ThingPlan
from mensura.catalog.pagi_world.world.room_world import RoomWorld
from mensura.catalog.pagi_world.world.saving import again, load_world, save_world
from mensura.catalog.pagi_world.world.terms import TERMS

RADIUS = 0.8


def tank(ratio):
    world = RoomWorld(TERMS["paper"])
    for n, (x, y, wide, high) in enumerate([(0, -0.5, 9, 1), (-4.25, 5, 0.5, 10), (4.25, 5, 0.5, 10)]):
        world.add(ThingPlan.read({"kind": "floatingWallBlock", "name": f"w{n}", "at": [x, y], "size": [wide, high]}))
    mass = ratio * DENSITY * pi * RADIUS**2
    world.add(ThingPlan.read({"kind": "block", "name": "disc", "at": [0, 5.8], "size": [RADIUS], "mass": mass}))
    world.pool = WaterPool.fill({"boxes": [[-4, 0, 4, 4.75]]})
    return world


def submerged(world):
    """Return the share of the disc below the surface, which is half a particle above the highest away from it."""
    place, x = world.pool.places(), world.find("disc").body.position.x
    away = place[abs(place[:, 0] - x) > 1.3]
    columns = [away[(away[:, 0] >= left) & (away[:, 0] < left + 0.5)] for left in np.arange(-4, 4, 0.5)]
    surface = np.median([column[:, 1].max() for column in columns if len(column)]) + SPACING / 2
    depth = min(max(surface - world.find("disc").body.position.y + RADIUS, 0), 2 * RADIUS)
    part = RADIUS**2 * acos((RADIUS - depth) / RADIUS)
    return (part - (RADIUS - depth) * sqrt(max(0, 2 * RADIUS * depth - depth**2))) / (pi * RADIUS**2)


@pytest.mark.parametrize(
    "ratio", [pytest.param(0.2, marks=pytest.mark.proof), 0.4, pytest.param(0.6, marks=pytest.mark.proof), 0.8]
)
def test_a_disc_floats_as_deep_as_its_density_says(ratio):
    world, shares = tank(ratio), []
    for tick in range(480):
        world.step()
        if tick >= 300 and tick % 30 == 0:
            shares.append(submerged(world))
    # It bobs: the share is that of three seconds.
    assert np.mean(shares) == pytest.approx(ratio, abs=0.15)
    assert world.pool.count == 32 * 19


def test_a_small_thing_rises_from_the_bottom_and_does_not_hang_among_particles():
    # In water whose particles lay in rows it was still at the bottom after fifteen seconds.
    world, radius = tank(0.5), 0.35
    world.remove(world.find("disc"))
    mass = 0.3 * DENSITY * pi * radius**2
    disc = world.add(ThingPlan.read({"kind": "block", "name": "disc", "at": [0, 1], "size": [radius], "mass": mass}))
    place, speed = world.pool.place, world.pool.speed
    free = np.hypot(place[:, 0], place[:, 1] - 1) > radius + 0.16
    world.pool.place, world.pool.speed = place[free].copy(), speed[free].copy()
    for _ in range(480):
        world.step()
        if disc.body.position.y > 2:
            return
    raise AssertionError(f"it hangs at {disc.body.position.y:.2f}")


def test_what_is_heavier_than_water_sinks_to_the_bottom():
    world = tank(3.0)
    for _ in range(300):
        world.step()
    assert world.find("disc").body.position.y < 1.6


def test_water_goes_on_with_the_same_bits_after_a_save():
    world = tank(0.5)
    for _ in range(40):
        world.step()
    state = save_world(world)
    one, other = again(world), load_world(state)
    for _ in range(40):
        one.step()
        other.step()
    assert save_world(one) == save_world(other)
