"""Attempt: one try at a task, from its start to its end; Briefing: what all attempts of a session share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mensura.catalog.task_environments.physics.program import compile_task
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.quantity import highest
from mensura.catalog.task_environments.task.task import Physics, Task
from mensura.dialogue import Readings, Vector

HELP, STOP = -1, -2
"""Signals beside powers; 0 is none."""


@dataclass
class Briefing:
    """What all attempts of a session share."""

    task: Task
    physics: Physics
    tick: float
    told: str
    signals: bool
    key: int
    """What chooses the instances and the noise, so that neither depends on what a subject does."""
    ladder: int = 0
    help: bool = False

    def __post_init__(self) -> None:
        self.flat = self.task.flat
        self.roles = self.flat.roles

    def words(self, role: str) -> str:
        """Return what a role is told before it begins."""
        motors = [motor for motor in self.flat.motors if role in motor.agents]
        limits = self.flat.limits
        lines = [f"Every {self.tick:g} s you read your sensors and set the power of your motors, in watts:"]
        lines += [
            f"- {motor.name}: {-highest(motor.power) * motor.reverse:g} to {highest(motor.power):g}" for motor in motors
        ]
        energy = "" if limits.energy is None else f" and {limits.energy:g} J"
        lines.append(f"You have {limits.time:g} s{energy}; spend as little of both as you can.")
        if self.told == "goal" or self.help:
            lines += ["Your goals:", *(f"- {describe(goal)}" for goal in self.flat.goals)]
        elif self.told == "reward":
            lines.append("Nobody says what is to be done; rewards tell how near you are.")
        if self.signals:
            lines.append("The last number says 0: go on, -1: I ask for help, -2: I stop.")
        return "\n".join(lines)

    def help_words(self, role: str) -> str:
        """Return what a role is told that asks for help: the goals."""
        self.help = True
        return self.words(role)


class Attempt:
    """One try: the world, what is seen of it, and what came of it.

    The ladder begins with starts near their goals and leads to those of the task.
    """

    def __init__(self, terms: Briefing, number: int) -> None:
        self.terms = terms
        program = compile_task(terms.flat)
        rng = np.random.default_rng([terms.key, number])
        drawn = program.drawn(rng, 1)[0]
        climbing = number < terms.ladder
        self.key = f"ladder{number}" if climbing else f"attempt{number - terms.ladder}"
        if climbing:
            drawn = nearer(terms.flat, drawn, (number + 1) / (terms.ladder + 1))
        self.drawn = drawn
        self.rng = rng
        self.world = World(terms.flat, terms.physics, tick=terms.tick, drawn=drawn)
        self.reward: float | None = None
        self.stopped = self.asked_for_help = False
        self.asked = 0
        self._last: dict[str, Any] = {}
        self._off = {role: [0.0] * len(space.high) for role, space in self.spaces.items()}
        self._look()
        # Nothing has been done yet that could be rewarded.
        self.reward = None

    @property
    def over(self) -> bool:
        """Whether it ended."""
        return self.stopped or self.world.over

    @cached_property
    def spaces(self) -> dict[str, Vector]:
        """Where each role's answer must lie."""
        instance = self.terms.flat.fix([float(number) for number in self.drawn])
        return {role: role_space(instance, role, signals=self.terms.signals) for role in self.terms.roles}

    def readings(self, role: str) -> Readings:
        """Return what a role sees now."""
        columns, names = _columns(self.terms.flat, role)
        return Readings([self.seen[column] for column in columns], names)

    def act(self, answers: Mapping[str, Any]) -> None:
        """Set the motors as the roles say and go on for a tick; who does not answer leaves them as they were."""
        self.asked_for_help = False
        powers = [0.0] * len(self.world.batch.motors)
        for role in self.terms.roles:
            answer = answers.get(role)
            if answer is None:
                answer = self._last.get(role, self._off[role])
            # A signal is given once, a setting stays.
            self._last[role] = [*answer[:-1], 0.0] if self.terms.signals else answer
            for place, power in zip(_places(self.terms.flat, role), answer, strict=False):
                powers[place] += power
            if self.terms.signals:
                self.asked_for_help |= round(answer[-1]) == HELP
                self.stopped |= round(answer[-1]) == STOP
        self.asked += self.asked_for_help
        if not self.stopped:
            self.world.tick(powers, cut=True)
            self._look()

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        return "You reached your goals." if self.world.solved else "The attempt is over, and goals were not reached."

    def result(self) -> dict[str, Any]:
        """Return what came of it, with the numbers of its instance."""
        state = self.world.state
        return {
            "task": self.terms.task.id,
            "drawn": [float(number) for number in self.drawn],
            "solved": self.world.solved,
            "goals_met": float(state.met.mean()) if len(state.met) else 1.0,
            "time": state.time,
            "energy": state.energy,
            "created": state.created,
            "helped": self.asked,
            "stopped": self.stopped,
        }

    def _look(self) -> None:
        self.seen = self.world.sense(self.rng)
        if self.terms.told != "neither":
            channel = _channel(self.terms.flat)
            self.reward = -self.world.distance() if channel is None else self.seen[channel]


