"""A forecast of a quantity: one distribution, told by the probability below each of some values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.scores.alternatives import Floats
from mensura.scores.crps import crps_histogram, crps_quantiles
from mensura.scores.density import histogram_density, logarithmic_density_score
from mensura.scores.interval import quantile_loss
from mensura.scores.logarithmic import project
from mensura.track_record.over_time.standing import Forecasts

BAND = (0.01, 0.99)
"""The band that is read from a distribution without open ends: the report's 1 % to 99 %."""
FLOOR = 0.01
ROUNDING = 1e-9


@dataclass(frozen=True)
class QuantityForecast:
    """What somebody said of a quantity, and how it came out.

    Levels that begin with 0 and end with 1 tell the whole distribution, straight between its values. Otherwise its
    ends are open, and it is drawn through what was said (`crps_quantiles`).

    >>> said = QuantityForecast("ada", "gdp", "quantiles", np.array([1.0, 2.0, 4.0]), np.array([0.1, 0.5, 0.9]), 3.0)
    >>> said.band(), said.transform()
    ((1.0, 4.0), 0.7)
    """

    forecaster: str
    question: str
    form: Literal["quantiles", "bins"]
    values: Floats
    """Quantiles, or edges of bins; not decreasing."""
    levels: Floats
    """Probability below each value."""
    outcome: float
    scale: float = 1.0
    """What losses are divided by, fixed beforehand for each question."""
    share: float = 1.0
    """Share in the loss of its question, where a forecast was revised."""
    first: bool = True
    """Whether nothing was said before: of first forecasts alone it can be asked whether they hold what they claim."""

    @property
    def whole(self) -> bool:
        """Whether neither end is open."""
        return bool(self.levels[0] == 0 and self.levels[-1] > 1 - ROUNDING)

    @property
    def inner(self) -> NDArray[np.bool_]:
        """Which levels have something on either side."""
        return (self.levels > 0) & (self.levels < 1 - ROUNDING)

    @property
    def claimed(self) -> float:
        """Probability that the band claims to hold the truth."""
        low, high = BAND if self.whole else (self.levels[0], self.levels[-1])
        return float(high - low)

    def band(self) -> tuple[float, float]:
        """Return the outermost quantiles, or the 1 % and 99 % points of a distribution without open ends."""
        if not self.whole:
            return float(self.values[0]), float(self.values[-1])
        return self._quantile(BAND[0]), self._quantile(BAND[1])

    def cells(self) -> tuple[Floats, Floats]:
        """Return different values, and the levels that part what was said: how it lies between them nobody said."""
        values, levels = self.values[self.inner], self.levels[self.inner]
        # What puts nothing between two values, or nothing but one value, is one cell.
        _, last = np.unique(levels, return_index=True)
        values, levels = values[last], levels[last]
        last = np.flatnonzero(np.append(values[1:] != values[:-1], True)[: len(values)])
        return values[last], np.concatenate([[0.0], levels[last], [1.0]])

    def transform(self) -> float:
        """Return the middle of the levels between which the truth fell (the probability integral transform)."""
        values, levels = self.cells()
        place = int(np.searchsorted(values, self.outcome))
        return float(levels[place] + levels[place + 1]) / 2

    def losses(self, *, floor: float = FLOOR) -> dict[str, float]:
        """Score it: losses in units of the scale, and for whole bins the scores of the density over their range."""
        y, values, levels = self.outcome, self.values, self.levels
        inner = self.inner
        if self.whole:
            crps = float(crps_histogram(masses=np.diff(levels), edges=values, outcome=y)) / self.scale
        else:
            crps = float(crps_quantiles(quantiles=values[inner], levels=levels[inner], outcome=y)) / self.scale
        if self.form == "quantiles":
            pinball = quantile_loss(forecast=values[inner], level=levels[inner], outcome=y) / self.scale
            # Each end is fined by its own level: the fine for two equal tails would pay for moving a lopsided band.
            ends = pinball[0] / levels[inner][0] + pinball[-1] / (1 - levels[inner][-1])
            return {"crps_loss": crps, "quantile_loss": float(pinball.mean()), "interval_loss": float(ends)}
        if not self.whole:
            return {"crps_loss": crps}
        masses, width = np.diff(levels), float(values[-1] - values[0])
        held = project(masses, floor=floor / len(masses))
        at, square = (float(part) for part in histogram_density(masses=masses, edges=values, outcome=y))
        at_held = float(histogram_density(masses=held, edges=values, outcome=y)[0])
        return {
            "crps_loss": crps,
            "logarithmic_score": float(logarithmic_density_score(at_outcome=at_held, scale=width)),
            "quadratic_score": width * (2 * at - square) - 1,
        }

    def _quantile(self, level: float) -> float:
        place = int(np.searchsorted(self.levels, level, side="left"))
        place = min(max(place, 1), len(self.levels) - 1)
        below, above = self.levels[place - 1], self.levels[place]
        share = (level - below) / (above - below) if above > below else 0.0
        return float(self.values[place - 1] + share * (self.values[place] - self.values[place - 1]))


def shares_of_revisions(times: ArrayLike, *, resolved: float, closes: float) -> Floats:
    """Return each revision's share of the planned time from the first forecast on; without a plan the first has all.

    A loss has no ignorance to start from, so time before the first forecast does not count; after resolution 0 does.
    Later ones stand only while nothing has happened, and averaged up to then they would pay for saying otherwise.

    >>> shares_of_revisions([0.0, 2.0], resolved=3.0, closes=4.0)
    array([0.5 , 0.25])
    """
    at = np.asarray(times, dtype=float)
    if np.isnan(closes):
        return np.asarray(np.eye(1, len(at))[0])
    none, same = np.zeros((len(at), 0)), np.zeros(len(at), dtype=np.int64)
    ends = (np.full(len(at), each) for each in (at[0], resolved, closes))
    return Forecasts(none, same, same, at, *ends).shares()


def of_bins(
    edges: Sequence[float], masses: Sequence[float], *, outcome: float, forecaster: str = "", question: str = ""
) -> QuantityForecast:
    """Make a forecast of probabilities of bins, its losses in units of their range."""
    levels = np.concatenate([[0.0], np.cumsum(masses)])
    scale = float(edges[-1] - edges[0])
    values = np.asarray(edges, dtype=float)
    return QuantityForecast(forecaster, question, "bins", values, levels / levels[-1], outcome, scale)
