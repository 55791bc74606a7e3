"""Quantity: a number of a block, or the range that an instance's number is drawn from."""

from dataclasses import dataclass
from math import isfinite

from mensura.errors import BadParameter

FORBID = {"extra": "forbid"}
"""What pydantic is told of every block: a misspelt key is an error, not a default."""


@dataclass(frozen=True)
class Range:
    """An even range; every instance of a family draws its own number from it.

    >>> Range(2, 4).at(0.25)
    2.5
    """

    low: float
    high: float
    __pydantic_config__ = FORBID

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise BadParameter(f"A range goes from a low number up to a higher one; got {self.low:g} to {self.high:g}.")

    def at(self, share: float) -> float:
        """Return the number at a share of the way from low to high."""
        return self.low + (self.high - self.low) * share


Quantity = float | Range


def lowest(quantity: Quantity) -> float:
    """Return the least number that it can be."""
    return quantity.low if isinstance(quantity, Range) else quantity


def highest(quantity: Quantity) -> float:
    """Return the largest number that it can be."""
    return quantity.high if isinstance(quantity, Range) else quantity
