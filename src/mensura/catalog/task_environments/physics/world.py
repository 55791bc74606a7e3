"""World: one running instance of a task."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.task_environments.physics import kernel
from mensura.catalog.task_environments.physics.batch import STEP, TICK, Batch, refuse_power
from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.task import Physics, Task
from mensura.errors import BadData


@dataclass(frozen=True)
class State:
    """Where a world stands: of every body value and velocity, what was spent, and which goals are met."""

    value: Floats
    velocity: Floats
    time: float
    energy: float
    wasted: float
    created: float
    met: NDArray[np.bool_]


class World:
    """One instance in motion: a batch of one.

    Parameters
    ----------
    task
        An instance, or a family of which `drawn` gives the numbers of the ranges.
    physics, tick, step, drawn
        As of `Batch`.

    Examples
    --------
    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> world = World(find_task("car-race"), drawn=[20.0])
    >>> while not world.over:
    ...     world.tick([200.0] if world.state.energy < 1000 else [0.0])
    >>> round(world.state.time, 4), round(world.state.energy, 6), world.solved
    (6.9829, 1000.0, True)
    """

    def __init__(
        self,
        task: Task,
        physics: Physics = "exact",
        *,
        tick: float = TICK,
        step: float = STEP,
        drawn: ArrayLike = (),
    ) -> None:
        self.batch = Batch(task, np.asarray(drawn, dtype=float)[None], physics=physics, tick=tick, step=step)
        # What is noted of one instance are plain numbers, not arrays.
        self.batch.sensing.start()
        self._note()

    def step(self, powers: Sequence[float] | Floats, steps: int = 1, *, cut: bool = False) -> None:
        """Set the motors and make so many steps.

        With `cut` a power over the limit, as of several agents on one motor, is cut and the rest counted as wasted;
        else it is refused.
        """
        self._set(powers, cut=cut)
        self.batch.advance(steps)

    def tick(self, powers: Sequence[float] | Floats, *, cut: bool = False) -> None:
        """Set the motors and go on for one tick."""
        self.step(powers, self.batch.tick_steps, cut=cut)
        self._note()

    def sense(self, rng: np.random.Generator) -> list[float]:
        """Return what the sensors read."""
        return list(self.batch.sensing.read(rng))

    def distance(self) -> float:
        """Return how far the goals that are not met are from being so, as `Batch.distance` does."""
        return float(self.batch.tally[0, kernel.DISTANCE])

    def _set(self, powers: Sequence[float] | Floats, *, cut: bool) -> None:
        batch = self.batch
        if not cut and batch.physics == "original":
            batch.set_powers(np.asarray(powers, dtype=float)[None])
            return
        if len(powers) != len(batch.limits):
            raise BadData(f"There are {len(batch.limits)} motors; got {len(powers)} powers.")
        for (motor, name, low, high), power in zip(batch.limits, powers, strict=True):
            if not low <= power <= high:
                if not cut or isnan(power):
                    refuse_power(name, low, high, power)
                batch.cut[0, motor] = max(power - high, low - power)
                power = min(max(power, low), high)
            elif cut:
                batch.cut[0, motor] = 0.0
            batch.given[0, motor] = power

    def _note(self) -> None:
        self.batch.sensing.note(self.batch.value[0].tolist(), self.batch.velocity[0].tolist())

    @property
    def state(self) -> State:
        """Where it stands now."""
        batch = self.batch
        return State(
            batch.value[0].copy(),
            batch.velocity[0].copy(),
            float(batch.time[0]),
            float(batch.energy[0]),
            float(batch.wasted[0]),
            float(batch.created[0]),
            batch.met[0],
        )

    @property
    def task(self) -> Task:
        """The task, without systems."""
        return self.batch.task

    @property
    def over(self) -> bool:
        """Whether it is solved, or time or energy are used up."""
        return bool(self.batch.tally[0, kernel.OVER])

    @property
    def solved(self) -> bool:
        """Whether all goals were met within the limits."""
        return bool(self.batch.tally[0, kernel.SOLVED])

    def copy(self) -> "World":
        """Return a world that stands where this one does and goes on apart from it."""
        other = object.__new__(World)
        other.batch = deepcopy(self.batch, {id(self.batch.program): self.batch.program})
        return other
