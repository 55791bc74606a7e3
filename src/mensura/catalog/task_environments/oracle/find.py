"""The oracle of a task: what of it is solved body by body, what of it can only be bounded."""

from math import hypot, inf
from typing import Any

from mensura.catalog.task_environments.oracle.bodies import OwnMotors, SharedMotor
from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.oracle import AlreadyThere, Stage, TaskOracle
from mensura.catalog.task_environments.oracle.solve import Loosened, solve
from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Rotate, Select, Steer, Wave
from mensura.errors import BadParameter


def oracle_of(task: Task) -> TaskOracle:
    """Return the oracle of one instance of a task, in `exact` physics.

    A race or a parking of one body, or of several with motors of their own, is solved; mass lost with fuel and drag
    numerically. Whatever else a task asks for can only make it slower or costlier, so that leaving it out gives a
    bound: goals held or in order, locks, steering, a motor with several targets, waste, moving targets.

    Examples
    --------
    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> oracle = oracle_of(find_task("car-race").fix([20.0]))
    >>> oracle.kind, round(oracle.t_min, 6), oracle.e_min
    ('closed-form', 6.627488, 750.0)
    """
    return _Reading(task).oracle()


def plan_of(task: Task, *, energy: float | None = None) -> dict[str, tuple[Stage, ...]]:
    """Return for each motor the powers that attain the least time within an energy, or the least time of all.

    A bound knows no such plan, and is refused.
    """
    reading = _Reading(task)
    oracle = reading.oracle()
    if oracle.kind == "bound":
        raise BadParameter(f"No optimum is known for {task.name}, only a bound: nobody can be shown to attain it.")
    energy = oracle.e_at_t_min if energy is None else energy
    time = oracle.least_time(energy)
    plans: dict[str, tuple[Stage, ...]] = {}
    for name, body in reading.alone.items():
        part = solve(body)
        # Several bodies share the energy out by the time that all have; one takes it as it is, which loses no digit.
        stages = part.plan(energy if len(reading.alone) == 1 else part.least_energy(time))
        for motor in (one for one in task.flat.motors if name in one.targets):
            ways = reading.ways(motor, forward=reading.forward[name])
            sign = 1 if reading.forward[name] else -1
            shares = ways[0] / body.power, ways[1] / (body.braking or inf)
            plans[motor.name] = tuple(
                Stage(sign * stage.power * shares[stage.power < 0], stage.seconds) for stage in stages
            )
    return plans


