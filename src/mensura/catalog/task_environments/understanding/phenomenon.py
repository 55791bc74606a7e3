"""Phenomena: what acts on a cart beside its motor, each with one number that is drawn anew for every session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mensura.catalog.task_environments.physics.batch import Batch
from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.body import Body, When
from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Lock, Wave

TICK, TICKS, STEP = 0.5, 16, 0.01
SECONDS = TICK * TICKS
POWER, MOST = 200.0, 60.0
"""What the motor can do, and the most that runs to be foretold use: strong motion hides what is to be understood."""
MASS = 5.0


@dataclass(frozen=True)
class Phenomenon:
    """One thing that acts, and the range of its number."""

    name: str
    about: str
    low: float
    high: float
    change: Callable[[Task, float], Task]

    @cached_property
    def plain(self) -> Task:
        """The same world without it."""
        cart = Body("cart", value=Range(-10, 10), velocity=Range(3, 10), mass=MASS, gravity=10.0)
        gate = Body("gate", hidden=self.name == "hidden")
        place, speed = Sensor("place", ("cart",)), Sensor("speed", ("cart",), reads="velocity")
        # Nobody gets there: what is to be done is asked, not built in.
        far = Goal("far", "cart", 1e6, crossing=True)
        gated = self.name in ("lock", "hidden")
        bodies = (cart, gate) if gated else (cart,)
        return Task(self.name, bodies, (Motor("engine", ("cart",), POWER),), (place, speed), goals=(far,))

    def world(self, number: float) -> Task:
        """Return the world in which it has this strength."""
        return self.change(self.plain, float(number))

    def draw(self, rng: np.random.Generator) -> float:
        """Draw its number."""
        return float(rng.uniform(self.low, self.high))


def with_body(task: Task, **numbers: Any) -> Task:
    """Return the task with other numbers for its first body."""
    return replace(task, bodies=(replace(task.bodies[0], **numbers), *task.bodies[1:]))


def _gated(task: Task, above: float, period: float) -> Task:
    wave = Wave("gate", 0.0, 1.0, period)
    return replace(task, transitions=(wave, Lock("cart", When("gate", above=above))))


def _fuelled(task: Task, tank: float) -> Task:
    # Half of the mass is fuel, however much that is.
    return replace(task, transitions=(Fuel("cart", "engine", MASS / 2, tank, 2 * tank / MASS),))


PHENOMENA: Mapping[str, Phenomenon] = {
    one.name: one
    for one in (
        Phenomenon(
            "friction", "the coefficient of friction", 0.05, 0.4, lambda t, n: with_body(t, kinetic=n, static=n)
        ),
        Phenomenon("slope", "the slope in radians, uphill", 0.03, 0.25, lambda t, n: with_body(t, slope=n)),
        Phenomenon("drag", "k of the resistance k v²", 0.02, 0.4, lambda t, n: with_body(t, drag=n)),
        Phenomenon("fuel", "the joules in the tank, half of the mass", 60.0, 160.0, _fuelled),
        Phenomenon(
            "lock", "the gate's height above which the cart is locked", -0.6, 0.6, lambda t, n: _gated(t, n, 4.0)
        ),
        Phenomenon(
            "hidden", "the period of a hidden gate that locks the cart", 1.5, 6.0, lambda t, n: _gated(t, 0.0, n)
        ),
        Phenomenon(
            "kick",
            "the seconds between kicks of 1.5 m/s",
            0.8,
            3.0,
            lambda t, n: replace(t, transitions=(Kick("cart", n, 1.5),)),
        ),
    )
}


@dataclass(frozen=True)
class ObservedRuns:
    """Where carts were, and how fast, at the start and after every tick: one row for each run."""

    place: Floats
    speed: Floats

    @property
    def way(self) -> Floats:
        """How far each came."""
        return self.place[:, -1] - self.place[:, 0]

    def when(self, distance: ArrayLike) -> Floats:
        """Return when each is so far from its start, drawn straight between ticks; the end where it never is."""
        gone = self.place - self.place[:, :1] - np.asarray(distance, dtype=float).reshape(-1, 1)
        there = (gone >= 0).argmax(axis=1)
        rows = np.arange(len(gone))
        before, after = gone[rows, np.maximum(there - 1, 0)], gone[rows, there]
        share = np.divide(-before, after - before, out=np.ones(len(gone)), where=after > before)
        return np.where((gone >= 0).any(axis=1), TICK * np.maximum(there - 1 + share, 0), SECONDS)


def play(task: Task, starts: ArrayLike, powers: ArrayLike) -> ObservedRuns:
    """Carry out powers, a row for each run and a column for each tick, from starts of place and speed."""
    watts = np.atleast_2d(np.asarray(powers, dtype=float))
    batch = Batch(task, np.broadcast_to(np.asarray(starts, dtype=float), (len(watts), 2)), tick=TICK, step=STEP)
    place, speed = [batch.value[:, 0].copy()], [batch.velocity[:, 0].copy()]
    for column in watts.T:
        batch.tick(column[:, None])
        place.append(batch.value[:, 0].copy())
        speed.append(batch.velocity[:, 0].copy())
    return ObservedRuns(np.stack(place, axis=1), np.stack(speed, axis=1))


def draw_starts(rng: np.random.Generator, count: int) -> Floats:
    """Draw places and speeds."""
    return np.stack([rng.uniform(-10, 10, count), rng.uniform(3, 10, count)], axis=1).round(2)


def draw_powers(rng: np.random.Generator, count: int) -> Floats:
    """Draw powers that change every four ticks; two of five are off."""
    blocks = np.where(rng.random((count, 4)) < 0.4, 0.0, rng.uniform(0, MOST, (count, 4))).round(1)
    return np.repeat(blocks, TICKS // 4, axis=1)
