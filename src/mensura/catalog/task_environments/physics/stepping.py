"""Stepping a task from the outside: constant powers, starts of one's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.goal import TaskLimits
from mensura.catalog.task_environments.task.task import Physics, Task
from mensura.errors import BadParameter


@dataclass(frozen=True)
class Starts:
    """Values, velocities and slopes of bodies, in their order; what is not given is as in the task."""

    value: Sequence[float] = ()
    velocity: Sequence[float] = ()
    slope: Sequence[float] = ()

    def applied(self, task: Task, *, on: bool) -> Task:
        """Return the task with what is given; without goals and limits where it is to go on."""
        bodies = list(task.bodies)
        for name in ("value", "velocity", "slope"):
            numbers = getattr(self, name)
            if len(numbers) > len(bodies):
                raise BadParameter(
                    f"{task.name} has {len(bodies)} bodies; got {len(numbers)} numbers for their {name}."
                )
            for place, number in enumerate(numbers):
                bodies[place] = replace(bodies[place], **{name: number})
        if on:
            return replace(task, bodies=tuple(bodies), goals=(), limits=TaskLimits(time=1e9))
        return replace(task, bodies=tuple(bodies))


def step_task(
    task: Task,
    *,
    physics: Physics = "exact",
    powers: Sequence[float] = (),
    steps: int = 1,
    given: Starts | None = None,
    seed: int = 0,
    on: bool = False,
) -> World:
    """Step an instance of a task with constant powers, and return its world.

    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> given = Starts(value=[10.0], velocity=[2.0])
    >>> world = step_task(find_task("car-race"), physics="original", powers=[150.0], steps=500, given=given)
    >>> [round(float(number), 10) for number in (world.state.value[0], world.state.velocity[0])]
    [11.9319971018, 5.1289922126]
    """
    instance = (given or Starts()).applied(task.draw(np.random.default_rng(seed)), on=on)
    world = World(instance, physics)
    motors = world.batch.motors
    if len(powers) > len(motors):
        raise BadParameter(f"{task.name} has the motors {', '.join(motors)}; got {len(powers)} powers.")
    world.step([*powers, *[0.0] * (len(motors) - len(powers))], steps)
    return world
