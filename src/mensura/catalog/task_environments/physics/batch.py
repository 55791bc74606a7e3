"""Batch: many instances of a task at once, stepped by the compiled step."""

from math import isnan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.task_environments.physics import kernel
from mensura.catalog.task_environments.physics.program import Floats, compile_task
from mensura.catalog.task_environments.physics.sensing import Sensing
from mensura.catalog.task_environments.task.task import Physics, Task
from mensura.errors import BadData, BadParameter
from mensura.machine_code import for_types_of

PHYSICS: tuple[Physics, ...] = ("exact", "paper", "original")
STEP = 0.001
TICK = 0.25


class Batch:
    """Many instances of one family, each in a world of its own.

    Parameters
    ----------
    task
        A task; where it has ranges, every instance has numbers of its own.
    drawn
        The numbers of the ranges, one row for each instance (`CompiledTask.drawn` draws them).
    physics
        `exact`: power integrated as energy. `paper`: the printed equations. `original`: as the authors' program.
    tick, step
        Seconds between two decisions, and of one step.

    Examples
    --------
    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> batch = Batch(find_task("car-race"), [[20.0], [50.0]])
    >>> batch.tick([[200.0], [0.0]])
    >>> batch.value.round(2).tolist(), batch.energy.round(6).tolist()
    ([[20.7], [50.0]], [50.0, 0.0])
    """

    _advance: ClassVar[Any] = None
    """The compiled step for the types of arrays, which are alike in all batches."""

    def __init__(
        self, task: Task, drawn: ArrayLike, *, physics: Physics = "exact", tick: float = TICK, step: float = STEP
    ) -> None:
        if physics not in PHYSICS:
            raise BadParameter(f"Physics is exact, paper or original; got {physics!r}.")
        self.program = compile_task(task)
        self.task = self.program.task
        self.physics = physics
        self.step_seconds = step
        self.tick_steps = steps_of(tick, step, physics)
        self.tick_seconds = self.tick_steps * step
        self.drawn = np.atleast_2d(np.asarray(drawn, dtype=float))
        if self.drawn.shape[1] != len(self.program.slots):
            names = ", ".join(self.task.ranges) or "no ranges"
            raise BadParameter(f"{task.name} has {names}; an instance needs a number for each, got {drawn!r}.")
        self.numbers = self.program.instances(self.drawn)
        self.sensing = Sensing(self.task, self.tick_seconds)
        own = [number for number, motor in enumerate(self.task.motors) if motor.agents]
        self.high = self.numbers.motor[:, own, 0]
        self.low = -self.high * self.numbers.motor[:, own, 1]
        # Of the first instance: worlds are batches of one.
        self.limits = [
            (number, self.task.motors[number].name, float(low), float(high))
            for number, low, high in zip(own, self.low[0], self.high[0], strict=True)
        ]
        self.start()

    def start(self) -> None:
        """Put every instance at its start."""
        count, goals, motors = len(self.drawn), len(self.task.goals), len(self.task.motors)
        self.value = self.numbers.body[:, :, 8].copy()
        self.velocity = self.numbers.body[:, :, 9].copy()
        self.mass = self.numbers.body[:, :, kernel.MASS].copy()
        self.given, self.cut, self.spent = np.zeros((3, count, motors))
        self.tally = np.zeros((count, 8))
        self.met_at = np.full((count, goals), np.inf)
        self._since = np.full((count, goals), np.inf)
        self._held = (
            self.value, self.velocity, self.mass, self.given, self.cut, self.spent, self.tally, self.met_at,
            self._since, self.numbers, self.program.fixed,
        )  # fmt: skip
        self._code = PHYSICS.index(self.physics)
        if Batch._advance is None:
            Batch._advance = for_types_of(kernel.advance, *self._held, 1, self.step_seconds, self._code)
        # Waves, steering and fuel set what they rule from the first moment on.
        kernel.begin(self.value, self.velocity, self.mass, self.numbers, self.program.fixed)
        self.advance(0)
        self.sensing.start()
        self._note()

    def step(self, powers: ArrayLike, steps: int = 1) -> None:
        """Set the motors of all agents and make so many steps; instances that are over stay as they are."""
        self.set_powers(np.asarray(powers, dtype=float))
        self.advance(steps)

    def tick(self, powers: ArrayLike) -> None:
        """Set the motors and go on for one tick."""
        self.step(powers, self.tick_steps)
        self._note()

    def set_powers(self, powers: Floats) -> None:
        """Set the motors that agents set, in watts; over its limit a motor is refused, and cut by `original`."""
        motors = [motor for motor, _, _, _ in self.limits]
        low, high = self.low, self.high
        if powers.shape != low.shape:
            raise BadData(f"There are {low.shape[1]} motors for {len(low)} instances; got powers of {powers.shape}.")
        wrong = ~((powers >= low) & (powers <= high))
        if self.physics == "original":
            # The program compares a negative power with a positive limit, so that it never cuts it; a motor that goes
            # one way stands still.
            kept = np.where((powers < 0) & (low == 0), 0.0, np.minimum(powers, high))
            self.cut[:, motors] = np.abs(powers - kept)
            powers, wrong = kept, np.isnan(powers)
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            refuse_power(self.motors[column], low[row, column], high[row, column], powers[row, column])
        self.given[:, motors] = powers

    def sense(self, rng: np.random.Generator) -> Floats:
        """Return what the sensors read, one row for each instance."""
        return np.stack(self.sensing.read(rng, len(self.drawn)), axis=1)

    @property
    def motors(self) -> list[str]:
        """The motors that agents set, in the order of powers."""
        return [name for _, name, _, _ in self.limits]

    @property
    def time(self) -> Floats:
        """Seconds that passed, up to the end where it is over."""
        return self.tally[:, kernel.TIME]

    @property
    def energy(self) -> Floats:
        """Joules that were spent."""
        return self.tally[:, kernel.ENERGY]

    @property
    def wasted(self) -> Floats:
        """Joules of those that moved nothing."""
        return self.tally[:, kernel.WASTED]

    @property
    def created(self) -> Floats:
        """Joules that the steps of `paper` and `original` made out of nothing."""
        return self.tally[:, kernel.CREATED]

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether it is solved, or time or energy are used up."""
        return self.tally[:, kernel.OVER] > 0

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Whether all goals were met within the limits."""
        return self.tally[:, kernel.SOLVED] > 0

    @property
    def met(self) -> NDArray[np.bool_]:
        """Which goals are met."""
        return self.met_at < np.inf

    def distance(self) -> Floats:
        """Return how far the goals that are not met are from being so: a sum, in widths of what bodies can reach."""
        return self.tally[:, kernel.DISTANCE].copy()

    def _note(self) -> None:
        self.sensing.note(self.value.T.copy(), self.velocity.T.copy())

    def reset_goal(self, name: str) -> None:
        """Reset a goal, and all that require it."""
        number = [goal.name for goal in self.task.goals].index(name)
        gone = [number, *np.flatnonzero(self.program.fixed.dependents[number])]
        self.met_at[:, gone] = self._since[:, gone] = np.inf
        self.advance(0)

    def advance(self, steps: int) -> None:
        """Make so many steps with the motors as they are set."""
        Batch._advance(*self._held, steps, self.step_seconds, self._code)


def refuse_power(motor: str, low: float, high: float, power: float) -> None:
    """Refuse a power that a motor cannot have."""
    if isnan(power):
        raise BadData(f"A controller gave NaN for the motor {motor}; its power is a number of watts.")
    raise BadData(f"The motor {motor} takes {low:g} to {high:g} W; got {power:g} W.")


def steps_of(seconds: float, step: float, physics: str) -> int:
    """Return how many steps so many seconds take; the program adds up steps until the sum is not below.

    >>> steps_of(2.0, 0.001, "exact"), steps_of(2.0, 0.001, "original"), steps_of(0.25, 0.001, "original")
    (2000, 2001, 250)
    """
    if not 0 < step <= seconds:
        raise BadParameter(f"A tick is at least one step long, and a step more than nothing; got {seconds:g} s.")
    if physics != "original":
        return round(seconds / step)
    passed, steps = 0.0, 0
    while passed < seconds:
        passed += step
        steps += 1
    return steps
