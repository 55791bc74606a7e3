"""A body that moves away from its goal at the start: it has to be turned back first."""

from collections.abc import Callable
from math import inf, isfinite, sqrt

import numpy as np
from scipy.optimize import minimize_scalar

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.closed import ClosedForm
from mensura.catalog.task_environments.oracle.oracle import Kind, Stage, TaskOracle
from mensura.catalog.task_environments.oracle.push import Push
from mensura.errors import BadParameter

GRID = 17


class TurnedBack(TaskOracle):
    """One body that starts backward, against resistance that does not depend on speed.

    It coasts, then brakes at full power, then goes from rest. The later it brakes, the less energy the brake takes and
    the longer the way back; where it hits the end of its room, it stops for nothing. One number, the metres that it
    coasts, is found by `scipy.optimize.minimize_scalar`.
    """

    kind: Kind = "numerical"

    def __init__(self, body: BodyProblem) -> None:
        self.body = body
        self._speed, self._drop = -body.velocity, 2 * body.backward_resistance / body.mass
        self._brake = Push(body.mass, body.power, -body.backward_resistance)
        rolls = self._speed**2 / self._drop if self._drop > 0 else inf
        self._most = min(body.room, rolls)
        if not isfinite(self._most):
            # Downhill it would roll for ever: up to here the motor can still turn it back.
            fastest = -body.power / body.backward_resistance if body.backward_resistance else inf
            self._most = (
                (fastest**2 - self._speed**2) / -self._drop * 0.999 if isfinite(fastest) else 1e3 * body.distance
            )
            if self._speed >= fastest:
                raise BadParameter("The body rolls away from the goal faster than its motor can turn it back.")
        self._cache: dict[float, tuple[float, float, ClosedForm]] = {}
        self.e_min = self._least(lambda metres: self._parts(metres)[1] + self._parts(metres)[2].e_min)[0]
        self.t_at_e_min = self._time(self.e_min)
        self.t_min, fast = self._least(lambda metres: self._parts(metres)[0] + self._parts(metres)[2].t_min)
        self.e_at_t_min = self._parts(fast)[1] + self._parts(fast)[2].e_at_t_min

    def _time(self, energy: float) -> float:
        return self._least(lambda metres: self._after(metres, energy))[0]

    def _stages(self, energy: float) -> tuple[Stage, ...]:
        metres = self._least(lambda metres: self._after(metres, energy))[1]
        time, spent, onward = self._parts(metres)
        braking = spent / self.body.power
        return Stage(0.0, time - braking), Stage(self.body.power, braking), *onward.plan(energy - spent)

    def _after(self, metres: float, energy: float) -> float:
        time, spent, onward = self._parts(metres)
        return time + onward.least_time(energy - spent)

    def _parts(self, metres: float) -> tuple[float, float, ClosedForm]:
        """Return seconds and joules until it is at rest after coasting some metres, and the trip from there."""
        if metres in self._cache:
            return self._cache[metres]
        body, brake = self.body, self._brake
        slow = sqrt(max(0.0, self._speed**2 - self._drop * metres))
        y = brake.at_speed(slow)
        turned = metres + brake.reach(y) if isfinite(y) else inf
        time, spent = 2 * metres / (self._speed + slow), 0.0
        if turned > body.room:
            # It would hit the end of its room all the same: then it had better not brake at all.
            turned = body.room
            time = 2 * turned / (self._speed + sqrt(max(0.0, self._speed**2 - self._drop * turned)))
        else:
            spent = body.power * brake.time(y)
            time += brake.time(y)
        onward = ClosedForm(body.moved(distance=body.distance + turned))
        self._cache[metres] = time, spent, onward
        return self._cache[metres]

    def _least(self, function: Callable[[float], float]) -> tuple[float, float]:
        tried = [float(metres) for metres in np.linspace(0.0, self._most, GRID)]
        values = [function(metres) for metres in tried]
        best = int(np.argmin(values))
        bounds = tried[max(best - 1, 0)], tried[min(best + 1, GRID - 1)]
        found = minimize_scalar(
            lambda metres: min(function(metres), 1e12), bounds=bounds, method="bounded", options={"xatol": 1e-9}
        )
        return (float(found.fun), float(found.x)) if found.fun < values[best] else (values[best], tried[best])
