"""Attempt: one try at a task, from its start to its end; Briefing: what all attempts of a session share."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mensura.catalog.task_environments.dashboard import TRACE, Dashboard
from mensura.catalog.task_environments.physics.program import compile_task
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import highest
from mensura.catalog.task_environments.task.task import Physics, Task
from mensura.catalog.task_environments.telling import describe, number_words
from mensura.dialogue import Vector
from mensura.phrase import joined, phrase

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
        self.columns = {role: _columns(self.flat, role) for role in self.roles}
        self.places = {role: _places(self.flat, role) for role in self.roles}
        self.channel = _channel(self.flat)
        # Limits of motors that are alike in all instances are worked out once.
        alike = not any(path.startswith("motors.") for path in self.flat.ranges)
        self.spaces = self.spaces_of(self.flat) if alike else None

    def spaces_of(self, task: Task) -> dict[str, Vector]:
        """Return where each role's answer must lie."""
        return {role: role_space(task, role, signals=self.signals) for role in self.roles}

    def words(self, role: str, *, buttons: bool = False) -> str:
        """Return what a role is told before it begins; with `buttons` for signals no numbers need to be named."""
        motors = [motor for motor in self.flat.motors if role in motor.agents]
        limits = self.flat.limits
        tick, time = number_words(self.tick), number_words(limits.time)
        parts: list[str] = [
            phrase("Every {tick} s you read your sensors and set the power of your motors, in watts:", tick=tick),
            joined((_motor_words(motor) for motor in motors), "\n"),
        ]
        if limits.energy is None:
            parts.append(phrase("You have {time} s; spend as little of it as you can.", time=time))
        else:
            words = phrase(
                "You have {time} s and {energy} J; spend as little of both as you can.",
                time=time,
                energy=number_words(limits.energy),
            )
            parts.append(words)
        if self.told == "goal" or self.help:
            parts += [
                phrase("Your goals:"),
                joined((joined(["- ", describe(goal)], "") for goal in self.flat.goals), "\n"),
            ]
        elif self.told == "reward":
            parts.append(phrase("Nobody says what is to be done; rewards tell how near you are."))
        if self.signals and not buttons:
            parts.append(phrase("The last number says 0: go on, -1: I ask for help, -2: I stop."))
        return joined(parts, "\n\n")

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
        self._trace: deque[list[float]] = deque(maxlen=TRACE)
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
        terms = self.terms
        return terms.spaces or terms.spaces_of(terms.flat.fix([float(number) for number in self.drawn]))

    def readings(self, role: str) -> Dashboard:
        """Return what a role sees now."""
        columns, names = self.terms.columns[role]
        return Dashboard([self.seen[column] for column in columns], names, self, role)

    def shown(self, role: str) -> dict[str, Any]:
        """Return what a page shows a role beside its readings: what it was told, its limits, settings and trace."""
        flat, state, space = self.terms.flat, self.world.state, self.spaces[role]
        motors = [motor.name for motor in flat.motors if role in motor.agents]
        last = self._last.get(role, self._off[role])
        columns, _ = self.terms.columns[role]
        limits = flat.limits
        return {
            "words": self.terms.words(role, buttons=True),
            "tick": self.terms.tick,
            "motors": [
                {"name": name, "low": low + 0.0, "high": high, "power": power}
                for name, low, high, power in zip(motors, space.low, space.high, last, strict=False)
            ],
            "signals": self.terms.signals,
            "rewarded": self.terms.told != "neither",
            "reward": self.reward,
            "attempt": self.key,
            "time": state.time,
            "time_left": max(limits.time - state.time, 0.0),
            "energy_left": None if limits.energy is None else max(limits.energy - state.energy, 0.0),
            "trace": [[float(f"{seen[column]:.5g}") for column in columns] for seen in self._trace],
        }

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
            for place, power in zip(self.terms.places[role], answer, strict=False):
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
        if self.world.solved:
            return phrase("You reached your goals.")
        return phrase("The attempt is over, and goals were not reached.")

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
        self._trace.append(self.seen)
        if self.terms.told != "neither":
            channel = self.terms.channel
            self.reward = 0.0 - self.world.distance() if channel is None else self.seen[channel]


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


def _motor_words(motor: Motor) -> str:
    most = highest(motor.power)
    low, high = number_words(-most * motor.reverse), number_words(most)
    return phrase("- {motor}: {low} to {high}", motor=motor.name, low=low, high=high)
