"""Recreating: the strength of a phenomenon, or a formula of what it adds to the acceleration, run on new starts."""

import numpy as np

from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.understanding.phenomenon import (
    MASS,
    SECONDS,
    TICK,
    Phenomenon,
    draw_powers,
    draw_starts,
    play,
)
from mensura.catalog.task_environments.understanding.question import heavier
from mensura.errors import BadParameter, MensuraError
from mensura.scores.formula import expression

NAMES = ("speed", "place", "time", "power", "mass")
STEP = 0.005
STARTS = 24
BACKWARDS = np.array([1.0, -1.0])
"""What makes starts of place and speed into those of carts that move backwards."""
FAR = 1e4
"""Metres beyond which a recreated cart is as wrong as can be."""


def draw_recreations(rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Draw starts and powers on which what was recreated is run."""
    return draw_starts(rng, count), draw_powers(rng, count)


def ways_of(task: Task, starts: Floats, powers: Floats) -> dict[str, Floats]:
    """Return how far carts come on runs like those that were seen, moving backwards, and twice as heavy.

    What only fits where it was seen is no recreation: a regression can do that.
    """
    return {
        "like": play(task, starts, powers).way,
        "backwards": play(task, starts * BACKWARDS, powers).way,
        "heavier": play(heavier(task), starts, powers).way,
    }


def recreated_miss(
    phenomenon: Phenomenon, number: float, answer: str, rng: np.random.Generator
) -> dict[str, float] | None:
    """Return by how many metres what was recreated is off on new starts, means by kind; None if nothing can be run."""
    starts, powers = draw_recreations(rng, STARTS)
    true = ways_of(phenomenon.world(number), starts, powers)
    try:
        ways = _ways(phenomenon, answer.strip(), starts, powers)
    except (MensuraError, ArithmeticError):
        return None
    return {
        kind: float(np.abs(np.nan_to_num(ways[kind], nan=FAR, posinf=FAR, neginf=-FAR) - way).mean())
        for kind, way in true.items()
    }


def _ways(phenomenon: Phenomenon, answer: str, starts: Floats, powers: Floats) -> dict[str, Floats]:
    try:
        guess = float(answer)
    except ValueError:
        return {
            "like": run_formula(answer, starts, powers),
            "backwards": run_formula(answer, starts * BACKWARDS, powers),
            "heavier": run_formula(answer, starts, powers, mass=2 * MASS),
        }
    if not phenomenon.low <= guess <= phenomenon.high:
        raise BadParameter(f"The number lies between {phenomenon.low:g} and {phenomenon.high:g}; got {guess:g}.")
    return ways_of(phenomenon.world(guess), starts, powers)


def run_formula(text: str, starts: Floats, powers: Floats, *, mass: float = MASS) -> Floats:
    """Return how far carts come whose motor is helped, or hindered, by an acceleration of this formula.

    >>> one = run_formula("-2*sign(speed)", np.array([[0.0, 4.0]]), np.zeros((1, 16)))
    >>> abs(float(one[0]) - 4) < 0.05
    True
    """
    added = expression(text, names=NAMES)
    first, place, speed = starts[:, 0], starts[:, 0].copy(), starts[:, 1].copy()
    with np.errstate(all="ignore"):
        for step in range(round(SECONDS / STEP)):
            power = powers[:, min(int(step * STEP / TICK + 1e-9), powers.shape[1] - 1)]
            # The motor adds energy, not speed, which holds at rest too.
            given = {"speed": speed, "place": place, "time": step * STEP, "power": power, "mass": mass}
            after = speed + added(given) * STEP
            side = np.where(after < 0, -1.0, 1.0)
            squared = after**2 + 2 * power * side * STEP / mass
            # What is left of the motor's energy when it has braked the cart to rest drives it the other way.
            after = side * np.sign(squared) * np.sqrt(np.abs(squared))
            place, speed = place + (speed + after) / 2 * STEP, after
    return np.clip(place - first, -FAR, FAR)
