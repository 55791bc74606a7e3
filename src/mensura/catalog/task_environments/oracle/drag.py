"""Racing and parking with drag, by numerical optimal control over the family that is known to hold the optimum."""

from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, atanh, exp, expm1, inf, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.oracle import Kind, Stage, TaskOracle
from mensura.errors import BadParameter

Numbers = NDArray[np.float64]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)
PANEL = 4.0
GRID = 60
"""Holding speeds that are tried before the best of them is refined."""


@dataclass(frozen=True)
class Leg:
    """A part of a trip: seconds, metres and joules."""

    time: float = 0.0
    metres: float = 0.0
    energy: float = 0.0


class WithDrag(TaskOracle):
    """One body with resistance F + drag·v², where energy depends on the path.

    The best control is, as for trains on a level track, full power, holding a speed, coasting and (to stop) a full
    brake: the Hamiltonian is linear in power, so power is full, none, fully backward, or what holds the switching
    function at zero, which fixes one speed. That speed is found by `scipy.optimize.minimize_scalar` in closed brackets;
    full power and brake by Gauss-Legendre quadrature. Direct transcription by SLSQP over cells of the way, which the
    tests set beside it, takes seconds a point and stays above.

    References
    ----------
    .. [1] Howlett (2000), The optimal control of a train, Annals of Operations Research 98, 65-87.
    """

    kind: Kind = "numerical"

    def __init__(self, body: BodyProblem) -> None:
        self.body = body
        self._force, self._drag = body.resistance, body.drag
        top = 1.0
        while self._spare(top) > 0:
            top *= 2
        self._terminal = float(brentq(self._spare, 0.0, top, xtol=1e-14, rtol=1e-14))
        if body.velocity >= self._terminal:
            raise BadParameter(f"At {body.velocity:g} m/s full power no longer speeds the body up.")
        if body.stop and (self._force <= 0 or not body.braking):
            raise BadParameter("With drag, parking needs a motor that brakes and a road on which a body comes to rest.")
        self._top = self._full_speed()
        self._fast = (self._lead(self._top), Leg(), Leg(), self._stopping(self._top))
        self.t_min = sum(leg.time for leg in self._fast)
        self.e_at_t_min = sum(leg.energy for leg in self._fast)
        self.e_min, self.t_at_e_min = self._cheapest()

    def hold(self, energy: float) -> float:
        """Return the speed that is held in the fastest trip within an energy."""
        return self._hold(energy) if energy < self.e_at_t_min else self._top

    def _time(self, energy: float) -> float:
        return self._lasts(self._hold(energy), energy) if energy < self.e_at_t_min else self.t_min

    def _stages(self, energy: float) -> tuple[Stage, ...]:
        """Return full power (or none down to the speed held), the power that holds the speed, none, and the brake."""
        speed = self.hold(energy)
        legs = self._trip(speed, energy) if energy < self.e_at_t_min else self._fast
        lead = legs[0]
        powers = (
            lead.energy / lead.time if lead.time else 0.0,
            speed * self._resistance(speed),
            0.0,
            -self.body.braking,
        )
        return tuple(Stage(power, leg.time) for power, leg in zip(powers, legs, strict=True))

    def _full_speed(self) -> float:
        """Return the highest speed of the fastest trip."""
        body = self.body
        far = 1.0
        while self._lead(self._speed(far)).metres < body.distance:
            far *= 2

        def beyond(s: float) -> float:
            speed = self._speed(s)
            return self._lead(speed).metres + self._stopping(speed).metres - body.distance

        if beyond(0.0) > 0:
            raise BadParameter(f"The body cannot stop at the goal: {body.velocity:g} m/s are too fast to brake from.")
        return self._speed(float(brentq(beyond, 0.0, far, xtol=1e-14, rtol=1e-14)))

    def _cheapest(self) -> tuple[float, float]:
        body = self.body
        coast = self._coast(body.velocity, body.distance)
        if coast is None:
            return self._force * (body.distance - self._slowed(body.velocity, 0.0).metres), inf
        if coast[1] <= body.fastest_end:
            return 0.0, coast[0].time
        # Too fast to arrive without a brake: the later it comes, the more drag has done for nothing.
        late = brentq(lambda v: self._slowed(body.velocity, v).metres + self._stopping(v).metres - body.distance,
                      body.end_speed, body.velocity, xtol=1e-13)  # fmt: skip
        brake = self._stopping(late)
        return brake.energy, self._slowed(body.velocity, late).time + brake.time

    def _hold(self, energy: float) -> float:
        highest = self._top
        if self._lead(highest).energy > energy:
            highest = brentq(lambda v: self._lead(v).energy - energy, self.body.velocity, highest, xtol=1e-13)
        if highest == 0:
            return 0.0
        speeds = np.geomspace(1e-5 * highest, highest, GRID)
        times = [self._lasts(float(speed), energy) for speed in speeds]
        best = int(np.argmin(times))
        low, high = float(speeds[max(best - 1, 0)]), float(speeds[min(best + 1, GRID - 1)])
        found = minimize_scalar(
            lambda speed: min(self._lasts(speed, energy), 1e12), bounds=(low, high), method="bounded",
            options={"xatol": 1e-9},
        )  # fmt: skip
        return float(found.x) if found.fun < times[best] else float(speeds[best])

    def _lasts(self, speed: float, energy: float) -> float:
        return sum(leg.time for leg in self._trip(speed, energy))

    def _trip(self, speed: float, energy: float) -> tuple[Leg, Leg, Leg, Leg]:
        """Return lead-in, holding, coasting and brake of the trip that holds a speed and spends an energy."""
        lead = self._lead(speed)
        each = self._resistance(speed)
        left = self.body.distance - lead.metres
        spare = energy - lead.energy
        if left < -1e-9 * self.body.distance or spare < -1e-9 * energy:
            return lead, Leg(inf), Leg(), Leg()
        held = min(max(spare / each, 0.0), max(left, 0.0)) if each > 0 else 0.0
        coast = self._coast(speed, max(left - held, 0.0))
        if coast is None:
            return lead, Leg(inf), Leg(), Leg()
        if coast[1] > self.body.fastest_end:
            return self._parked(speed, lead, spare)
        return lead, Leg(held / speed if held else 0.0, held, held * each), coast[0], Leg()

    def _parked(self, speed: float, lead: Leg, spare: float) -> tuple[Leg, Leg, Leg, Leg]:
        """Return the trip that a brake ends, where the speed is held for as long as the energy lasts."""
        each, left = self._resistance(speed), self.body.distance - lead.metres

        def parts(slow: float) -> tuple[Leg, Leg, Leg, Leg]:
            coast, brake = self._slowed(speed, slow), self._stopping(slow)
            held = left - coast.metres - brake.metres
            return lead, Leg(held / speed, held, held * each), coast, brake

        def beyond(slow: float) -> float:
            _, held, _, brake = parts(slow)
            return held.energy + brake.energy - spare

        trip = parts(speed if beyond(speed) <= 0 else float(brentq(beyond, self.body.end_speed, speed, xtol=1e-13)))
        return trip if trip[1].metres >= 0 else (lead, Leg(inf), Leg(), Leg())

    def _spare(self, speed: float) -> float:
        return self.body.power - self._force * speed - self._drag * speed**3

    def _resistance(self, speed: float) -> float:
        return self._force + self._drag * speed * speed

    def _speed(self, s: float) -> float:
        return self._terminal - (self._terminal - self.body.velocity) * exp(-s)

    def _lead(self, speed: float) -> Leg:
        """Return full power up to a speed, or coasting down to it."""
        body, top, drag = self.body, self._terminal, self._drag
        if speed <= body.velocity:
            return self._slowed(body.velocity, speed)
        # With v = top - (top - v0)·exp(-s) the pole at the terminal speed cancels and the integrands are smooth.
        length = log((top - body.velocity) / (top - speed))

        def rates(s: Numbers) -> Numbers:
            v = top - (top - body.velocity) * np.exp(-s)
            per = body.mass * v / (drag * v * v + drag * top * v + self._force + drag * top * top)
            return np.array((per, per * v))

        time, metres = _integral(rates, length)
        return Leg(time, metres, body.power * time)

    def _stopping(self, speed: float) -> Leg:
        """Return the full brake from a speed to the one that counts as stopped."""
        body = self.body
        if speed <= body.fastest_end or not body.braking:
            return Leg()

        def rates(v: Numbers) -> Numbers:
            v = v + body.end_speed
            per = body.mass * v / (body.braking + self._force * v + self._drag * v**3)
            return np.array((per, per * v))

        time, metres = _integral(rates, speed - body.end_speed)
        return Leg(time, metres, body.braking * time)

    def _slowed(self, first: float, last: float) -> Leg:
        """Return coasting from one speed to another."""
        if first == last:
            return Leg()
        change = self._drag * (first * first - last * last)
        return Leg(
            self._coasting(first, last), log1p(change / self._resistance(last)) * self.body.mass / (2 * self._drag)
        )

    def _coast(self, first: float, metres: float) -> tuple[Leg, float] | None:
        """Return coasting over some metres and the speed at its end; None if it stops before."""
        floor = self._force / self._drag
        shrink = -2 * self._drag * metres / self.body.mass
        square = first * first * exp(shrink) + floor * expm1(shrink)
        if square < -1e-12 * first * first or (square <= 0 and first == 0 and metres > 0):
            return None
        last = sqrt(max(square, 0.0))
        return Leg(self._coasting(first, last) if metres else 0.0, metres), last

    def _coasting(self, first: float, last: float) -> float:
        mass, force, drag = self.body.mass, self._force, self._drag
        if force == 0:
            return mass / drag * (1 / last - 1 / first) if last > 0 else inf
        turn, change, product = sqrt(drag / abs(force)), first - last, first * last
        if force > 0:
            return mass / sqrt(force * drag) * atan2(turn * change, 1 + turn * turn * product)
        ratio = turn * change / (1 - turn * turn * product)
        return mass / sqrt(-force * drag) * atanh(-ratio) if abs(ratio) < 1 else inf


def _integral(rates: Callable[[Numbers], Numbers], length: float) -> tuple[float, float]:
    panels = max(1, int(np.ceil(length / PANEL)))
    half = length / panels / 2
    nodes = (half * (NODES + 1) + 2 * half * np.arange(panels)[:, None]).ravel()
    time, metres = rates(nodes) @ np.tile(WEIGHTS, panels) * half
    return float(time), float(metres)
