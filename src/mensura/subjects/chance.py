"""Chance: draws every answer at random from its space, the baseline of every test."""

from typing import Any

import numpy as np

from mensura.dialogue import Ask
from mensura.subjects.subject import Unlearning


class Chance(Unlearning):
    """Draws every answer at random from its space.

    >>> from mensura.dialogue import Choice
    >>> chance = Chance()
    >>> chance.begin(np.random.default_rng(1))
    >>> chance(Ask("Red or blue?", Choice(("red", "blue"))))
    'red'
    """

    name = "chance"
    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng

    def __call__(self, ask: Ask) -> Any:
        return ask.space.draw(self.rng)  # type: ignore[union-attr]
