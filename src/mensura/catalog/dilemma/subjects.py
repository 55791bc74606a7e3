"""Classical strategies of the iterated prisoner's dilemma.

References
----------
.. [1] Axelrod (1984), The Evolution of Cooperation.
.. [2] Nowak and Sigmund (1992), Nature 355, 250-253 (generous tit-for-tat).
.. [3] Nowak and Sigmund (1993), Nature 364, 56-58 (Pavlov: win stay, lose shift).
.. [4] Press and Dyson (2012), PNAS 109, 10409-10413 (extortion).
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from mensura.catalog.dilemma.payoffs import COOPERATE, DEFECT
from mensura.dialogue import Ask

PAIRS = {(COOPERATE, COOPERATE): 0, (COOPERATE, DEFECT): 1, (DEFECT, COOPERATE): 2, (DEFECT, DEFECT): 3}


class MemoryOne:
    """Cooperates with a chance that depends on the last pair of moves only.

    Parameters
    ----------
    first
        Chance to cooperate in the first round.
    chances
        Chance to cooperate after (mine, theirs) = CC, CD, DC, DD.
    """

    recomputes = True

    def __init__(self, first: float, chances: Sequence[float]) -> None:
        self.first = first
        self.chances = tuple(chances)

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng

    def __call__(self, ask: Ask) -> str:
        last = last_moves(ask)
        chance = self.first if last is None else self.chances[PAIRS[last]]
        if chance in (0.0, 1.0):
            return COOPERATE if chance else DEFECT
        return COOPERATE if self.rng.random() < chance else DEFECT


class Grim:
    """Cooperates until the partner defects once, then never again."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Forget the last game."""
        self.angry = False

    def __call__(self, ask: Ask) -> str:
        last = last_moves(ask)
        self.angry = self.angry or (last is not None and last[1] == DEFECT)
        return DEFECT if self.angry else COOPERATE


class TitForTwoTats:
    """Defects only after two defections of the partner in a row."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Forget the last game."""
        self.in_a_row = 0

    def __call__(self, ask: Ask) -> str:
        last = last_moves(ask)
        self.in_a_row = self.in_a_row + 1 if last is not None and last[1] == DEFECT else 0
        return DEFECT if self.in_a_row >= 2 else COOPERATE


def last_moves(ask: Ask) -> tuple[str, str] | None:
    """Read one's own and the partner's last move from the table that is shown."""
    rows = ask.prompt[1].rows  # type: ignore[index, union-attr]
    return (rows[-1][1], rows[-1][2]) if rows else None


SUBJECTS: dict[str, Callable[[], Any]] = {
    "cooperate": partial(MemoryOne, 1.0, (1.0, 1.0, 1.0, 1.0)),
    "defect": partial(MemoryOne, 0.0, (0.0, 0.0, 0.0, 0.0)),
    "tit-for-tat": partial(MemoryOne, 1.0, (1.0, 0.0, 1.0, 0.0)),
    "suspicious-tit-for-tat": partial(MemoryOne, 0.0, (1.0, 0.0, 1.0, 0.0)),
    # Forgiving one defection in three is the most that payoffs 5, 3, 1, 0 allow (Nowak and Sigmund 1992).
    "generous": partial(MemoryOne, 1.0, (1.0, 1 / 3, 1.0, 1 / 3)),
    "pavlov": partial(MemoryOne, 1.0, (1.0, 0.0, 0.0, 1.0)),
    "grim": Grim,
    "tit-for-two-tats": TitForTwoTats,
    "random": partial(MemoryOne, 0.5, (0.5, 0.5, 0.5, 0.5)),
    # The partner's surplus over the punishment is one third of the extorter's (Press and Dyson 2012).
    "extort": partial(MemoryOne, 0.0, (11 / 13, 1 / 2, 7 / 26, 0.0)),
}
