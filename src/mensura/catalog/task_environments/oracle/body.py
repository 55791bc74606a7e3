"""One body that has to be brought a distance forward, in the numbers that the oracle needs."""

from dataclasses import dataclass, replace
from math import cos, inf, isfinite, sin

from mensura.errors import BadParameter


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
        Coefficient of static friction, which holds a body that has no power; the kinetic one unless said.
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
            positive = name == "mass"
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
        # A motor's power is force times speed, so that at rest any power starts the body.
        if self.power == 0 and self.velocity <= 0 and self.distance > 0 and self.rests:
            raise BadParameter(
                "The body cannot start: it is at rest or moves away from its goal, static friction bears its weight on"
                f" a slope of {self.slope:g} radians, and no motor pushes it towards the goal."
            )

    @property
    def resistance(self) -> float:
        """Newtons that act against forward motion at any speed: friction and weight along the slope."""
        return self.mass * self.gravity * (self.friction * cos(self.slope) + sin(self.slope))

    @property
    def backward_resistance(self) -> float:
        """Newtons that act against backward motion at any speed."""
        return self.mass * self.gravity * (self.friction * cos(self.slope) - sin(self.slope))

    @property
    def rests(self) -> bool:
        """Whether it stays where it is at rest, without power, or slides away from the goal."""
        held = self.friction if self.static is None else self.static
        return sin(self.slope) >= -held * cos(self.slope)

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
