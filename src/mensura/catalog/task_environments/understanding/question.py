"""Questions to be foretold: when, what later, what is missing, and what a related world does."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel
from mensura.catalog.task_environments.understanding.phenomenon import (
    MASS,
    MOST,
    SECONDS,
    TICK,
    TICKS,
    Phenomenon,
    draw_powers,
    draw_starts,
    play,
    with_body,
)
from mensura.dialogue import Density, Probability, Space

GENTLE = MOST / 2
"""The most power that is asked for: no tank is empty before it shows."""
SPACES: dict[str, Space] = {
    "later": Density(-150, 300, unit="m"),
    "when": Density(0, SECONDS, unit="s"),
    "missing": Density(0, GENTLE, unit="W"),
    "related": Probability(),
}
LEAST = 1.0
"""Metres to either side within which it is asked how far a heavier cart comes, at least."""
GAP = slice(4, 8)
"""The ticks whose power is missing."""


@dataclass
class UnderstandingQuestions:
    """Several questions of one kind, a row of arrays for each."""

    kind: str
    starts: Floats
    powers: Floats
    asked: Floats = field(default_factory=lambda: np.zeros(0))
    """The distance that the question names, where it names one."""
    seen: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    """Speeds that are shown, where the power of some ticks is asked for."""

    def row(self, number: int) -> "UnderstandingQuestions":
        """Return one of them."""
        only = slice(number, number + 1)
        return UnderstandingQuestions(
            self.kind, self.starts[only], self.powers[only], self.asked[only], self.seen[only]
        )

    def answers(self, task: Task) -> Floats:
        """Return what is true in a world: the number, or whether it happens."""
        if self.kind == "later":
            return play(task, self.starts, self.powers).way
        if self.kind == "when":
            return play(task, self.starts, self.powers).when(self.asked)
        if self.kind == "related":
            return (play(heavier(task), self.starts, self.powers).way >= self.asked).astype(float)
        return np.array([self._power(task, number) for number in range(len(self.starts))])

    def copied(self) -> Floats:
        """Return what is said by who only copies what the question shows: it goes on as it began."""
        speed = self.starts[:, 1]
        if self.kind == "later":
            return speed * SECONDS
        if self.kind == "when":
            return np.minimum(self.asked / speed, SECONDS)
        if self.kind == "related":
            return (speed * SECONDS >= self.asked).astype(float)
        others: Floats = np.delete(self.powers, np.r_[GAP], axis=1).mean(axis=1)
        return others

    def _power(self, task: Task, number: int) -> float:
        """Return the power that leads to the speeds that were seen."""
        low, high = 0.0, GENTLE
        for _ in range(3):
            tried = np.linspace(low, high, 41)
            powers = np.tile(self.powers[number], (len(tried), 1))
            powers[:, GAP] = tried[:, None]
            off = np.nansum((play(task, self.starts[number], powers).speed - self.seen[number]) ** 2, axis=1)
            best, step = tried[off.argmin()], tried[1] - tried[0]
            low, high = max(best - step, 0.0), min(best + step, GENTLE)
        return float(best)


def ask_questions(
    phenomenon: Phenomenon, task: Task, kind: str, rng: np.random.Generator, count: int
) -> tuple[UnderstandingQuestions, Floats]:
    """Draw questions of a kind about a world, and what is true of them."""
    made = UnderstandingQuestions(kind, draw_starts(rng, count), draw_powers(rng, count))
    if kind == "missing":
        true = rng.uniform(0, GENTLE, count).round(1)
        made.powers[:, : GAP.start] = 0.0
        made.powers[:, GAP] = true[:, None]
        made.seen = play(task, made.starts, made.powers).speed.round(3)
        # Within the gap only its ends are seen, or else a part of it would give the rest away.
        made.seen[:, GAP.start + 1 : GAP.stop] = np.nan
        return made, true
    if kind == "when":
        made.asked = (play(phenomenon.plain, made.starts, made.powers).way * rng.uniform(0.2, 0.8, count)).round(1)
    if kind == "related":
        way, plain = (play(heavier(one), made.starts, made.powers).way for one in (task, phenomenon.plain))
        # As far to either side as the phenomenon matters: the world without it answers no better than a coin.
        made.asked = (way + np.maximum(np.abs(plain - way), LEAST) * rng.uniform(-1, 1, count)).round(2)
    return made, made.answers(task)


def heavier(task: Task) -> Task:
    """Return the related world: the cart weighs twice as much, or has twice the mass of an empty one."""
    doubled = tuple(
        replace(one, dry=MASS, density=one.density / 2)
        if isinstance(one, Fuel) and isinstance(one.density, float)
        else one
        for one in task.transitions
    )
    return replace(with_body(task, mass=2 * MASS), transitions=doubled)


def words_of(one: UnderstandingQuestions) -> str:
    """Return what is asked, in words."""
    if one.kind == "later":
        return f"How far from its start is the cart after {SECONDS:g} s, in metres (negative: behind it)?"
    if one.kind == "when":
        return (
            f"After how many seconds is the cart {one.asked[0]:g} m ahead of its start for the first time? "
            f"Say {SECONDS:g} where it is not within that time."
        )
    if one.kind == "missing":
        low, high = TICK * GAP.start, TICK * GAP.stop
        return f"Which power, in watts, did the motor have from {low:g} s to {high:g} s? It was the same all the while."
    return (
        "The cart weighs twice as much; all else stays. "
        f"How probable is it that after {SECONDS:g} s it is {one.asked[0]:g} m or more ahead of its start?"
    )


def rows_of(one: UnderstandingQuestions) -> list[list[Any]]:
    """Return the run that a question is about as rows: time, power from then on, place, speed; "?" where unknown."""
    rows: list[list[Any]] = []
    for tick in range(TICKS + 1):
        power: Any = float(one.powers[0, tick]) if tick < TICKS else "-"
        if one.kind == "missing" and GAP.start <= tick < GAP.stop:
            power = "?"
        speed: Any = float(one.starts[0, 1]) if tick == 0 else "?"
        if one.kind == "missing" and not np.isnan(one.seen[0, tick]):
            speed = float(one.seen[0, tick])
        rows.append([tick * TICK, power, float(one.starts[0, 0]) if tick == 0 else "?", speed])
    return rows
