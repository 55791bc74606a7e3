"""The controller that attains the oracle's curve: it carries out a plan made before the start."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mensura.catalog.task_environments.oracle.find import oracle_of, plan_of
from mensura.catalog.task_environments.oracle.oracle import Stage
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.task import Task
from mensura.dialogue import Ask
from mensura.errors import BadParameter
from mensura.subjects.subject import Unlearning

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

    def powers(self, begin: float, seconds: float) -> list[float]:
        """Return the mean power of each motor that agents set, from `begin` for some seconds."""
        return [_mean(self.plans.get(name, ()), begin, seconds) for name in self.motors]

    def drive(self, task: Task) -> World:
        """Carry the plan out, step by step, and return the world at its end."""
        world = World(task)
        step = world.batch.step_seconds
        longest = max((sum(stage.seconds for stage in plan) for plan in self.plans.values()), default=0.0)
        for number in range(int(longest / step) + 1):
            world.step(self.powers(number * step, step))
        while not world.over and np.any(world.state.velocity):
            world.step([0.0] * len(self.motors))
        return world


class OracleAgent(Unlearning):
    """Knows the world and carries out the best plan, made anew at every tick from where the world stands.

    Parameters
    ----------
    saving : float
        0 for the fastest trip, 1 for the cheapest, between them a share of the energy that lies between.
    """

    knows = "truth"
    recomputes = True

    def __init__(self, saving: float = 0.5) -> None:
        if not 0 <= saving <= 1:
            raise BadParameter(f"Saving lies between 0, the fastest trip, and 1, the cheapest; got {saving:g}.")
        self.saving = saving
        self._budget = 0.0

    def __call__(self, ask: Ask) -> list[float]:
        world: Any = ask.aside
        state = world.state
        if state.time == 0:
            # The instance and what it may spend are those of the attempt; plans are made anew at every tick.
            self._task = world.task.fix(world.batch.drawn[0])
            oracle = oracle_of(self._task)
            self._budget = oracle.e_at_t_min - self.saving * (oracle.e_at_t_min - oracle.e_min)
        task = self._task
        places = zip(task.bodies, state.value, state.velocity, strict=True)
        now = tuple(replace(body, value=float(x), velocity=float(v)) for body, x, v in places)
        mine = [bool(ask.role in motor.agents) for motor in task.motors if motor.agents]
        left = max(self._budget - state.energy, 0.0)
        powers = _next(replace(task, bodies=now), left, world.batch.tick_seconds)
        space: Any = ask.space
        # A signal beside the powers says: go on.
        asked = [power for power, own in zip(powers, mine, strict=True) if own]
        return [*asked, *[0.0] * (len(space.low) - len(asked))]


def _next(task: Task, energy: float, seconds: float) -> list[float]:
    """Return the mean powers of the next seconds; none where only a bound is known of where the world stands."""
    try:
        least = oracle_of(task).e_min
        return OracleController(task, energy=max(energy, least)).powers(0.0, seconds)
    except BadParameter:
        return [0.0 for motor in task.motors if motor.agents]


def _mean(stages: Sequence[Stage], begin: float, seconds: float) -> float:
    total, clock, end = 0.0, 0.0, begin + seconds
    for stage in stages:
        shared = min(clock + stage.seconds, end) - max(clock, begin)
        total += stage.power * max(shared, 0.0)
        clock += stage.seconds
    # Rounding must not push a motor over its limit.
    powers = [0.0, *(stage.power for stage in stages)]
    return min(max(total / seconds, min(powers)), max(powers))