class _Reading:
    """What there is to solve in a task, and whether anything had to be left out."""

    def __init__(self, task: Task) -> None:
        if task.ranges:
            raise BadParameter(f"{task.name} is a family of tasks: draw an instance, whose numbers are all fixed.")
        if not task.goals:
            raise BadParameter(f"{task.name} has no goal, so there is nothing that it takes at least.")
        # Every number of an instance is one, though a block may hold ranges.
        self.task: Any = task.flat
        self.alone: dict[str, BodyProblem] = {}
        self.sharing: list[BodyProblem] = []
        self.forward: dict[str, bool] = {}
        self.goals = {goal.name: goal for goal in task.goals}
        self.bodies: dict[str, Any] = {body.name: body for body in self.task.bodies}
        changes = self.task.transitions
        self.waves = {one.body: one for one in changes if isinstance(one, Wave)}
        self.kicked = {one.body for one in changes if isinstance(one, Kick)}
        self.steered = {one.body: one.speed for one in changes if isinstance(one, Steer)}
        self.fuel = {one.body: one for one in changes if isinstance(one, Fuel)}
        self.rotated = {one.motor for one in changes if isinstance(one, Rotate)}
        self.chosen = {name: one for one in changes if isinstance(one, Select) for name in one.motors}
        self.loose = any(not isinstance(one, Fuel) for one in changes) or any(body.locked for body in self.task.bodies)
        self.held = max(goal.held for goal in task.goals)
        self.after = max(max(goal.after or 0.0, goal.later or 0.0) for goal in task.goals)

    def oracle(self) -> TaskOracle:
        placed: dict[str, list[Goal]] = {}
        for goal in self.task.goals:
            self.loose |= self._restricts(goal)
            if goal.of == "value":
                placed.setdefault(goal.body, []).append(goal)
        # A kick may bring a body to its goal for nothing, and a wave leads it there, so that neither has a bound but 0.
        for name, goals in placed.items():
            if name not in self.steered and name not in self.kicked | set(self.waves):
                self._move(self.bodies[name], goals)
        for speed in {self.steered[name] for name in placed if name in self.steered} - self.kicked:
            self._steer(speed, {name: goals for name, goals in placed.items() if self.steered.get(name) == speed})
        parts: list[TaskOracle] = [solve(body) for body in self.alone.values()]
        if self.sharing:
            parts.append(SharedMotor([solve(body) for body in self.sharing], power=max(b.power for b in self.sharing)))
        found = OwnMotors(parts) if len(parts) > 1 else (*parts, AlreadyThere())[0]
        if self.held or self.after or (self.loose and found.kind != "bound"):
            return Loosened(found, held=self.held, after=self.after)
        return found

    def ways(self, motor: Motor, *, forward: bool) -> tuple[float, float]:
        """Return the most power of a motor towards and away from the goal of one of its targets."""
        numbers: Any = motor
        power = numbers.power * (1 - numbers.waste) / (1 if motor.name in self.rotated else len(motor.targets))
        if motor.name in self.chosen:
            power = min(power, next(one.power for one in self.task.motors if one.name == self.chosen[motor.name].main))
        return (power, power * motor.reverse) if forward else (power * motor.reverse, power)

    def _restricts(self, goal: Goal) -> bool:
        """Return whether a goal asks for more than a place, or a place at rest, does."""
        timed = (goal.before, goal.within, goal.reset, goal.after, goal.later)
        # A speed that has to hold with a place is a parking; any other order of goals is left out.
        ordered = [name for name in goal.requires if self.goals[name].body != goal.body or not goal.present]
        parks = any(self._end_speed(one) is not None for one in self.task.goals if one.body == goal.body)
        return bool(goal.held or ordered or (goal.of == "velocity" and not parks)) or timed != (None,) * 5

    def _move(self, body: Any, goals: list[Goal]) -> None:
        goal = max(goals, key=lambda one: self._gap(body, one))
        self.loose |= len(goals) > 1
        forward = self._aim(body, goal)[0] > body.value
        sign, motors = (1 if forward else -1), [one for one in self.task.motors if body.name in one.targets]
        ways = [self.ways(motor, forward=forward) for motor in motors]
        self.loose |= any(motor.waste or len(motor.targets) > 1 for motor in motors)
        slow, behind = self._end_speed(goal), body.low if forward else body.high
        if slow is not None and self._walled(body, goal, body.high if forward else body.low):
            self.loose, slow = True, None
        fuel: Any = self.fuel.get(body.name)
        problem = BodyProblem(
            mass=fuel.dry + fuel.tank / fuel.density if fuel else body.mass,
            friction=body.kinetic,
            static=max(body.static, body.kinetic),
            gravity=body.gravity,
            slope=sign * body.slope,
            drag=body.drag,
            velocity=sign * body.velocity,
            power=sum(way[0] for way in ways),
            brake=sum(way[1] for way in ways),
            distance=self._gap(body, goal),
            stop=slow is not None,
            end_speed=slow or 0.0,
            room=inf if behind is None else abs(body.value - behind),
            loss=1 / fuel.density if fuel else 0.0,
            dry=fuel.dry if fuel else 0.0,
        )
        self.forward[body.name] = forward
        names = {motor.name for motor in motors}
        if names & self.rotated or any(not self.chosen[name].stay for name in names & set(self.chosen)):
            self.sharing.append(problem)
        else:
            self.alone[body.name] = problem

    def _steer(self, speed: str, placed: dict[str, list[Goal]]) -> None:
        """Add the body that gives the speed: it makes at least the straight way to the goals."""
        drive = self.bodies[speed]
        gaps = [max(self._gap(self.bodies[name], goal) for goal in goals) for name, goals in placed.items()]
        ways = [self.ways(motor, forward=True) for motor in self.task.motors if speed in motor.targets]
        self.alone[speed] = BodyProblem(
            mass=drive.mass,
            friction=drive.kinetic,
            gravity=drive.gravity,
            drag=drive.drag,
            velocity=abs(drive.velocity),
            power=max(sum(way[0] for way in ways), sum(way[1] for way in ways)),
            distance=hypot(*gaps),
        )

    def _aim(self, body: Body, goal: Any) -> tuple[float, float]:
        """Return where a goal is, and how far from it still counts; a target that moves may come to meet the body."""
        wide = 0.0 if goal.crossing else goal.tolerance
        if not isinstance(goal.target, str):
            return goal.target, wide
        wave: Any = self.waves.get(goal.target)
        return (wave.centre, wide + abs(wave.amplitude)) if wave else (body.value, inf)  # type: ignore[return-value]

    def _gap(self, body: Any, goal: Goal) -> float:
        target, wide = self._aim(body, goal)
        return float(max(0.0, abs(target - body.value) - wide))

    def _end_speed(self, goal: Goal) -> float | None:
        """Return the speed that a goal of place has to be met with; None if any will do."""
        linked = [self.goals[name] for name in goal.requires if goal.present]
        linked += [one for one in self.task.goals if one.present and goal.name in one.requires]
        slow: list[Any] = [one for one in linked if one.of == "velocity" and one.body == goal.body and one.target == 0]
        return min(one.tolerance for one in slow) if slow and goal.of == "value" else None

    def _walled(self, body: Body, goal: Goal, wall: float | None) -> bool:
        """Return whether a wall stands within the goal, where a body stops without a brake."""
        target, wide = self._aim(body, goal)
        return wall is not None and abs(wall - target) <= wide
