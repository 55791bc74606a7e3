"""What every oracle answers: the least time, the least energy, and the best trades between the two."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from scipy.optimize import brentq

from mensura.errors import BadParameter

Kind = Literal["closed-form", "numerical", "bound"]
NEVER = float("inf")
CLOSE = 1e-6
"""Share by which a time or an energy may miss the least one and still count as it: what stepping does to a trip."""


@dataclass(frozen=True)
class Trade:
    """A time and the least energy that it takes."""

    time: float
    energy: float


@dataclass(frozen=True)
class Stage:
    """A stretch of time in which the motor gives one power, negative when it pushes backward."""

    power: float
    seconds: float


class TaskOracle(ABC):
    """The least that a task needs of anyone.

    Attributes
    ----------
    kind : "closed-form", "numerical" or "bound"
        How the numbers were found. A bound is never beaten, but nobody need be able to attain it.
    t_min, e_at_t_min : float
        The least time, and the least energy with which it is attained.
    e_min, t_at_e_min : float
        The least energy, and the least time with it; infinite where it is approached by ever slower trips only.
    """

    kind: Kind
    t_min: float
    e_at_t_min: float
    e_min: float
    t_at_e_min: float

    def least_time(self, energy: float) -> float:
        """Return the least time within an energy; infinite if it is too little."""
        if energy < self.e_min * (1 - CLOSE) or (energy <= self.e_min and not isfinite(self.t_at_e_min)):
            return NEVER
        return self._time(min(max(energy, self.e_min), self.e_at_t_min))

    def least_energy(self, time: float) -> float:
        """Return the least energy within a time; infinite if it is too short."""
        if time < self.t_min * (1 - CLOSE):
            return NEVER
        return self._energy(max(time, self.t_min)) if time < self.t_at_e_min else self.e_min

    def plan(self, energy: float) -> tuple[Stage, ...]:
        """Return the powers, one after the other, that attain the least time within an energy; none for a bound."""
        if self.least_time(energy) == NEVER:
            raise BadParameter(f"{energy:g} J are not enough: the task takes at least {self.e_min:.6g} J.")
        stages = self._stages(min(max(energy, self.e_min), self.e_at_t_min))
        return tuple(stage for stage in stages if stage.seconds > 0)

    @abstractmethod
    def _time(self, energy: float) -> float:
        """Return the least time within an energy between those of the cheapest and of the fastest trip."""

    def _energy(self, time: float) -> float:
        """Return the least energy within a time between those of the fastest and of the cheapest trip."""
        low, high = self.e_min, self.e_at_t_min
        if not isfinite(self.t_at_e_min):
            # The cheapest trip never ends: come near it until a trip is slower than asked for.
            gap = high - low
            while self._time(low + gap) <= time and gap > 1e-12 * high:
                gap /= 2
            low += gap
        return root(lambda energy: time - self._time(energy), low, high)

    def _stages(self, energy: float) -> tuple[Stage, ...]:
        raise BadParameter("Of this task only a bound is known, and no way to attain it.")

    def curve(self, points: int = 100) -> list[Trade]:
        """Return the best trades from the cheapest to the fastest, denser where time falls steeply with energy."""
        if self.e_at_t_min <= self.e_min:
            return [Trade(self.t_min, self.e_at_t_min)]
        steps = [step / (points - 1) for step in range(points)]
        if not isfinite(self.t_at_e_min):
            steps = [(step + 1) / points for step in range(points)]
        span = self.e_at_t_min - self.e_min
        return [Trade(self.least_time(energy), energy) for energy in (self.e_min + span * one**2 for one in steps)]

    def data(self, points: int = 100) -> dict[str, Any]:
        """Return everything as JSON data; what is infinite becomes null there."""
        return {
            "kind": self.kind,
            "t_min": self.t_min,
            "e_at_t_min": self.e_at_t_min,
            "e_min": self.e_min,
            "t_at_e_min": self.t_at_e_min,
            "curve": [{"time": one.time, "energy": one.energy} for one in self.curve(points)],
        }


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function is 0, or the end of the bracket at which rounding keeps it from being so."""
    first, last = function(low), function(high)
    if low >= high or (first < 0) == (last < 0):
        return low if abs(first) < abs(last) else high
    return float(brentq(function, low, high, xtol=1e-300, rtol=1e-14))


class AlreadyThere(TaskOracle):
    """A task that is solved where it begins."""

    kind: Kind = "closed-form"
    t_min = e_at_t_min = e_min = t_at_e_min = 0.0

    def _time(self, energy: float) -> float:
        return 0.0

    def _stages(self, energy: float) -> tuple[Stage, ...]:
        return ()
