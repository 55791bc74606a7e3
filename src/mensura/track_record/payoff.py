"""Payoff: money in proportion to score, with the table shown before answering. There is no prize for first place."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mensura.errors import BadParameter
from mensura.scores.rule import Rule, rule


@dataclass(frozen=True)
class Contract:
    """Pays `base + rate · score`: proportional to the score, so that only expected score is worth chasing."""

    rule: Rule
    rate: float = 1.0
    base: float = 0.0
    unit: str = "points"

    def __post_init__(self) -> None:
        if not self.rate > 0:
            raise BadParameter(f"The rate of a payoff is positive, or a better score would not pay; got {self.rate:g}.")
        if not self.rule.proper:
            raise BadParameter(f"The rule {self.rule.name!r} is improper: it would pay people for not being honest.")

    def table(self, report: Mapping[str, float]) -> dict[str, float]:
        """Return what each alternative would pay if it happened, for the answer as it stands.

        >>> contract = Contract(rule("quadratic"), rate=100, unit="cents")
        >>> {name: round(pay, 1) for name, pay in contract.table({"rain": 0.7, "dry": 0.3}).items()}
        {'rain': 16.0, 'dry': -24.0}
        """
        payoffs = self.rule.payoffs(np.array(list(report.values()), dtype=float))
        return {name: self.base + self.rate * float(pay) for name, pay in zip(report, payoffs, strict=True)}

    def pay(self, score: float) -> float:
        """Return what a score earns."""
        return self.base + self.rate * score


def default_contract(*, floor: float = 0.01) -> Contract:
    """Pay by the logarithm with a floor, a hundred points to the nat."""
    return Contract(rule("log", floor=floor), rate=100.0)
