"""Several bodies: each with a motor of its own, or one motor that they share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mensura.catalog.task_environments.oracle.oracle import Kind, TaskOracle, root

KINDS: tuple[Kind, ...] = ("closed-form", "numerical", "bound")


class OwnMotors(TaskOracle):
    """Tasks that go on side by side and are done when all are: E(T) is the sum of what each needs within T."""

    def __init__(self, parts: Sequence[TaskOracle]) -> None:
        self.parts = tuple(parts)
        self.kind = max((part.kind for part in parts), key=KINDS.index)
        self.t_min = max(part.t_min for part in parts)
        self.e_at_t_min = self._energy(self.t_min)
        self.e_min = sum(part.e_min for part in parts)
        self.t_at_e_min = max(part.t_at_e_min for part in parts)

    def _energy(self, time: float) -> float:
        return sum(part.least_energy(time) for part in self.parts)

    def _time(self, energy: float) -> float:
        if energy <= self.e_min:
            return self.t_at_e_min
        low, high = self.t_min, 2 * self.t_min
        while self._energy(high) > energy:
            low, high = high, 2 * high
        return root(lambda time: energy - self._energy(time), low, high)


@dataclass(frozen=True)
class Bursts:
    """Bursts of one motor, one body after the other, each followed by that body's coasting."""

    order: tuple[int, ...]
    bursts: tuple[float, ...]
    tails: tuple[float, ...]
    time: float
    energy: float


class SharedMotor(TaskOracle):
    """Bodies that one motor moves, one at a time.

    Least energy is the sum of the parts'. No schedule is faster than that energy at full power, nor than its slowest
    body alone: that is the bound. `sequence` attains the least energy with one burst a body, longest tail first
    (Jackson's rule), and comes after the bound by the last tail; more and shorter bursts come between the two.

    Examples
    --------
    >>> from mensura.catalog.task_environments.oracle.body import BodyProblem
    >>> from mensura.catalog.task_environments.oracle.solve import solve
    >>> bodies = [BodyProblem(mass=1, friction=0.2, gravity=10, power=1, distance=d) for d in (6.5, 5.2, 7.9, 4.6, 8.3)]
    >>> shared = SharedMotor([solve(body) for body in bodies], power=1)
    >>> round(shared.e_min, 2), round(shared.t_min, 2), round(shared.sequence.time, 2)
    (65.0, 65.0, 65.25)
    """

    kind: Kind = "bound"

    def __init__(self, parts: Sequence[TaskOracle], *, power: float) -> None:
        self.parts, self.power = tuple(parts), power
        self.e_min = sum(part.e_min for part in self.parts)
        self._busy = self.e_min / self.power
        self.t_min = max(self._busy, *(part.t_min for part in self.parts))
        self.t_at_e_min = self._time(self.e_min)
        self.e_at_t_min = self._energy(self.t_min)

    def _time(self, energy: float) -> float:
        spare = energy - self.e_min
        return max(self._busy, *(part.least_time(part.e_min + spare) for part in self.parts))

    def _energy(self, time: float) -> float:
        return self.e_min + max(part.least_energy(time) - part.e_min for part in self.parts)

    @property
    def sequence(self) -> Bursts:
        """The cheapest schedule with one burst a body, longest tail first."""
        bursts = [part.e_min / self.power for part in self.parts]
        tails = [part.t_at_e_min - burst for part, burst in zip(self.parts, bursts, strict=True)]
        order = sorted(range(len(bursts)), key=lambda index: -tails[index])
        clock = done = 0.0
        for index in order:
            clock += bursts[index]
            done = max(done, clock + tails[index])
        return Bursts(tuple(order), tuple(bursts), tuple(tails), done, self.e_min)

    def limits(self, slack: float = 3.0) -> tuple[float, float]:
        """Return limits of time and energy that leave a schedule `slack` times what the cheapest one needs."""
        found = self.sequence
        return slack * found.time, slack * found.energy

    def data(self, points: int = 100) -> dict[str, Any]:
        """Return everything as JSON data, with the schedule that attains the least energy."""
        found = self.sequence
        one = {"time": found.time, "energy": found.energy, "order": list(found.order), "bursts": list(found.bursts)}
        return {**super().data(points), "sequence": one}
