"""Model learner: fits the physics of what it moves, then plans by it."""

from typing import Any

import numpy as np

from mensura.catalog.task_environments.agents.told import Aims, speeds
from mensura.dialogue import Ask, Readings, Vector

ENOUGH = 4
"""Ticks under power that must have been seen before the model is trusted."""


class ModelLearner:
    """Learns mass and resistance of each body from energy, ½ m Δ(v²) = P Δt − F |Δx|, and coasts where that is enough.

    It pushes until its model says that the body coasts into the goal by itself, which is the cheapest way there.
    While the model is poor it pushes all the time. Motors take the goals in order.
    """

    recomputes = True

    def __init__(self, tick: float = 0.25) -> None:
        self.tick = tick
        self.learning = True
        self.aims = Aims()
        # For each motor the normal equations of the fit: A'A as three numbers, A'y as two, and how often it was seen.
        self.sums: list[list[float]] = []
        self._before: tuple[list[float], list[float]] | None = None

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a session; what was learned stays."""
        self._before = None

    def feedback(self, told: Ask) -> None:
        """Hear the goals; another attempt begins."""
        self.aims.hear(told)
        self._before = None

    def __call__(self, ask: Ask) -> list[float]:
        space: Vector = ask.space  # type: ignore[assignment]
        readings: Readings = ask.prompt  # type: ignore[assignment]
        velocities, errors = speeds(readings), self.aims.errors(readings)
        self._learn(velocities)
        powers = [0.0] * len(space.high)
        for motor, (error, velocity) in enumerate(zip(errors, velocities, strict=False)):
            if motor < len(powers) and not self._coasts(motor, error, velocity):
                powers[motor] = space.high[motor] if error > 0 else space.low[motor]
        self._before = (velocities, powers)
        return powers

    def snapshot(self) -> list[list[float]]:
        """Return all that was learned, as JSON."""
        return [list(one) for one in self.sums]

    def restore(self, state: list[list[float]]) -> None:
        """Take back what was learned."""
        self.sums = [list(one) for one in state]
        self._before = None

    def knowledge(self) -> float:
        """Return how many ticks taught it something."""
        return float(sum(one[5] for one in self.sums))

    def model(self, motor: int) -> tuple[float, float] | None:
        """Return the mass and the deceleration while coasting that it believes in; None while it does not."""
        if motor >= len(self.sums) or self.sums[motor][5] < ENOUGH:
            return None
        powered, crossed, passed, gain, loss, _ = self.sums[motor]
        whole = powered * passed - crossed * crossed
        if whole <= 1e-9 * powered * passed:
            return None
        inverse, slowing = (gain * passed - loss * crossed) / whole, (loss * powered - gain * crossed) / whole
        return (1 / inverse, -slowing) if inverse > 0 and slowing < 0 else None

    def _coasts(self, motor: int, error: float, velocity: float) -> bool:
        width = self.aims.widths[motor] if motor < len(self.aims.widths) else 0.0
        if abs(error) < width:
            return True
        found = self.model(motor)
        # Half of the width is kept for what the model does not know.
        return found is not None and velocity * error > 0 and velocity**2 / (2 * found[1]) > abs(error) - width / 2

    def _learn(self, velocities: list[float]) -> None:
        if not self.learning or self._before is None:
            return
        before, powers = self._before
        for motor, (old, new) in enumerate(zip(before, velocities, strict=True)):
            while len(self.sums) <= motor:
                self.sums.append([0.0] * 6)
            # Around rest static friction decides, which the model leaves out.
            if motor < len(powers) and old * new > 0:
                energy, way, change = powers[motor] * self.tick, abs(old + new) / 2 * self.tick, (new**2 - old**2) / 2
                energy = abs(energy) if energy * old >= 0 else -abs(energy)
                added: list[Any] = [energy**2, energy * way, way**2, energy * change, way * change, 1.0]
                self.sums[motor] = [one + more for one, more in zip(self.sums[motor], added, strict=True)]
