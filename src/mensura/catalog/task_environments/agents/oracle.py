"""The controller that attains the oracle's curve: it carries out a plan made before the start."""

from collections.abc import Sequence

import numpy as np

from mensura.catalog.task_environments.oracle.find import plan_of
from mensura.catalog.task_environments.oracle.oracle import Stage
from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.task import Task

CLEAR = 1e-9
"""What is spent above the least energy, as a share: with exactly that, a body comes to rest on the very edge."""


class OracleController:
    """Knows the instance and gives, for each stretch of time, the mean power of its plan: what it spends is exact.

    Parameters
    ----------
    task
        An instance whose optimum is known.
    energy
        The joules that it may spend; none: as many as the fastest trip takes.

    Examples
    --------
    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> race = find_task("car-race").fix([20.0])
    >>> world = OracleController(race, energy=900).drive(race)
    >>> round(world.state.time, 3), round(world.state.energy, 3)
    (7.382, 900.0)
    """

    def __init__(self, task: Task, *, energy: float | None = None) -> None:
        self.plans = plan_of(task, energy=None if energy is None else energy * (1 + CLEAR))
        self.motors = [motor.name for motor in task.flat.motors if motor.agents]

    def powers(self, begin: float, seconds: float) -> Floats:
        """Return the mean power of each motor that agents set, from `begin` for some seconds."""
        return np.array([_mean(self.plans.get(name, ()), begin, seconds) for name in self.motors])

    def drive(self, task: Task) -> World:
        """Carry the plan out, step by step, and return the world at its end."""
        world = World(task)
        step = world.batch.step_seconds
        longest = max((sum(stage.seconds for stage in plan) for plan in self.plans.values()), default=0.0)
        for number in range(int(longest / step) + 1):
            world.step(self.powers(number * step, step))
        while not world.over and np.any(world.state.velocity):
            world.step(np.zeros(len(self.motors)))
        return world


def _mean(stages: Sequence[Stage], begin: float, seconds: float) -> float:
    total, clock, end = 0.0, 0.0, begin + seconds
    for stage in stages:
        shared = min(clock + stage.seconds, end) - max(clock, begin)
        total += stage.power * max(shared, 0.0)
        clock += stage.seconds
    # Rounding must not push a motor over its limit.
    powers = [0.0, *(stage.power for stage in stages)]
    return min(max(total / seconds, min(powers)), max(powers))
