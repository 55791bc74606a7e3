"""Recreating: the strength of a phenomenon, or a formula of what it adds to the acceleration, run on new starts."""

import numpy as np

from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.understanding.phenomenon import (
    MASS,
    SECONDS,
    TICK,
    Phenomenon,
    draw_powers,
    draw_starts,
    play,
)
from mensura.errors import BadParameter, MensuraError
from mensura.scores.formula import expression

NAMES = ("speed", "place", "time", "power", "mass")
STEP = 0.005
STARTS = 24
FAR = 1e4
"""Metres beyond which a recreated cart is as wrong as can be."""


def recreated_miss(phenomenon: Phenomenon, number: float, answer: str, rng: np.random.Generator) -> float | None:
    """Return by how many metres what was recreated is off on new starts, a mean; None where nothing can be run."""
    starts, powers = draw_starts(rng, STARTS), draw_powers(rng, STARTS)
    true = play(phenomenon.world(number), starts, powers).way
    try:
        ways = _ways(phenomenon, answer.strip(), starts, powers)
    except (MensuraError, ArithmeticError):
        return None
    return float(np.abs(np.nan_to_num(ways, nan=FAR, posinf=FAR, neginf=-FAR) - true).mean())


def _ways(phenomenon: Phenomenon, answer: str, starts: Floats, powers: Floats) -> Floats:
    try:
        guess = float(answer)
    except ValueError:
        return run_formula(answer, starts, powers)
    if not phenomenon.low <= guess <= phenomenon.high:
        raise BadParameter(f"The number lies between {phenomenon.low:g} and {phenomenon.high:g}; got {guess:g}.")
    return play(phenomenon.world(guess), starts, powers).way


def run_formula(text: str, starts: Floats, powers: Floats) -> Floats:
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
            given = {"speed": speed, "place": place, "time": step * STEP, "power": power, "mass": MASS}
            after = speed + added(given) * STEP
            after = np.sign(after + (after == 0)) * np.sqrt(
                np.maximum(after**2 + 2 * power * np.sign(after + (after == 0)) * STEP / MASS, 0)
            )
            place, speed = place + (speed + after) / 2 * STEP, after
    return np.clip(place - first, -FAR, FAR)
