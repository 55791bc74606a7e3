"""Settings a result can name, and every value that the paper leaves open."""

from dataclasses import dataclass, fields
from typing import Any, Literal

from mensura.errors import BadParameter

Rules = Literal["paper", "original"]

SETTINGS: dict[str, dict[str, object]] = {"paper": {"rules": "paper"}, "original": {"rules": "original"}}
"""`paper`: the definitions as printed. `original`: what the authors' program of 2016 did."""


def _check_shares(values: Any, *, but: tuple[str, ...] = ()) -> None:
    for part in fields(values):
        value = getattr(values, part.name)
        if part.name not in but and (type(value) not in (int, float) or not 0 <= value <= 1):
            raise BadParameter(f"{part.name} lies between 0 and 1; got {value!r}.")


@dataclass(frozen=True)
class LearningValues:
    """How agents learn: rate α, discount γ, first value of every entry, training sessions, and exploration.

    They are the program's. It multiplied rewards by ten and began at 2; the values are the same with rewards as printed
    and 0.2. A first value above zero makes a greedy learner try everything once. Exploration is SARSA's share of free
    choices in training, under `paper`: a SARSA that never explores is Q-learning.
    """

    rate: float = 0.3
    discount: float = 0.3
    initial: float = 0.2
    sessions: int = 100
    exploration: float = 0.1

    def __post_init__(self) -> None:
        _check_shares(self, but=("initial", "sessions"))
        if type(self.sessions) is not int or self.sessions < 0:
            raise BadParameter(f"sessions, how often it trains, is a whole number ≥ 0; got {self.sessions!r}.")
        if type(self.initial) not in (int, float) or not -1e6 < self.initial < 1e6:
            raise BadParameter(f"initial, the first value of every entry, is a number; got {self.initial!r}.")


@dataclass(frozen=True)
class MarkValues:
    """How marks on the ground work: the weight γ of what is high against what is low, and evaporation.

    Evaporation is the share of a mark that is gone after an iteration: 1 for stigmergy as printed, whose marks last one
    iteration. The program of 2016 has values of its own, which cannot be set.
    """

    evaporation: float = 1.0
    weight: float = 0.5

    def __post_init__(self) -> None:
        _check_shares(self)

    def refuse_original(self, usual: "MarkValues") -> None:
        """Refuse values of one's own where the rules are those of the program."""
        if self != usual:
            raise BadParameter("The program of 2016 has its own marks; leave weight and evaporation out.")


LEARNING = LearningValues()
STIGMERGY = MarkValues()
CROWD = MarkValues(evaporation=0.5)
"""The wisdom of the crowd: what nobody sees is halved."""
