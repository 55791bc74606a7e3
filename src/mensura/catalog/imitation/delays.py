"""Delays: when a message is released, so that neither speed nor slowness tells who wrote it."""

from dataclasses import dataclass

import numpy as np

THINKING = (2.0, 0.5)
"""Seconds before the first letter: median, and spread on the scale of logarithms. Our choice."""
SPEED = (4.3, 0.35)
"""Letters a second: median, and spread on the scale of logarithms. Recalled, not checked: people at a keyboard copy
about 52 words a minute in large samples."""


@dataclass(frozen=True)
class Typing:
    """How long people take for a message: log-normal thinking, then log-normal speed, drawn anew for each message."""

    thinking: tuple[float, float] = THINKING
    speed: tuple[float, float] = SPEED

    def draw(self, text: str, rng: np.random.Generator) -> int:
        """Draw how many seconds a message takes.

        >>> draws = [Typing().draw("Yes, I think so.", np.random.default_rng(seed)) for seed in range(200)]
        >>> int(np.median(draws))
        6
        """
        (thought, spread), (speed, varied) = self.thinking, self.speed
        first, second = rng.standard_normal(2)
        return int(np.ceil(thought * np.exp(spread * first) + len(text) / (speed * np.exp(varied * second))))

    @property
    def words(self) -> str:
        """The distribution in words, for reports."""
        return (
            f"log-normal thinking (median {self.thinking[0]:g} s, sigma {self.thinking[1]:g}) and log-normal typing "
            f"(median {self.speed[0]:g} letters a second, sigma {self.speed[1]:g}), drawn for each message"
        )
