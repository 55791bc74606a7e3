"""Full throttle: all motors at full power, whatever the sensors read."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue import Ask, Vector
from mensura.subjects.subject import Unlearning


class FullThrottle(Unlearning):
    """Sets every motor to its full power."""

    recomputes = True

    def __call__(self, ask: Ask) -> list[float]:
        space: Any = ask.space
        return list(space.high)

    def answer_many(self, seen: NDArray[np.float64], rng: np.random.Generator, space: Vector) -> NDArray[np.float64]:
        """Answer for many attempts at once."""
        return np.tile(space.high, (len(seen), 1))
