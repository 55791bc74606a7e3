"""Racing and parking against a constant resistance, in closed form."""

from dataclasses import dataclass
from math import inf, isfinite, sqrt

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.oracle import NEVER, Kind, Stage, TaskOracle, root
from mensura.catalog.task_environments.oracle.push import Push
from mensura.errors import BadParameter


@dataclass(frozen=True)
class Trip:
    """Full power, then coasting, then a full brake."""

    full: float
    coast: float
    brake: float

    @property
    def time(self) -> float:
        """Seconds from start to goal."""
        return self.full + self.coast + self.brake


class ClosedForm(TaskOracle):
    r"""One body that does not start backward, resistance F that does not depend on speed.

    For any control, kinetic energy at x is at most the smaller of what full power gives there and
    :math:`K_0 + E - Fx`. Full power until E is spent, then coasting, attains that bound at every x, so it is the
    fastest trip with energy E; the energy of a race is :math:`FD + \tfrac12 m v_{end}^2 - K_0`, whatever the path.
    Parking adds a full brake at the end: what is pushed less what is braked is that same number, whatever the path,
    so that E alone says how much of it is which.
    """

    kind: Kind = "closed-form"

    def __init__(self, body: BodyProblem) -> None:
        self.body = body
        self._push = Push(body.mass, body.power, body.resistance)
        self._brake = Push(body.mass, body.braking, -body.resistance) if body.braking else None
        self._start = self._push.at_speed(body.velocity)
        self._kinetic = body.mass * body.velocity**2 / 2
        self._needed = body.resistance * body.distance - self._kinetic
        if not isfinite(self._start):
            raise BadParameter(f"At {body.velocity:g} m/s full power no longer speeds the body up.")
        self.e_min = max(0.0, self._needed)
        self._kept = body.mass * body.end_speed**2 / 2
        if self._end(self.e_min) > body.fastest_end:
            self.e_min = -self._needed - self._kept
            self._refuse_overshoot()
        self.e_at_t_min = max(self.e_min, self._fastest())
        self.t_min = self._trip(self.e_at_t_min).time
        self.t_at_e_min = self._trip(self.e_min).time
        if not isfinite(self.t_min):
            raise BadParameter("The body never arrives: it could not be stopped, for its motor is one-way.")

    def _time(self, energy: float) -> float:
        return self._trip(energy).time

    def _stages(self, energy: float) -> tuple[Stage, ...]:
        trip, body = self._trip(energy), self.body
        return Stage(body.power, trip.full), Stage(0.0, trip.coast), Stage(-body.braking, trip.brake)

    def _fastest(self) -> float:
        body, push = self.body, self._push
        race = body.power * (push.time(push.at_reach(push.reach(self._start) + body.distance)) - push.time(self._start))
        if self._end(race) <= body.fastest_end:
            return race
        free = self._needed + self._kept
        if self._brake is None:
            return free
        # With this much energy the push alone would go all the way.
        most = 2 * race - free
        return root(lambda energy: -self._parts(energy)[1], max(self.e_min, free), most)

    def _refuse_overshoot(self) -> None:
        if self._brake is None:
            raise BadParameter("The body cannot stop at the goal: it is too fast there, and its motor is one-way.")
        if overshoots(self.body):
            speed = self.body.velocity
            raise BadParameter(f"The body cannot stop at the goal: {speed:g} m/s are too fast to brake from.")

    def _end(self, energy: float) -> float:
        # From the energy, not from speeds: the difference of squares would lose half the digits near rest.
        return sqrt(max(0.0, 2 * (energy - self._needed) / self.body.mass))

    def _parts(self, energy: float) -> tuple[Trip, float]:
        """Return the trip with an energy and the metres that are left for coasting, below 0 if it comes too far."""
        body, push, brake = self.body, self._push, self._brake
        braked, last, stretch = 0.0, self._end(energy), 0.0
        if brake is not None and last > body.fastest_end:
            braked = (energy - self._needed - self._kept) / 2
            rest = brake.at_speed(body.end_speed)
            y = brake.at_time(brake.time(rest) + braked / body.braking)
            last, stretch = brake.speed(y), brake.reach(y) - brake.reach(rest)
        full = (energy - braked) / body.power
        y = push.at_time(push.time(self._start) + full)
        left = body.distance - stretch - (push.reach(y) - push.reach(self._start))
        coast = _coasting(left, push.speed(y), last)
        return Trip(full, coast, braked / body.braking if braked else 0.0), left

    def _trip(self, energy: float) -> Trip:
        return self._parts(energy)[0]


class Coasting(TaskOracle):
    """One body that no motor pushes towards its goal: it gets there by itself or not at all."""

    kind: Kind = "closed-form"
    e_at_t_min = e_min = 0.0

    def __init__(self, body: BodyProblem) -> None:
        square = body.velocity**2 - 2 * body.resistance / body.mass * body.distance
        if body.velocity < 0 or square < 0 or sqrt(square) > body.fastest_end:
            raise BadParameter(
                "The body does not get to its goal, or not at the right speed, and no motor can help it."
            )
        self.t_min = self.t_at_e_min = _coasting(body.distance, body.velocity, sqrt(square))

    def _time(self, energy: float) -> float:
        return self.t_min

    def _stages(self, energy: float) -> tuple[Stage, ...]:
        return (Stage(0.0, self.t_min),)


def overshoots(body: BodyProblem) -> bool:
    """Return whether even a full brake from the start lets the body pass the goal."""
    if not body.stop or body.velocity <= body.end_speed or not body.braking:
        return False
    brake = Push(body.mass, body.braking, -body.resistance)
    begin = brake.at_speed(body.velocity)
    return begin == inf or brake.reach(begin) - brake.reach(brake.at_speed(body.end_speed)) > body.distance


def _coasting(metres: float, first: float, last: float) -> float:
    if metres <= 0:
        return 0.0
    return 2 * metres / (first + last) if first + last > 0 else NEVER