def describe(goal: Goal) -> str:
    """Return a goal in words."""
    what = f"the velocity of {goal.body}" if goal.of == "velocity" else goal.body
    target = goal.target if isinstance(goal.target, str) else f"{_number(goal.target)}"
    words = f"{goal.name}: {what} passes {target}" if goal.crossing else f"{goal.name}: {what} at {target}"
    words += "" if goal.crossing else f", at most {_number(goal.tolerance)} off"
    words += f", for {goal.held:g} s" if goal.held else ""
    words += f", after {goal.after:g} s" if goal.after else ""
    words += f", before {goal.before:g} s" if goal.before else ""
    words += f", at least {goal.later:g} s after what it requires" if goal.later else ""
    words += f", at most {goal.within:g} s after what it requires" if goal.within else ""
    return words + (f", {'while' if goal.present else 'after'} {', '.join(goal.requires)}" if goal.requires else "")


def role_space(task: Task, role: str, *, signals: bool) -> Vector:
    """Return where the powers that a role sets must lie, and its signal where it may give one."""
    motors = [motor for motor in task.flat.motors if role in motor.agents]
    low = [-highest(motor.power) * motor.reverse for motor in motors]
    high = [highest(motor.power) for motor in motors]
    return Vector((*low, float(STOP)), (*high, 0.0)) if signals else Vector(tuple(low), tuple(high))


def nearer(task: Task, drawn: Any, share: float) -> Any:
    """Return the numbers of an instance whose starts lie at a share of the way from the goals' edges."""
    moved = drawn.copy()
    goals = {goal.body: goal for goal in task.goals if goal.of == "value" and not isinstance(goal.target, str)}
    numbers = dict(zip(task.ranges, drawn, strict=True))
    for place, path in enumerate(task.ranges):
        part, _, rest = path.partition(".")
        body, _, field = rest.rpartition(".")
        if part == "bodies" and field == "value" and body in goals:
            goal = goals[body]
            target, width = (
                numbers.get(f"goals.{goal.name}.{name}", getattr(goal, name)) for name in ("target", "tolerance")
            )
            edge = target - np.copysign(width, target - drawn[place])
            moved[place] = edge + (drawn[place] - edge) * share
    return moved


def _columns(task: Task, role: str) -> tuple[list[int], tuple[str, ...]]:
    observed = task.observed(role)
    return [number for number, _ in observed], tuple(name for _, name in observed)


def _places(task: Task, role: str) -> list[int]:
    """Return the places of a role's motors among all that agents set."""
    return [place for place, motor in enumerate(motor for motor in task.motors if motor.agents) if role in motor.agents]


def _channel(task: Task) -> int | None:
    return next((number for number, sensor in enumerate(task.sensors) if sensor.reward), None)


def _number(quantity: Any) -> str:
    return f"{quantity:g}" if isinstance(quantity, int | float) else f"{quantity.low:g} to {quantity.high:g}"
