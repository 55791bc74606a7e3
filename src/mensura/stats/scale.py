"""Scales: the range that a score can take."""

from dataclasses import dataclass

import numpy as np

from mensura.dialogue.score import SLACK
from mensura.errors import BadData
from mensura.stats.intervals.sample import Floats


@dataclass(frozen=True, slots=True)
class Scale:
    """The range a score can take; None where it has no bound on that side.

    `binary` says that every single answer is 0 or 1 and can be nothing else; the bounds are then 0 and 1. It must be
    said: numbers that merely happen to be 0 or 1 so far are no proportion.

    Examples
    --------
    >>> Scale(low=0, high=100).share(25)
    0.25
    >>> Scale(binary=True).high, Scale(low=0).is_bounded
    (1.0, False)
    """

    low: float | None = None
    high: float | None = None
    binary: bool = False

    def __post_init__(self) -> None:
        low, high = (0.0, 1.0) if self.binary else (self.low, self.high)
        for bound in (self.low, self.high):
            if bound is not None and not np.isfinite(bound):
                raise BadData(f"A bound of a scale is a finite number, or None where there is none; got {bound}.")
        if self.binary and (self.low not in (None, 0) or self.high not in (None, 1)):
            raise BadData(f"Answers that are 0 or 1 have the scale 0 to 1; got {self.low} to {self.high}.")
        if low is not None and high is not None and not low < high:
            raise BadData(f"The lower bound of a scale lies below the upper one; got {low:g} and {high:g}.")
        if low is not None and high is not None and not 1e-9 * max(1e-90, abs(low), abs(high)) < high - low < 1e100:
            raise BadData(f"A scale from {low:g} to {high:g} is too wide to compute with; use other units.")
        object.__setattr__(self, "low", None if low is None else float(low))
        object.__setattr__(self, "high", None if high is None else float(high))

    @property
    def is_bounded(self) -> bool:
        """Return whether both bounds are known."""
        return self.low is not None and self.high is not None

    @property
    def is_half_bounded(self) -> bool:
        """Return whether exactly one bound is known."""
        return (self.low is None) != (self.high is None)

    @property
    def width(self) -> float:
        """How far the bounds lie apart; infinite where one is missing."""
        return float("inf") if self.low is None or self.high is None else self.high - self.low

    def share(self, value: float) -> float:
        """Map a score to 0 to 1.

        >>> Scale(low=-1, high=1).share(0.5)
        0.75
        """
        return (value - self._origin) / self.width

    def value(self, share: float) -> float:
        """Map 0 to 1 back to a score.

        >>> Scale(low=-1, high=1).value(0.75)
        0.5
        """
        return self._origin + share * self.width

    def difference(self) -> "Scale":
        """Return the scale of a difference between two scores.

        >>> Scale(low=0, high=100).difference()
        Scale(low=-100.0, high=100.0, binary=False)
        >>> Scale(low=0).difference()
        Scale(low=None, high=None, binary=False)
        """
        return Scale(-self.width, self.width) if self.is_bounded else Scale()

    def check(self, values: Floats) -> Floats:
        """Return the values put exactly on the bounds where rounding left them outside; refuse others outside."""
        if self.binary and not np.isin(values, (0.0, 1.0)).all():
            raise BadData(f"Answers on this scale are 0 or 1; got {values[~np.isin(values, (0.0, 1.0))][0]:g}.")
        low, high = self.low, self.high
        slack = SLACK * max(1.0, abs(low or 0.0), abs(high or 0.0))
        outside = np.zeros(len(values), dtype=bool)
        if low is not None:
            outside |= values < low - slack
        if high is not None:
            outside |= values > high + slack
        if outside.any():
            raise BadData(f"Scores lie {self}; got {values[outside][0]:g}.")
        return values if low is None and high is None else np.clip(values, low, high)

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "anywhere"
        if self.low is None:
            return f"at most at {self.high:g}"
        return f"at least at {self.low:g}" if self.high is None else f"between {self.low:g} and {self.high:g}"

    @property
    def _origin(self) -> float:
        if self.low is None or self.high is None:
            raise BadData(f"Only a scale with both bounds maps to 0 to 1; this one lies {self}.")
        return self.low
