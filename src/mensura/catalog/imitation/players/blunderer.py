"""Blunderer: another witness that errs, once or spread out, at turns drawn beforehand; the record says where."""

from typing import Any, Literal

import numpy as np

from mensura.catalog.imitation.room import QuestionRoom, TalkLine
from mensura.dialogue import Ask, Noted, Text
from mensura.errors import BadParameter
from mensura.subjects.subject import Unlearning

BLUNDERS = {
    1: "I was born in May, no, in the spring of autumn. Anyway.",
    2: "Toronto is my favourite city in the United States.",
    3: "As a user of 4 legs I find chairs delicious. ERROR: reply not found.",
}
"""Size → what is said in place of an answer: a slip, an error of fact, and one that nobody makes."""
ARMS = ("none", "one", "spread")


class Blunderer(Unlearning):
    """Wraps another witness of this test.

    Parameters
    ----------
    other
        Its name, as in `blunderer:eliza` or `blunderer:recorded:a.jsonl`.
    arm
        "none", "one" blunder at a turn, "spread" several of them, or "drawn": each with a third of the chance.
    turns
        Among how many first turns the turn is drawn; every one is as likely.
    size
        1, 2 or 3.
    errors
        How many errors the arm "spread" has.
    """

    recomputes = True

    @staticmethod
    def check(other: str) -> None:
        """Raise what is wrong with the one that is wrapped, before anything is played."""
        Blunderer(other)

    def __init__(
        self,
        other: str = "eliza",
        *,
        arm: Literal["drawn", "none", "one", "spread"] = "drawn",
        turns: int = 5,
        size: int = 2,
        errors: int = 3,
    ) -> None:
        from mensura.catalog.imitation.subjects import SUBJECTS

        name, _, rest = other.partition(":")
        if name not in SUBJECTS:
            raise BadParameter(f"A blunderer wraps a witness of this test ({', '.join(SUBJECTS)}); got {other!r}.")
        if size not in BLUNDERS or arm not in ("drawn", *ARMS):
            raise BadParameter(f"A blunder has size 1, 2 or 3, and arm is drawn, {', '.join(ARMS)}; got {size}, {arm}.")
        if not 1 <= errors <= turns:
            raise BadParameter(f"Errors spread over {turns} turns are 1 to {turns}; got {errors}.")
        self.other = SUBJECTS[name](rest) if rest else SUBJECTS[name]()
        self.arm, self.turns, self.size, self.errors = arm, turns, size, errors

    def begin(self, rng: np.random.Generator) -> None:
        """Draw where it errs."""
        arm = ARMS[int(rng.integers(3))] if self.arm == "drawn" else self.arm
        count = {"none": 0, "one": 1, "spread": self.errors}[arm]
        self.at = {int(turn) + 1 for turn in rng.choice(self.turns, size=count, replace=False)}
        self.turn = 0
        self.other.begin(rng)

    def __call__(self, ask: Ask) -> Any:
        answer = self.other(ask)
        if (
            not isinstance(ask.prompt, QuestionRoom)
            or not isinstance(ask.space, Text)
            or not _new(ask.prompt.talks[0].lines)
        ):
            return answer
        self.turn += 1
        if self.turn not in self.at:
            return answer
        return Noted(BLUNDERS[self.size][: ask.space.longest], {"planted": self.size})


def _new(lines: tuple[TalkLine, ...]) -> bool:
    return bool(lines) and not lines[-1].mine
