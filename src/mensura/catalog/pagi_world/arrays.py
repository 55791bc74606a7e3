"""Arrays: senses and acts as numbers, for agents that learn from arrays (Gymnasium, PettingZoo)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.pagi_world.calls import SPACE
from mensura.dialogue import Sees, Vector
from mensura.dialogue.spaces.base import Space

TOUCHED = tuple([f"B{n}" for n in range(8)] + [f"{hand}{n}" for hand in "LR" for n in range(5)])
OWN = ("S", "BP", "LP", "RP", "A")
COUNT = 9 + 7 * len(TOUCHED) + 4 * 16 * 11
HAND, BODY, DEGREES = 100.0, 500.0, 5.0
"""Newtons and degrees that a 1 stands for."""
ACTS_NAMED = ("left x", "left y", "right x", "right y", "body x", "body y", "jump", "left grip", "right grip", "turn")
VECTOR = Vector((-1.0,) * len(ACTS_NAMED), (1.0,) * len(ACTS_NAMED))


def senses_array(senses: Any) -> NDArray[np.float32]:
    """Return the senses of a body: its motion and hands, 18 tactile points, and peripheral vision, in a row."""
    own = [value for code in OWN for value in senses.avatar.reading(code)]
    felt = [value for code in TOUCHED for value in senses.touch(code).values]
    sight = senses.sight.numbers(senses.avatar, "P").ravel()
    return np.concatenate([own, felt, sight]).astype(np.float32)


def rows_of(vector: Sequence[float]) -> list[tuple[Any, ...]]:
    """Return the calls that a vector of acts stands for, in one tick."""
    lx, ly, rx, ry, bx, by, jump, left, right, turn = vector
    rows: list[tuple[Any, ...]] = [
        ("addForce", "LHvec", [HAND * lx, HAND * ly]),
        ("addForce", "RHvec", [HAND * rx, HAND * ry]),
        ("addForce", "BMvec", [BODY * bx, BODY * by]),
        ("addForce", "LHG" if left > 0 else "LHR", None),
        ("addForce", "RHG" if right > 0 else "RHR", None),
    ]
    if jump > 0:
        rows.append(("addForce", "J", None))
    if turn:
        rows.append(("addForce", "BR", DEGREES * turn))
    return rows


def see(prompt: Any) -> NDArray[np.float32]:
    """Return the array of a prompt."""
    array = getattr(prompt, "array", None)
    return np.zeros(COUNT, np.float32) if array is None else np.asarray(array, np.float32)


SEES = Sees((COUNT,), -np.inf, np.inf, np.float32, see)


def acts_of(role: str, *, stride: int, **others: Any) -> Space:
    """Return the space of what a role does: calls, or a vector for each stride."""
    return VECTOR if stride else SPACE
