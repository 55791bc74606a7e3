"""What every oracle answers: the least time, the least energy, and the best trades between the two."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, Literal

from scipy.optimize import brentq

Kind = Literal["closed-form", "numerical", "bound"]
NEVER = float("inf")


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


class Oracle(ABC):
    """The least that a task needs, whoever performs it.

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
    note: ClassVar[str] = ""

    @abstractmethod
    def least_time(self, energy: float) -> float:
        """Return the least time within an energy; infinite if it is too little."""

    def least_energy(self, time: float) -> float:
        """Return the least energy within a time; infinite if it is too short."""
        if time < self.t_min:
            return NEVER
        if time >= self.t_at_e_min:
            return self.e_min
        low, high = self.e_min, self.e_at_t_min
        if high <= low or self.least_time(high) >= time:
            return high
        if not isfinite(self.t_at_e_min):
            # The cheapest trip never ends: come near it until a trip is slower than asked for.
            gap = high - low
            while self.least_time(low + gap) <= time and gap > 1e-12 * high:
                gap /= 2
            low += gap
            if self.least_time(low) <= time:
                return low
        return float(brentq(lambda energy: self.least_time(energy) - time, low, high, xtol=1e-10))

    def plan(self, energy: float) -> tuple[Stage, ...]:
        """Return the powers, one after the other, that attain the least time within an energy; none for a bound."""
        raise NotImplementedError(f"A {self.kind} oracle of this task knows no way to attain its curve.")

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


class AlreadyThere(Oracle):
    """A task that is solved where it begins."""

    kind: Kind = "closed-form"
    t_min = e_at_t_min = e_min = t_at_e_min = 0.0

    def least_time(self, energy: float) -> float:
        """Return 0: there is nothing to do."""
        return 0.0 if energy >= 0 else NEVER

    def plan(self, energy: float) -> tuple[Stage, ...]:
        """Return no stage."""
        return ()
