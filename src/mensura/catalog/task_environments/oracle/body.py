"""One body that has to be brought a distance forward, in the numbers that the oracle needs."""

from dataclasses import dataclass, replace
from math import cos, inf, isfinite, sin

from mensura.errors import BadParameter

STEP = 0.001
"""Seconds in which a push from rest is made; static friction holds the body if the push in one of them is too weak."""


@dataclass(frozen=True, kw_only=True)
class BodyProblem:
    """A body to be moved `distance` in the positive direction with a motor of limited power.

    Parameters
    ----------
    mass, friction, gravity, power, distance : float
        Kilograms, coefficient of kinetic friction, m/s², watts, metres.
    slope : float
        Radians; positive is uphill towards the goal.
    drag : float
        Resistance of `drag`·v² newtons.
    stop : bool
        Whether it has to arrive no faster than `end_speed` (parking) or may arrive at any speed (racing).
    end_speed : float
        The speed at which it counts as stopped.
    velocity : float
        Speed at the start; negative is away from the goal.
    brake : float, optional
        Watts that the motor can push backward with; as many as forward unless said, 0 for a one-way motor.
    static : float, optional
        Coefficient of static friction.
    room : float
        Metres behind the start, at whose end a body stops dead.
    loss, dry : float
        Kilograms lost with each joule spent, and the kilograms that are left when there is nothing more to lose.
    """

    mass: float
    friction: float
    gravity: float
    power: float
    distance: float
    slope: float = 0.0
    drag: float = 0.0
    stop: bool = False
    end_speed: float = 0.0
    velocity: float = 0.0
    brake: float | None = None
    static: float | None = None
    room: float = inf
    loss: float = 0.0
    dry: float = 0.0

    def __post_init__(self) -> None:
        for name in ("mass", "gravity", "power", "distance", "friction", "drag", "loss", "end_speed", "room"):
            value = getattr(self, name)
            positive = name in ("mass", "power")
            if not (isfinite(value) or name == "room") or value < 0 or (positive and value == 0):
                least = "more than 0" if positive else "a finite number of at least 0"
                raise BadParameter(f"The {name.replace('_', ' ')} of a body is {least}; got {value:g}.")
        if not abs(self.slope) <= 1.5707963267948968:
            raise BadParameter(f"A slope lies between -π/2 and π/2 radians; got {self.slope:g}.")
        if self.loss and not 0 < self.dry <= self.mass:
            raise BadParameter(f"A body that loses mass keeps some: 0 < dry <= {self.mass:g} kg; got {self.dry:g}.")
        if not isfinite(self.velocity):
            raise BadParameter(f"A body starts with a finite velocity; got {self.velocity:g}.")
        if self.static is not None and self.static < self.friction:
            raise BadParameter(
                f"Static friction is at least kinetic friction; got {self.static:g} and {self.friction:g}."
            )
        if self.velocity <= 0 and self.distance > 0:
            self._refuse_stuck()

    @property
    def resistance(self) -> float:
        """Newtons that act against forward motion at any speed: friction and weight along the slope."""
        return self.mass * self.gravity * (self.friction * cos(self.slope) + sin(self.slope))

    @property
    def backward_resistance(self) -> float:
        """Newtons that act against backward motion at any speed."""
        return self.mass * self.gravity * (self.friction * cos(self.slope) - sin(self.slope))

    @property
    def braking(self) -> float:
        """Watts that the motor can push backward with."""
        return self.power if self.brake is None else self.brake

    @property
    def fastest_end(self) -> float:
        """The most speed at which it may arrive."""
        return self.end_speed if self.stop else inf

    def moved(self, *, distance: float) -> "BodyProblem":
        """Return the same body at rest with another distance to go."""
        return replace(self, distance=distance, velocity=0.0)

    def _refuse_stuck(self) -> None:
        # A push from rest makes √(2·P·dt/m) in one step; the force that takes has to beat what holds the body.
        held = self.static if self.static is not None else self.friction
        weight = self.mass * self.gravity
        holding = weight * (held * cos(self.slope) + sin(self.slope))
        least = STEP * holding * holding / (2 * self.mass)
        if holding > 0 and self.power < least:
            raise BadParameter(
                f"The body cannot start: static friction and slope hold it with {holding:.4g} N, which takes"
                f" {least:.4g} W from rest, and its motor gives {self.power:g} W."
            )
