"""Payoffs of the dilemma, and what chance earns by them."""

from dataclasses import dataclass
from typing import Any

from mensura.errors import BadParameter

MOVES = ("cooperate", "defect")
COOPERATE, DEFECT = MOVES


@dataclass(frozen=True)
class Payoffs:
    """What a player earns: temptation > reward > punishment > sucker, and 2 · reward > temptation + sucker."""

    temptation: float = 5.0
    reward: float = 3.0
    punishment: float = 1.0
    sucker: float = 0.0

    def __post_init__(self) -> None:
        if not self.temptation > self.reward > self.punishment > self.sucker:
            raise BadParameter(f"A dilemma needs temptation > reward > punishment > sucker; got {self}.")
        if not 2 * self.reward > self.temptation + self.sucker:
            raise BadParameter(f"Taking turns at defecting must pay less than twice the reward; got {self}.")

    def earned(self, mine: str, theirs: str) -> float:
        """Return what a player earns in one round.

        >>> Payoffs().earned("defect", "cooperate"), Payoffs().earned("cooperate", "defect")
        (5.0, 0.0)
        """
        if mine == COOPERATE:
            return self.reward if theirs == COOPERATE else self.sucker
        return self.temptation if theirs == COOPERATE else self.punishment


def chance_levels(
    *, temptation: float, reward: float, punishment: float, sucker: float, **other: Any
) -> dict[str, float]:
    """Return what two players who toss coins score: all four pairs of moves are equally likely, noise or not."""
    mean = (temptation + reward + punishment + sucker) / 4
    return {
        "first_payoff": mean,
        "second_payoff": mean,
        "first_cooperation": 0.5,
        "second_cooperation": 0.5,
    }
