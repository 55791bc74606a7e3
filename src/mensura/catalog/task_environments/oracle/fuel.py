"""Racing with a mass that shrinks as energy is spent."""

from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.closed import CLOSE
from mensura.catalog.task_environments.oracle.oracle import NEVER, Kind, Oracle, Stage
from mensura.errors import BadParameter


class BurningFuel(Oracle):
    r"""One body that loses mass with each joule, down to its dry mass, and races against friction and slope.

    Per kilogram, :math:`q = v^2/2` gains :math:`dE/m(E)` and loses a fixed amount each metre, so that again
    :math:`q(x) \le \Phi(E) - ax` with :math:`\Phi(E) = \int dE/m`, whatever the path: full power until E is spent, then
    coasting, is the fastest trip. Full power itself is integrated by `scipy.integrate.solve_ivp`.
    """

    kind: Kind = "numerical"

    def __init__(self, body: BodyProblem) -> None:
        self.body = body
        self._slowing = body.resistance / body.mass
        self._until_dry = (body.mass - body.dry) / body.loss
        self._needed = self._slowing * body.distance - body.velocity**2 / 2
        arrived = self._push()
        self.t_min = arrived
        self.e_at_t_min = body.power * arrived
        self.e_min = self._energy(self._needed) if self._needed > 0 else 0.0
        self.t_at_e_min = self.least_time(self.e_min)

    def least_time(self, energy: float) -> float:
        """Return the least time within an energy; infinite if it is too little."""
        if energy < self.e_min * (1 - CLOSE):
            return NEVER
        if energy >= self.e_at_t_min:
            return self.t_min
        full = energy / self.body.power
        metres, lift = self._path(sqrt(full))
        last = sqrt(max(0.0, 2 * (self._lift(energy) - self._needed))) if energy > self.e_min else 0.0
        speeds = sqrt(2 * lift) + last
        return full + (2 * (self.body.distance - float(metres)) / speeds if speeds > 0 else NEVER)

    def plan(self, energy: float) -> tuple[Stage, ...]:
        """Return full power, then coasting."""
        if self.least_time(energy) == NEVER:
            raise BadParameter(f"{energy:g} J are not enough: the task takes at least {self.e_min:.6g} J.")
        full = min(energy, self.e_at_t_min) / self.body.power
        return Stage(self.body.power, full), Stage(0.0, self.least_time(energy) - full)

    def _push(self) -> float:
        """Integrate full power to the goal and return the seconds it takes."""
        body = self.body

        def rates(root: float, state: NDArray[np.float64]) -> list[float]:
            # In the square root of time the start from rest, where force is infinite, is smooth.
            speed = sqrt(2 * max(state[1], 0.0))
            mass = max(body.mass - body.loss * body.power * root * root, body.dry)
            return [2 * root * speed, 2 * root * (body.power / mass - self._slowing * speed)]

        def arrive(root: float, state: NDArray[np.float64]) -> float:
            return float(state[0]) - body.distance

        arrive.terminal = True  # type: ignore[attr-defined]
        dry = sqrt(self._until_dry / body.power)
        done = solve_ivp(
            rates, (0.0, 1e4), (0.0, body.velocity**2 / 2), method="DOP853", events=arrive, dense_output=True,
            rtol=1e-11, atol=1e-11, max_step=max(dry / 20, 1e-3),
        )  # fmt: skip
        if not len(done.t_events[0]):
            raise BadParameter("The body does not arrive at full power within a year.")
        self._path = done.sol
        return float(done.t_events[0][0]) ** 2

    def _lift(self, energy: float) -> float:
        body = self.body
        wet = min(energy, self._until_dry)
        return -log(1 - body.loss * wet / body.mass) / body.loss + (energy - wet) / (body.dry or 1.0)

    def _energy(self, lift: float) -> float:
        body = self.body
        wet = (1 - exp(-body.loss * lift)) * body.mass / body.loss
        if wet <= self._until_dry:
            return wet
        return self._until_dry + (lift - self._lift(self._until_dry)) * body.dry
