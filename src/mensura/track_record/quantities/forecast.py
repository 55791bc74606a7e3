"""A forecast of a quantity: stated quantiles, or probabilities of bins, as one piecewise straight distribution."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.crps import crps_histogram, crps_quantiles
from mensura.scores.density import histogram_density, logarithmic_density_score
from mensura.scores.interval import interval_loss, quantile_loss
from mensura.scores.logarithmic import project

BAND = (0.01, 0.99)
"""The band that is read from probabilities of bins: the report's 1 % to 99 %."""
FLOOR = 0.01


@dataclass(frozen=True)
class QuantityForecast:
    """What somebody said of a quantity, and how it came out.

    >>> said = QuantityForecast("ada", "gdp", "quantiles", np.array([1.0, 2.0, 4.0]), np.array([0.1, 0.5, 0.9]), 3.0)
    >>> said.band(), said.transform()
    ((1.0, 4.0), 0.7)
    """

    forecaster: str
    question: str
    form: Literal["quantiles", "bins"]
    values: Floats
    """Quantiles, or edges of bins; increasing."""
    levels: Floats
    """Probability below each value; for bins it begins with 0 and ends with 1."""
    outcome: float
    scale: float = 1.0
    """What losses are divided by, fixed beforehand for each question."""

    @property
    def claimed(self) -> float:
        """Probability that the band claims to hold the truth."""
        low, high = (self.levels[0], self.levels[-1]) if self.form == "quantiles" else BAND
        return float(high - low)

    def band(self) -> tuple[float, float]:
        """Return the outermost quantiles, or the 1 % and 99 % points of the bins."""
        if self.form == "quantiles":
            return float(self.values[0]), float(self.values[-1])
        return self._quantile(BAND[0]), self._quantile(BAND[1])

    def transform(self) -> float:
        """Return the probability integral transform: where the truth fell in the stated distribution."""
        if self.outcome < self.values[0]:
            return float(self.levels[0]) / 2
        if self.outcome > self.values[-1]:
            return float(1 + self.levels[-1]) / 2
        return float(np.interp(self.outcome, self.values, self.levels))

    def losses(self) -> dict[str, float]:
        """Score it: losses in units of the scale, and for bins the scores of the density over their range."""
        y, values, levels = self.outcome, self.values, self.levels
        if self.form == "quantiles":
            low, high = self.band()
            scored = {
                "crps_loss": float(crps_quantiles(quantiles=values, levels=levels, outcome=y)) / self.scale,
                "quantile_loss": float(quantile_loss(forecast=values, level=levels, outcome=y).mean()) / self.scale,
            }
            if self.claimed > 0:
                winkler = interval_loss(low=low, high=high, coverage=self.claimed, outcome=y)
                scored["interval_loss"] = float(winkler) / self.scale
            return scored
        masses, width = np.diff(levels), float(values[-1] - values[0])
        held = project(masses, floor=FLOOR / len(masses))
        at, square = (float(part) for part in histogram_density(masses=masses, edges=values, outcome=y))
        at_held = float(histogram_density(masses=held, edges=values, outcome=y)[0])
        return {
            "crps_loss": float(crps_histogram(masses=masses, edges=values, outcome=y)) / self.scale,
            "logarithmic_score": float(logarithmic_density_score(at_outcome=at_held, scale=width)),
            "quadratic_score": width * (2 * at - square) - 1,
        }

    def _quantile(self, level: float) -> float:
        place = int(np.searchsorted(self.levels, level, side="left"))
        place = min(max(place, 1), len(self.levels) - 1)
        below, above = self.levels[place - 1], self.levels[place]
        share = (level - below) / (above - below) if above > below else 0.0
        return float(self.values[place - 1] + share * (self.values[place] - self.values[place - 1]))


def of_bins(
    edges: Sequence[float], masses: Sequence[float], *, outcome: float, forecaster: str = "", question: str = ""
) -> QuantityForecast:
    """Make a forecast of probabilities of bins, its losses in units of their range."""
    levels = np.concatenate([[0.0], np.cumsum(masses)])
    scale = float(edges[-1] - edges[0])
    values = np.asarray(edges, dtype=float)
    return QuantityForecast(forecaster, question, "bins", values, levels / levels[-1], outcome, scale)
