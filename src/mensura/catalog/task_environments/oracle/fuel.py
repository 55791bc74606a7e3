"""Racing with a mass that shrinks as fuel is burnt."""

from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.oracle import NEVER, Kind, Stage, TaskOracle
from mensura.errors import BadParameter


class BurningFuel(TaskOracle):
    r"""One body that loses mass with each joule until its fuel is burnt, and races against friction and slope.

    Per kilogram, :math:`q = v^2/2` gains :math:`dE/m(E)` and loses a fixed amount each metre, so that again
    :math:`q(x) \le \Phi(E) - ax` with :math:`\Phi(E) = \int dE/m`, whatever the path: full power until E is spent, then
    coasting, is the fastest trip. Full power itself is integrated by `scipy.integrate.solve_ivp`.
    """

    kind: Kind = "numerical"

    def __init__(self, body: BodyProblem) -> None:
        self.body = body
        self._slowing = body.resistance / body.mass
        self._needed = self._slowing * body.distance - body.velocity**2 / 2
        tank = (body.mass - body.dry) / body.loss
        self.e_min = (1 - exp(-body.loss * self._needed)) * body.mass / body.loss if self._needed > 0 else 0.0
        if self.e_min > tank:
            raise BadParameter(f"The fuel is not enough: {tank:g} J, and the task takes {self.e_min:.6g} J.")
        self.e_at_t_min = body.power * self._push(tank / body.power)
        self.t_min = self._time(self.e_at_t_min)
        self.t_at_e_min = self._time(self.e_min)

    def _stages(self, energy: float) -> tuple[Stage, ...]:
        full = energy / self.body.power
        return Stage(self.body.power, full), Stage(0.0, self._time(energy) - full)

    def _time(self, energy: float) -> float:
        body, full = self.body, energy / self.body.power
        metres, lift = self._path(sqrt(full))
        gained = -log(1 - body.loss * energy / body.mass) / body.loss - self._needed
        speeds = sqrt(2 * lift) + (sqrt(max(0.0, 2 * gained)) if energy > self.e_min else 0.0)
        left = max(0.0, body.distance - float(metres))
        return full + (2 * left / speeds if speeds > 0 else NEVER)

    def _push(self, burnt: float) -> float:
        """Integrate full power until the goal, or until all is burnt, and return the seconds it takes."""
        body = self.body

        def rates(root: float, state: NDArray[np.float64]) -> list[float]:
            # In the square root of time the start from rest, where force is infinite, is smooth.
            speed = sqrt(2 * max(state[1], 0.0))
            mass = body.mass - body.loss * body.power * root * root
            return [2 * root * speed, 2 * root * (body.power / mass - self._slowing * speed)]

        def arrive(root: float, state: NDArray[np.float64]) -> float:
            return float(state[0]) - body.distance

        arrive.terminal = True  # type: ignore[attr-defined]
        begin = (0.0, body.velocity**2 / 2)
        done = solve_ivp(
            rates, (0.0, sqrt(burnt)), begin, method="DOP853", events=arrive, dense_output=True, rtol=1e-11, atol=1e-11
        )
        self._path = done.sol
        return float(done.t[-1]) ** 2
