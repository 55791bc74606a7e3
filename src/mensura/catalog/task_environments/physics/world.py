"""World: one running instance of a task."""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.task_environments.physics.batch import STEP, TICK, Batch
from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.task import Physics, Task


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
    >>> round(world.state.time, 4), world.state.energy, world.solved
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

    def step(self, powers: ArrayLike, steps: int = 1) -> None:
        """Set the motors and make so many steps."""
        self.batch.step(np.asarray(powers, dtype=float)[None], steps)

    def tick(self, powers: ArrayLike) -> None:
        """Set the motors and go on for one tick."""
        self.batch.tick(np.asarray(powers, dtype=float)[None])

    def sense(self, rng: np.random.Generator) -> Floats:
        """Return what the sensors read."""
        return self.batch.sense(rng)[0]

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
        return bool(self.batch.tally[0, 5])

    @property
    def solved(self) -> bool:
        """Whether all goals were met within the limits."""
        return bool(self.batch.tally[0, 6])

    def copy(self) -> "World":
        """Return a world that stands where this one does and goes on apart from it."""
        other = object.__new__(World)
        other.batch = deepcopy(self.batch, {id(self.batch.program): self.batch.program})
        return other
