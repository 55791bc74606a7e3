"""Full power against a constant resistance, in a form that stays exact when the resistance is next to nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from math import expm1, factorial, inf, log1p

SERIES = 0.5
"""Below this the brackets of the formulas cancel, so they are summed as series."""
TIME_SERIES = [(-1) ** k / factorial(k) for k in range(2, 22)]
REACH_SERIES = [(2 * (-1) ** k - (-2) ** k / 2) / factorial(k) for k in range(3, 24)]


@dataclass(frozen=True)
class Push:
    r"""A body pushed from rest with all power :math:`P` against a resistance :math:`F`, of either sign.

    With :math:`w = P/F`, :math:`u = v/w` and :math:`s = -\ln(1-u)` the formulas are
    :math:`t = (mw/F)(s - u)` and :math:`x = (mw^2/F)(s - u - u^2/2)`. The parameter here is :math:`y = ws`, a speed
    that grows without limit, so that neither F = 0 nor a speed close to w is a special case.
    A full brake to rest is a push seen backward, with the resistance's sign turned.

    Examples
    --------
    >>> push = Push(mass=5, power=200, resistance=10)
    >>> round(push.speed(push.at_time(3.75)), 6)
    12.72456
    """

    mass: float
    power: float
    resistance: float

    def speed(self, y: float) -> float:
        """Return the speed at the parameter y."""
        s = self._s(y)
        if s == 0:
            return y
        return y * (-expm1(-s) / s) if s > -700 else inf

    def time(self, y: float) -> float:
        """Return the seconds since rest."""
        return self.mass * y * y / self.power * _time_bracket(self._s(y))

    def reach(self, y: float) -> float:
        """Return the metres since rest."""
        return self.mass * y**3 / self.power * _reach_bracket(self._s(y))

    def at_speed(self, speed: float) -> float:
        """Return the parameter at a speed; infinite where no push ever gives that speed."""
        u = speed * self.resistance / self.power
        if u >= 1:
            return inf
        return speed * (-log1p(-u) / u) if u else speed

    def at_time(self, seconds: float) -> float:
        """Return the parameter after some seconds."""
        guess = (2 * seconds * self.power / self.mass) ** (1 / 2)
        return self._solve(self.time, lambda speed: speed, seconds, guess)

    def at_reach(self, metres: float) -> float:
        """Return the parameter after some metres."""
        guess = (3 * metres * self.power / self.mass) ** (1 / 3)
        return self._solve(self.reach, lambda speed: speed * speed, metres, guess)

    def _s(self, y: float) -> float:
        return y * self.resistance / self.power

    def _solve(
        self, quantity: Callable[[float], float], rate: Callable[[float], float], wanted: float, y: float
    ) -> float:
        """Return where a quantity, which grows by (m/P)·rate(v) with y, has a value: Newton's method from y.

        Both quantities are convex in y, so that it comes down to the answer from above, wherever it begins.
        """
        last = inf
        while wanted > 0:
            speed = self.speed(y)
            if speed == inf or (found := quantity(y)) == inf:
                y /= 2
                continue
            change = (found - wanted) * self.power / (self.mass * rate(speed))
            y -= change
            # From above every step is shorter than the one before, until rounding decides.
            if abs(change) <= 1e-15 * y or (change <= 0 and last <= 1e-9 * y):
                break
            last = abs(change)
        return max(y, 0.0) if wanted > 0 else 0.0


def _time_bracket(s: float) -> float:
    if abs(s) < SERIES:
        return _sum(TIME_SERIES, s)
    return (s + expm1(-s)) / (s * s) if s > -350 else inf


def _reach_bracket(s: float) -> float:
    if abs(s) < SERIES:
        return _sum(REACH_SERIES, s)
    if s < -350:
        return inf
    u = -expm1(-s)
    return (s - u - u * u / 2) / s**3


def _sum(coefficients: list[float], s: float) -> float:
    total = 0.0
    for coefficient in reversed(coefficients):
        total = total * s + coefficient
    return total
