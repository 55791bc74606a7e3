"""The oracle as a subject: it is told the instance and carries out the plan that attains the curve."""

from typing import Any

from mensura.catalog.task_environments.agents.oracle import OracleController
from mensura.dialogue import Ask
from mensura.subjects.subject import Unlearning


class Planned(Unlearning):
    """Knows the instance, and gives for each tick the mean power of the best plan.

    Parameters
    ----------
    energy
        The joules that it may spend; 0: as many as the fastest trip takes.
    """

    knows = "truth"
    recomputes = True

    def __init__(self, energy: float = 0.0) -> None:
        self.energy = energy or None
        self._world: Any = None

    def __call__(self, ask: Ask) -> list[float]:
        world: Any = ask.aside
        if world is not self._world:
            self._world = world
            self._controller = OracleController(world.task.fix(list(world.batch.drawn[0])), energy=self.energy)
        batch = world.batch
        powers = self._controller.powers(world.state.time, batch.tick_steps * batch.step_seconds)
        return [float(power) for power in powers]
