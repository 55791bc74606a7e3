"""Bands: how often quantities came out beyond the outermost values that a person gave."""

from collections.abc import Sequence

from mensura.dialogue import Density
from mensura.track_record.quantities.coverage import band_coverage
from mensura.track_record.quantities.forecast import of_bins


def outermost(space: Density, answer: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the band of an answer: outermost quantiles, or the 1 % and 99 % points of bins.

    >>> outermost(Density(0, 10, bins=2), [0.5, 0.5])
    (0.1, 9.9)
    """
    if not space.bins:
        return float(answer[0]), float(answer[-1])
    low, high = of_bins(space.edges(), answer, outcome=float("nan")).band()
    return round(float(low), 9), round(float(high), 9)


class Bands:
    """Keeps the outermost quantiles of a session beside the truths, and says whether they hold.

    >>> bands = Bands(0.98)
    >>> bands.learn([1, 2, 3], 5.0)
    'It lies outside your outermost values; so far 1 of 1 lay outside.'
    """

    def __init__(self, claimed: float) -> None:
        self.claimed = claimed
        self.lows: list[float] = []
        self.highs: list[float] = []
        self.truths: list[float] = []

    @property
    def answers(self) -> int:
        """How many were answered."""
        return len(self.truths)

    def learn(self, quantiles: Sequence[float], truth: float) -> str:
        """Take one answer into the record and say how often truths lay outside."""
        self.lows.append(float(quantiles[0]))
        self.highs.append(float(quantiles[-1]))
        self.truths.append(float(truth))
        missed = [not low <= y <= high for low, high, y in zip(self.lows, self.highs, self.truths, strict=True)]
        where = "outside" if missed[-1] else "within"
        return f"It lies {where} your outermost values; so far {sum(missed)} of {self.answers} lay outside."

    def sum_up(self) -> str:
        """Return whether the bands hold what they claim."""
        found = band_coverage(low=self.lows, high=self.highs, claimed=self.claimed, outcome=self.truths)
        return f"Your outermost values: {found.words}"
