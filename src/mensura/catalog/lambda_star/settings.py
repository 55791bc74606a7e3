"""Settings a result can name, and every value that the paper leaves open."""

from dataclasses import dataclass
from typing import Literal

Rules = Literal["paper", "original"]

SETTINGS: dict[str, dict[str, object]] = {"paper": {"rules": "paper"}, "original": {"rules": "original"}}
"""`paper`: the definitions as printed. `original`: what the authors' program of 2016 did."""

STIGMERGY_WEIGHT = 0.5
"""γ of the fake rewards: what is high and what is low in sight count alike."""

EXPLORATION = 0.1
"""Share of free choices of SARSA while training, under `paper`: a SARSA that never explores is Q-learning."""


@dataclass(frozen=True)
class LearningValues:
    """Rate α, discount γ, first value of every entry, and training sessions before the episode that counts.

    They are the program's. It multiplied rewards by ten and began at 2; the values are the same with rewards as printed
    and 0.2. A first value above zero makes a greedy learner try everything once.
    """

    rate: float = 0.3
    discount: float = 0.3
    initial: float = 0.2
    sessions: int = 100


LEARNING = LearningValues()
