"""A forecast of a quantity: one distribution, told by the probability below each of some values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.scores.alternatives import Floats
from mensura.scores.crps import crps_histogram, crps_quantiles
from mensura.scores.density import histogram_density, logarithmic_density_score, quadratic_density_score
from mensura.scores.interval import quantile_loss
from mensura.scores.logarithmic import project
from mensura.track_record.over_time.standing import Forecasts

BAND = (0.01, 0.99)
"""The band that is read from a distribution without open ends: the report's 1 % to 99 %."""
FLOOR = 0.01
ROUNDING = 1e-9


@dataclass(frozen=True)
class Densities:
    """How the density of a forecast in bins is scored: by the report's formulas, or so that a flat one scores 0."""

    normalised: bool = True
    floor: float = FLOOR
    """Each of n bins has at least floor/n of the probability for the logarithm; 0 lets it be minus infinity."""

    @property
    def words(self) -> str:
        """Return the formulas, for readers of the scores."""
        words = "Density scores are log K p(t) and K (2 p(t) − ∫ p²)"
        words += " − 1" if self.normalised else " (R-1185, p. 11)"
        words += ", where p is the density per unit of the quantity and K is "
        words += "the range of the bins: a flat density scores 0." if self.normalised else "1, or the question's scale."
        return words + (
            f" For the logarithm each of n bins has at least {self.floor:g}/n of the probability." if self.floor else ""
        )


NORMALISED = Densities()


@dataclass(frozen=True)
class QuantityForecast:
    """A forecast of a quantity and its outcome; or many forecasts of one form, along a first axis.

    Levels that begin with 0 and end with 1 tell the whole distribution, straight between its values. Otherwise its
    ends are open, and it is drawn through what was said (`crps_quantiles`). Forecasts are told alike that have
    equally many values, open ends or none, and equally many levels at 0 and at 1.

    >>> said = QuantityForecast("ada", "gdp", "quantiles", np.array([1.0, 2.0, 4.0]), np.array([0.1, 0.5, 0.9]), 3.0)
    >>> [float(end) for end in said.band()], float(said.transform())
    ([1.0, 4.0], 0.7)
    """

    forecaster: str
    question: str | NDArray[np.int64]
    """Its name; of many, a number for the question of each."""
    form: Literal["quantiles", "bins"]
    values: Floats
    """Quantiles, or edges of bins; not decreasing."""
    levels: Floats
    """Probability below each value."""
    outcome: float | Floats
    scale: float | Floats = 1.0
    """The divisor of losses, fixed beforehand for each question."""
    share: float | Floats = 1.0
    """Share in the loss of its question, where a forecast was revised."""
    first: bool | NDArray[np.bool_] = True
    """Whether nothing was said before: of first forecasts alone it can be asked whether they hold what they claim."""

    @property
    def whole(self) -> bool:
        """Return whether neither end is open."""
        return bool(np.all((self.levels[..., 0] == 0) & (self.levels[..., -1] > 1 - ROUNDING)))

    @property
    def inner(self) -> NDArray[np.bool_]:
        """Which levels have something on either side."""
        levels = self.levels.reshape(-1, self.levels.shape[-1])[0]
        return np.asarray((levels > 0) & (levels < 1 - ROUNDING))

    @property
    def claimed(self) -> Floats:
        """Probability that the band claims to hold the truth."""
        low, high = BAND if self.whole else (self.levels[..., 0], self.levels[..., -1])
        return np.asarray(high - low)

    def opening(self) -> "QuantityForecast":
        """Return the forecasts before which nothing was said."""
        if np.all(self.first):
            return self
        names = ("question", "values", "levels", "outcome", "scale", "share", "first")
        parts: dict[str, Any] = {name: np.asarray(getattr(self, name))[self.first] for name in names}
        return replace(self, **parts)

    def band(self) -> tuple[Floats, Floats]:
        """Return the outermost quantiles, or the 1 % and 99 % points of a distribution without open ends."""
        if not self.whole:
            return self.values[..., 0], self.values[..., -1]
        return self._quantile(BAND[0]), self._quantile(BAND[1])

    def cells(self) -> tuple[Floats, Floats]:
        """Return values, and the levels that part what was said: how it lies between them nobody said.

        What puts nothing between two values, or nothing but one value, is one cell; the other has no width.
        """
        values, levels = self.values[..., self.inner], self.levels[..., self.inner]
        values = np.take_along_axis(values, _begins(levels), axis=-1)
        ends = values.shape[-1] - 1 - _begins(values[..., ::-1])[..., ::-1]
        levels = np.take_along_axis(levels, ends, axis=-1)
        edge = np.zeros_like(self.levels[..., :1])
        return values, np.concatenate([edge, levels, edge + 1], axis=-1)

    def transform(self) -> Floats:
        """Return the middle of the levels between which the truth fell (the probability integral transform)."""
        values, levels = self.cells()
        place = (values < np.asarray(self.outcome)[..., np.newaxis]).sum(axis=-1, keepdims=True)
        low, high = (np.take_along_axis(levels, place + side, axis=-1)[..., 0] for side in (0, 1))
        return np.asarray((low + high) / 2)

    def losses(self, *, densities: Densities = NORMALISED) -> dict[str, Floats]:
        """Score it: losses in units of the scale, and for whole bins the scores of their density."""
        y, values, levels = np.asarray(self.outcome, dtype=float), self.values, self.levels
        inside = values[..., self.inner], levels[..., self.inner]
        if self.whole:
            crps = crps_histogram(masses=np.diff(levels), edges=values, outcome=y) / self.scale
        else:
            crps = crps_quantiles(quantiles=inside[0], levels=inside[1], outcome=y) / self.scale
        if self.form == "quantiles":
            scale = np.asarray(self.scale)[..., np.newaxis]
            pinball = quantile_loss(forecast=inside[0], level=inside[1], outcome=y[..., np.newaxis]) / scale
            # Each end is fined by its own level: the fine for two equal tails would pay for moving a lopsided band.
            ends = pinball[..., 0] / inside[1][..., 0] + pinball[..., -1] / (1 - inside[1][..., -1])
            return {"crps_loss": crps, "quantile_loss": pinball.mean(axis=-1), "interval_loss": ends}
        if not self.whole:
            return {"crps_loss": crps}
        masses, unit = np.diff(levels), values[..., -1] - values[..., 0] if densities.normalised else self.scale
        at, square = histogram_density(masses=masses, edges=values, outcome=y)
        held = project(masses, floor=densities.floor / masses.shape[-1])
        at_held, _ = histogram_density(masses=held, edges=values, outcome=y)
        quadratic = unit * quadratic_density_score(at_outcome=at, square_integral=square)
        return {
            "crps_loss": crps,
            "logarithmic_score": logarithmic_density_score(at_outcome=at_held, scale=unit),
            "quadratic_score": quadratic - 1 if densities.normalised else quadratic,
        }

    def _quantile(self, level: float) -> Floats:
        place = np.clip((self.levels < level).sum(axis=-1, keepdims=True), 1, self.levels.shape[-1] - 1)
        (low, below), (high, above) = (
            [np.take_along_axis(part, place + side, axis=-1)[..., 0] for part in (self.values, self.levels)]
            for side in (-1, 0)
        )
        share = np.divide(level - below, above - below, out=np.zeros_like(below), where=above > below)
        return np.asarray(low + share * (high - low))


