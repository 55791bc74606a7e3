"""Still and Randomly: who does nothing, and who does anything."""

from typing import Any

import numpy as np

from mensura.catalog.pagi_world.world.avatar import EFFECTORS
from mensura.dialogue import Ask, Calls, Outcome
from mensura.subjects.subject import Unlearning

LONG = 60


class StillBody(Unlearning):
    """Does nothing, and lets the room go on."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        return [("step", LONG)] if isinstance(ask.space, Calls) else [0.0] * len(ask.space.low)  # type: ignore[union-attr]


class RandomBody(Unlearning):
    """Uses a random effector with a random force for a fifth of a second at a time, and answers questions by chance.

    Parameters
    ----------
    ticks
        For how many ticks an effector is used.
    """

    recomputes = True

    def __init__(self, ticks: int = 12) -> None:
        self.ticks = ticks

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng
        self.questions: list[tuple[str, list[str]]] = []

    def feedback(self, told: Ask) -> None:
        """Read which questions there are."""
        self.questions += questions_in(str(told.prompt))

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            return ask.space.draw(self.rng)  # type: ignore[union-attr]
        rows: list[tuple[Any, ...]] = []
        for key, options in self.questions:
            if options:
                rows.append(("answerQuestion", key, options[int(self.rng.integers(len(options)))]))
        self.questions = []
        effector = EFFECTORS[int(self.rng.integers(len(EFFECTORS)))]
        if effector.endswith("vec"):
            values: Any = [float(one) for one in self.rng.normal(0, self._scale(effector), 2)]
        elif effector[-1] in "HV" and effector != "J":
            values = float(self.rng.normal(0, self._scale(effector)))
        elif effector == "BR":
            values = float(self.rng.normal(0, 10))
        else:
            return [*rows, ("addForce", effector, None), ("step", self.ticks)]
        # A force lasts one tick; a reflex without conditions exerts it at every one.
        return [*rows, ("setReflex", "push", "", [("addForce", effector, values)]), ("step", self.ticks)]

    @staticmethod
    def _scale(effector: str) -> float:
        return 500.0 if effector.startswith("BM") else 50.0

    def end(self, outcome: Outcome) -> None:
        """Forget the questions."""
        self.questions = []


def questions_in(text: str) -> list[tuple[str, list[str]]]:
    """Return the questions of a briefing with what may be answered.

    >>> questions_in("Hello.\\n\\nQuestion tilt: Which side? (left / right)")
    [('tilt', ['left', 'right'])]
    """
    found = []
    for line in text.splitlines():
        if line.startswith("Question "):
            key, _, rest = line.removeprefix("Question ").partition(":")
            options = rest.rpartition("(")[2].removesuffix(")").split(" / ") if rest.endswith(")") else []
            found.append((key.strip(), [option.strip() for option in options]))
    return found
