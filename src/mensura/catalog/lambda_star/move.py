"""Move: an action by its number in the paper, 1 to 9, or by its name."""

from typing import Any

import numpy as np

from mensura.catalog.lambda_star.environment.torus import ACTIONS
from mensura.dialogue import Action
from mensura.dialogue.spaces.base import Json, shown
from mensura.errors import Invalid


class Move(Action):
    """One of the nine actions; the canonical answer is its number from 1.

    >>> MOVE.check("down-right"), MOVE.check(1)
    (9, 1)
    >>> MOVE.check(0)
    Traceback (most recent call last):
    mensura.errors.Invalid: A move is a number from 1 to 9 or the name of one (up-left, up, ..., down-right); got 0.
    """

    def check(self, answer: Any) -> int:
        if type(answer) is int and 0 < answer < 10:
            return answer
        if isinstance(answer, np.integer):
            return self.check(int(answer))
        if isinstance(answer, str) and answer in self.names:
            return self.names.index(answer) + 1
        raise Invalid(
            f"A move is a number from 1 to 9 or the name of one (up-left, up, ..., down-right); got {shown(answer)}."
        )

    def schema(self) -> Json:
        numbers = {"type": "integer", "minimum": 1, "maximum": len(self.names)}
        return {"anyOf": [{"type": "string", "enum": list(self.names)}, numbers]}

    def draw(self, rng: np.random.Generator) -> int:
        return int(rng.integers(1, 10))

    def hint(self) -> str:
        return f"A move: one of {', '.join(self.names)}, or its number from 1 to 9."

    def from_gym(self, action: Any) -> int:
        return super().from_gym(action) + 1


MOVE = Move(ACTIONS, keys=("7", "8", "9", "4", "5", "6", "1", "2", "3"))
"""Keys lie as on a number pad: 7 is up-left, 5 stays, 3 is down-right."""
