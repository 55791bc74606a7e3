"""The oracle of a task: what of it is solved body by body, what of it can only be bounded."""

from dataclasses import dataclass, field
from math import hypot, inf

from mensura.catalog.task_environments.oracle.bodies import OwnMotors, SharedMotor
from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.oracle import AlreadyThere, Oracle, Stage
from mensura.catalog.task_environments.oracle.solve import Loosened, solve
from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Rotate, Select, Steer, Wave
from mensura.errors import BadParameter


def oracle_of(task: Task) -> Oracle:
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
    if task.ranges:
        raise BadParameter(f"{task.name} is a family of tasks: draw an instance, whose numbers are all fixed.")
    if not task.goals:
        raise BadParameter(f"{task.name} has no goal, so there is nothing that it takes at least.")
    return _Reading(task.flat).oracle()


def plan_of(task: Task, *, energy: float | None = None) -> dict[str, tuple[Stage, ...]]:
    """Return for each motor the powers that attain the least time within an energy, or the least time of all.

    A bound knows no such plan, and is refused.
    """
    reading = _Reading(task.flat)
    oracle = reading.oracle()
    if oracle.kind == "bound":
        raise BadParameter(f"No optimum is known for {task.name}, only a bound: nobody can be shown to attain it.")
    time = oracle.least_time(oracle.e_at_t_min if energy is None else energy)
    plans: dict[str, tuple[Stage, ...]] = {}
    for name, body in reading.alone.items():
        part = solve(body)
        sign = 1 if reading.forward[name] else -1
        alone = len(reading.alone) == 1 and energy is not None
        for stage in part.plan(energy if alone and energy is not None else part.least_energy(time)):
            for motor in (one for one in task.flat.motors if name in one.targets):
                limits = _number(motor.power), _number(motor.power) * motor.reverse
                most = limits[0] if (stage.power >= 0) == (sign > 0) else limits[1]
                share = most / (body.power if stage.power >= 0 else body.braking)
                step = Stage(sign * stage.power * share, stage.seconds)
                plans[motor.name] = (*plans.get(motor.name, ()), step)
    return plans