def _begins(sorted_: Floats) -> NDArray[np.int64]:
    """Return for each element the place of the first that equals it."""
    fresh = np.concatenate([np.ones_like(sorted_[..., :1], bool), sorted_[..., 1:] != sorted_[..., :-1]], axis=-1)
    return np.maximum.accumulate(np.where(fresh, np.arange(sorted_.shape[-1]), 0), axis=-1)


def shares_of_revisions(
    times: ArrayLike, *, resolved: ArrayLike, closes: ArrayLike, questions: ArrayLike = 0
) -> Floats:
    """Return each revision's share of the planned time from the first forecast on; without a plan the first has all.

    A loss has no ignorance to start from, so time before the first forecast does not count; after resolution 0 does.
    Later ones stand only while nothing has happened, and averaged up to then they would pay for saying otherwise.
    Revisions of several `questions` are sorted by these, then by time.

    >>> shares_of_revisions([0.0, 2.0], resolved=3.0, closes=4.0)
    array([0.5 , 0.25])
    """
    at, about, known, planned = np.broadcast_arrays(np.asarray(times, dtype=float), questions, resolved, closes)
    first = np.append(True, about[1:] != about[:-1])[: len(at)]
    begun = at[first][np.cumsum(first) - 1]
    shares = Forecasts(
        np.zeros((len(at), 0)), about, about, at, begun, known.astype(float), planned.astype(float)
    ).shares()
    return np.where(np.isnan(planned.astype(float)), first, shares)


def of_bins(
    edges: Sequence[float], masses: ArrayLike, *, outcome: float, forecaster: str = "", question: str = ""
) -> QuantityForecast:
    """Make a forecast of probabilities of bins, its losses in units of their range."""
    below = np.cumsum(masses, axis=-1)
    levels = np.concatenate([np.zeros_like(below[..., :1]), below], axis=-1) / below[..., -1:]
    scale = float(edges[-1] - edges[0])
    return QuantityForecast(forecaster, question, "bins", np.asarray(edges, dtype=float), levels, outcome, scale)
