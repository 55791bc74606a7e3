"""Random powers: every motor at some power within its limits, drawn anew at every tick."""

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue import Ask, Vector
from mensura.subjects.subject import Unlearning


class RandomPowers(Unlearning):
    """Sets powers by chance: what a subject achieves that knows nothing."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng

    def __call__(self, ask: Ask) -> list[float]:
        space: Vector = ask.space  # type: ignore[assignment]
        return [float(power) for power in self.rng.uniform(space.low, space.high)]

    def answer_many(self, seen: NDArray[np.float64], rng: np.random.Generator, space: Vector) -> NDArray[np.float64]:
        """Answer for many attempts at once."""
        return rng.uniform(space.low, space.high, (len(seen), len(space.high)))
