"""Which oracle answers for one body: closed form, else numerical, else a bound."""

from dataclasses import replace

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.closed import ClosedForm, Coasting, overshoots
from mensura.catalog.task_environments.oracle.drag import WithDrag
from mensura.catalog.task_environments.oracle.fuel import BurningFuel
from mensura.catalog.task_environments.oracle.oracle import AlreadyThere, Kind, TaskOracle
from mensura.catalog.task_environments.oracle.turned import TurnedBack


class Loosened(TaskOracle):
    """The oracle of an easier task, which bounds that of the real one.

    What has to be held for some seconds takes those seconds more, and nothing is done before `after`.
    """

    kind: Kind = "bound"

    def __init__(self, easier: TaskOracle, *, held: float = 0.0, after: float = 0.0) -> None:
        self.easier = easier
        self._held, self._after = held, after
        self.e_min = easier.e_min
        self.t_min = max(easier.t_min, after) + held
        self.t_at_e_min = max(easier.t_at_e_min, after) + held
        self.e_at_t_min = self._energy(self.t_min)

    def _time(self, energy: float) -> float:
        return max(self.easier.least_time(energy), self._after) + self._held

    def _energy(self, time: float) -> float:
        return self.easier.least_energy(max(time - self._held, self.easier.t_min))


def solve(body: BodyProblem) -> TaskOracle:
    """Return the oracle of one body.

    Examples
    --------
    >>> race = solve(BodyProblem(mass=5, friction=0.2, gravity=10, power=200, distance=75))
    >>> race.kind, round(race.t_min, 6), round(race.least_time(900), 6)
    ('closed-form', 6.627488, 7.382162)
    """
    if body.distance == 0:
        there = not body.stop or abs(body.velocity) <= body.end_speed
        return AlreadyThere() if there else Loosened(AlreadyThere())
    if body.power == 0:
        rolling = Coasting(replace(body, drag=0.0))
        return Loosened(rolling) if body.drag else rolling
    if body.velocity < 0:
        if body.drag or body.loss:
            return Loosened(solve(replace(body, velocity=0.0)))
        return TurnedBack(body)
    if overshoots(body):
        return Loosened(solve(replace(body, stop=False)))
    if body.loss:
        # Drag and a brake only ever make a race slower and costlier.
        fuel = BurningFuel(replace(body, stop=False, drag=0.0))
        return Loosened(fuel) if body.stop or body.drag else fuel
    if body.power <= body.resistance * body.velocity + body.drag * body.velocity**3:
        # Faster than full power keeps it: without any resistance it would be no slower.
        return Loosened(ClosedForm(replace(body, friction=0.0, static=None, slope=0.0, drag=0.0, stop=False)))
    if body.drag:
        parks = not body.stop or (body.resistance > 0 and body.braking > 0)
        return WithDrag(body) if parks else Loosened(WithDrag(replace(body, stop=False)))
    return ClosedForm(body)
