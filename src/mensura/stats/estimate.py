"""A number with what we know of its error."""

from dataclasses import dataclass
from math import isnan
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval, how many observations it rests on and how the interval was made.

    Bounds are NaN where the error is unknown (one observation, say); they are never zero-width by default.

    >>> print(Estimate(0.5, 0.4, 0.6, 20, "t"))
    0.5 [0.4, 0.6] (n=20, t)
    >>> print(Estimate(0.5, float("nan"), float("nan"), 1, "t"))
    0.5 (n=1: no error estimate)
    """

    value: float
    low: float
    high: float
    n: int
    method: str

    def __str__(self) -> str:
        if isnan(self.value):
            return f"unknown (n={self.n})"
        if isnan(self.low) or isnan(self.high):
            return f"{self.value:.3g} (n={self.n}: no error estimate)"
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}] (n={self.n}, {self.method})"

    def as_json(self) -> dict[str, Any]:
        """Give the estimate as JSON; unknown numbers are null."""
        return {
            "value": _number(self.value),
            "low": _number(self.low),
            "high": _number(self.high),
            "n": self.n,
            "method": self.method,
        }


def _number(value: float) -> float | None:
    return None if isnan(value) else float(value)
