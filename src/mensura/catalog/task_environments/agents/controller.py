"""Controllers with knowledge of their task built in: they never learn."""

from mensura.catalog.task_environments.agents.told import Aims, speeds
from mensura.dialogue import Ask, Readings, Vector
from mensura.subjects.subject import Unlearning


class Controller(Unlearning):
    """Reads the goals that it is told and sets powers by a rule."""

    recomputes = True

    def __init__(self) -> None:
        self.aims = Aims()

    def feedback(self, told: Ask) -> None:
        """Hear the goals."""
        self.aims.hear(told)

    def __call__(self, ask: Ask) -> list[float]:
        space: Vector = ask.space  # type: ignore[assignment]
        readings: Readings = ask.prompt  # type: ignore[assignment]
        errors = self.aims.errors(readings)
        # A space that is a number longer than the motors ends with a signal, which stays 0.
        powers = [0.0] * len(space.high) if not errors else self.powers(errors, readings, space)
        return [min(max(power, low), high) for power, low, high in zip(powers, space.low, space.high, strict=True)]

    def powers(self, errors: list[float], readings: Readings, space: Vector) -> list[float]:
        """Return the power of every motor; what is over a limit is cut."""
        raise NotImplementedError


class Pid(Controller):
    """Sets each motor by error, its sum and its change: P e + I ∫e dt − D v.

    Motors take the goals in order. The defaults suit a body of 5 kg and 200 W.
    """

    def __init__(self, proportional: float = 20.0, integral: float = 0.0, derivative: float = 40.0) -> None:
        super().__init__()
        self.proportional, self.integral, self.derivative = proportional, integral, derivative
        self._sums: list[float] = []

    def feedback(self, told: Ask) -> None:
        """Hear the goals; what was summed up belongs to the attempt before."""
        super().feedback(told)
        self._sums = []

    def powers(self, errors: list[float], readings: Readings, space: Vector) -> list[float]:
        """Return the power of every motor."""
        self._sums = [one + error for one, error in zip(self._sums or [0.0] * len(errors), errors, strict=True)]
        velocities = [*speeds(readings), *[0.0] * len(errors)]
        found = [
            self.proportional * error + self.integral * total - self.derivative * velocity
            for error, total, velocity in zip(errors, self._sums, velocities, strict=False)
        ]
        return [*found, *[0.0] * len(space.high)][: len(space.high)]


class Plotter(Controller):
    """Drives at full power towards each place, and draws where it is near enough (section 6.3 of the source).

    All motors but the last move; the last draws.
    """

    def powers(self, errors: list[float], readings: Readings, space: Vector) -> list[float]:
        """Return the power of every motor."""
        moving = errors[:-1] if len(errors) > 1 else errors
        widths = self.aims.widths
        there = [abs(error) < width for error, width in zip(moving, widths, strict=False)]
        limits = zip(space.low, space.high, moving, there, strict=False)
        driven = [0.0 if near else high if error > 0 else low for low, high, error, near in limits]
        drawing = [space.high[-1] if all(there) else 0.0] if len(errors) > 1 else []
        return [*driven, *drawing, *[0.0] * len(space.high)][: len(space.high)]


class ManyDimensions(Controller):
    """Keeps the power on and moves the selector towards the body that is farthest from its goal (section 6.4.2)."""

    def powers(self, errors: list[float], readings: Readings, space: Vector) -> list[float]:
        """Return the power of the main motor and of the selector."""
        farthest = max(range(len(errors)), key=lambda number: errors[number])
        ahead = farthest + 0.5 - readings.values[-1]
        selection = space.high[1] if ahead > 0.5 else space.low[1] if ahead < -0.5 else 0.0
        return [space.high[0], selection, *[0.0] * (len(space.high) - 2)]