@dataclass
class _Reading:
    """What was found in a task so far."""

    task: Task
    loose: bool = False
    held: float = 0.0
    after: float = 0.0
    alone: dict[str, BodyProblem] = field(default_factory=dict)
    forward: dict[str, bool] = field(default_factory=dict)
    sharing: list[BodyProblem] = field(default_factory=list)

    def oracle(self) -> Oracle:
        task = self.task
        self.bodies = {body.name: body for body in task.bodies}
        self.steered = {one.body: one for one in task.transitions if isinstance(one, Steer)}
        self.helped = {one.body for one in task.transitions if isinstance(one, Kick | Wave)}
        self.select = next((one for one in task.transitions if isinstance(one, Select)), None)
        self.rotated = {one.motor for one in task.transitions if isinstance(one, Rotate)}
        self.fuel = {one.body: one for one in task.transitions if isinstance(one, Fuel)}
        plain = {Fuel, Rotate, Select, Steer}
        self.loose = any(type(one) not in plain for one in task.transitions) or any(body.locked for body in task.bodies)
        self._windows()
        places: dict[str, list[Goal]] = {}
        for goal in task.goals:
            if goal.of == "value":
                places.setdefault(goal.body, []).append(goal)
        for name, goals in places.items():
            if name not in self.steered:
                self._place(self.bodies[name], goals)
        self._steering({name: goals for name, goals in places.items() if name in self.steered})
        self._speeds(set(places))
        return self._whole()

    def _whole(self) -> Oracle:
        parts: list[Oracle] = [solve(body) for body in self.alone.values()]
        if self.sharing:
            parts.append(SharedMotor(self.sharing) if len(self.sharing) > 1 else solve(self.sharing[0]))
        parts = parts or [AlreadyThere()]
        found = parts[0] if len(parts) == 1 else OwnMotors(parts)
        if self.held or self.after or (self.loose and found.kind != "bound"):
            return Loosened(found, held=self.held, after=self.after)
        return found

    def _windows(self) -> None:
        goals = {goal.name: goal for goal in self.task.goals}
        for goal in self.task.goals:
            self.held = max(self.held, goal.held)
            self.after = max(self.after, goal.after or 0.0, goal.later or 0.0)
            timed = (goal.before, goal.within, goal.reset, goal.after, goal.later)
            # A goal of speed that holds with one of place is a parking; any other order of goals is left out.
            ordered = [name for name in goal.requires if goals[name].body != goal.body or not goal.present]
            self.loose |= bool(goal.held or ordered or any(one is not None for one in timed))

    def _place(self, body: Body, goals: list[Goal]) -> None:
        if body.name in self.helped:
            self.loose = True
            return
        far = max(goals, key=lambda goal: self._gap(body, goal))
        self.loose |= len(goals) > 1 or isinstance(far.target, str)
        distance = self._gap(body, far)
        forward = self._target(body, far) > float(body.value)  # type: ignore[arg-type]
        power, brake, shared = self._driven(body, forward=forward)
        slow = self._end_speed(far)
        if slow is not None and self._walled(body, far, forward=forward):
            self.loose, slow = True, None
        sign = 1 if forward else -1
        wall = body.low if forward else body.high
        fuel = self.fuel.get(body.name)
        problem = BodyProblem(
            mass=_number(fuel.dry) + _number(fuel.tank) / _number(fuel.density) if fuel else _number(body.mass),
            friction=_number(body.kinetic),
            static=max(_number(body.static), _number(body.kinetic)),
            gravity=_number(body.gravity),
            slope=sign * _number(body.slope),
            drag=_number(body.drag),
            velocity=sign * _number(body.velocity),
            power=power,
            brake=brake,
            distance=distance,
            stop=slow is not None,
            end_speed=slow or 0.0,
            room=inf if wall is None else abs(_number(body.value) - wall),
            loss=1 / _number(fuel.density) if fuel else 0.0,
            dry=_number(fuel.dry) if fuel else 0.0,
        )
        self.forward[body.name] = forward
        if shared:
            self.sharing.append(problem)
        else:
            self.alone[body.name] = problem

    def _gap(self, body: Body, goal: Goal) -> float:
        wide = 0.0 if goal.crossing else _number(goal.tolerance)
        if isinstance(goal.target, str):
            # A target that moves may come to meet it: only what it never leaves is certain.
            for one in self.task.transitions:
                if isinstance(one, Wave) and one.body == goal.target:
                    wide += abs(_number(one.amplitude))
            if not any(isinstance(one, Wave) and one.body == goal.target for one in self.task.transitions):
                return 0.0
        return max(0.0, abs(self._target(body, goal) - _number(body.value)) - wide)

    def _target(self, body: Body, goal: Goal) -> float:
        if not isinstance(goal.target, str):
            return _number(goal.target)
        waves = [one for one in self.task.transitions if isinstance(one, Wave) and one.body == goal.target]
        return _number(waves[0].centre) if waves else _number(body.value)

    def _driven(self, body: Body, *, forward: bool) -> tuple[float, float, bool]:
        """Return the power to and from the goal, and whether other bodies with goals get it from the same motor."""
        power = brake = 0.0
        shared = False
        for motor in self.task.motors:
            if body.name not in motor.targets:
                continue
            share, ahead = self._share(motor)
            self.loose |= bool(_number(motor.waste)) or share < 1
            ways = ahead * share, ahead * share * motor.reverse
            power += ways[0] if forward else ways[1]
            brake += ways[1] if forward else ways[0]
            chosen = self.select is not None and motor.name in self.select.motors
            turned = motor.name in self.rotated
            shared |= turned or (chosen and self.select is not None and not self.select.stay)
            self.loose |= chosen or turned
        return power, brake, shared

    def _share(self, motor: Motor) -> tuple[float, float]:
        most = _number(motor.power) * (1 - _number(motor.waste))
        if self.select is not None and motor.name in self.select.motors:
            main = next(one for one in self.task.motors if one.name == self.select.main)
            most = min(most, _number(main.power))
        return (1.0 if motor.name in self.rotated else 1 / len(motor.targets)), most

    def _end_speed(self, goal: Goal) -> float | None:
        """Return the speed that a goal of place has to be met with; None if any will do."""
        goals = {one.name: one for one in self.task.goals}
        linked = [goals[name] for name in goal.requires if goal.present]
        linked += [one for one in self.task.goals if one.present and goal.name in one.requires]
        slow = [one for one in linked if one.of == "velocity" and one.body == goal.body and one.target == 0]
        return min(_number(one.tolerance) for one in slow) if slow else None

    def _walled(self, body: Body, goal: Goal, *, forward: bool) -> bool:
        """Return whether a wall stands within the goal, where a body stops without a brake."""
        wall = body.high if forward else body.low
        return wall is not None and abs(wall - self._target(body, goal)) <= _number(goal.tolerance)

    def _steering(self, places: dict[str, list[Goal]]) -> None:
        for speed in {self.steered[name].speed for name in places}:
            own = {name: goals for name, goals in places.items() if self.steered[name].speed == speed}
            gaps = [max(self._gap(self.bodies[name], goal) for goal in goals) for name, goals in own.items()]
            drive = self.bodies[speed]
            forward, backward, _ = self._driven(drive, forward=True)
            self.loose = True
            fast = _number(drive.velocity)
            self.alone[speed] = BodyProblem(
                    mass=_number(drive.mass), friction=_number(drive.kinetic), gravity=_number(drive.gravity),
                    drag=_number(drive.drag), power=max(forward, backward), distance=hypot(*gaps), velocity=abs(fast),
            )  # fmt: skip

    def _speeds(self, placed: set[str]) -> None:
        for goal in self.task.goals:
            parked = goal.body in placed and any(
                self._end_speed(one) is not None for one in self.task.goals if one.body == goal.body
            )
            self.loose |= goal.of == "velocity" and not parked


def _number(quantity: object) -> float:
    return float(quantity)  # type: ignore[arg-type]
