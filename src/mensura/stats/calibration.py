"""Calibration: whether things said to happen with probability p happen a share p of the time."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.mean import skewed_mean_estimate
from mensura.stats.intervals.proportion import proportion_estimate
from mensura.stats.intervals.sample import Floats, check_level, numbers
from mensura.stats.wording import frequency, several, spoken

LARGEST_EXACT = 1000


@dataclass(frozen=True, slots=True)
class Bin(Finding):
    """Forecasts between two probabilities and what became of them.

    `observed` is the share that happened; `band` is where that share lies in 95 % of records if every forecast is
    right, given these very forecasts.
    """

    edges: tuple[float, float]
    count: int
    forecast: float
    observed: Estimate
    band: tuple[float, float]

    @property
    def consistent(self) -> bool:
        """Whether the observed share lies in the band."""
        return self.band[0] <= self.observed.value <= self.band[1]

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        verdict = "as it should be" if self.consistent else "which chance alone hardly explains"
        return (
            f"Of {several(self.count, 'forecast')} of {self.forecast:.3g} on average, a share of "
            f"{spoken(self.observed)} came true, {verdict}."
        )


@dataclass(frozen=True, slots=True)
class Calibration(Finding):
    """A reliability curve: its bins, the mean excess of what happened over what was said, and a test of the whole.

    `p` says how often right forecasts would be shifted or tilted as much: a score test with two degrees of freedom.
    """

    bins: tuple[Bin, ...]
    excess: Estimate
    p: float
    n: int
    unknown: int
    level: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        off = [part for part in self.bins if not part.consistent]
        out = (
            f"{len(off)} of {several(len(self.bins), 'bin')} lie outside their bands"
            if off
            else "every bin lies in its band"
        )
        left_out = f", {self.unknown} without outcome left out" if self.unknown else ""
        over = f"({several(self.n, 'forecast')}{left_out})"
        if self.excess.excludes(0):
            side = "low" if self.excess.value > 0 else "high"
            tilt = f"The forecasts are too {side} by {abs(self.excess.value):.3g} on the whole"
        else:
            tilt = "The forecasts are neither too high nor too low on the whole"
        chance = f"right forecasts would be off as much in {frequency(self.p)} such records"
        return f"{tilt} {over}: things happen more often than said by {spoken(self.excess)}; {out}, and {chance}."


def calibration_curve(
    *, forecast: ArrayLike, outcome: ArrayLike, bins: int | Sequence[float] = 10, level: float = 0.95
) -> Calibration:
    """Sort probabilities into bins and compare each with the share that came true.

    The shares have Wilson intervals; beside them stand consistency bands [1]_, from the exact distribution of the
    number of events that such forecasts imply if they are right (normal for bins of more than 1000).

    Parameters
    ----------
    forecast : array_like
        Probabilities.
    outcome : array_like
        What happened, 0 or 1; NaN where not known, and left out.
    bins : int or sequence of float
        How many bins of equal width, or their edges from 0 to 1; empty ones are left out.
    level : float
        Confidence level.

    Returns
    -------
    Calibration
        With a sentence.

    References
    ----------
    .. [1] Bröcker and Smith (2007), Weather and Forecasting 22, 651-661. A test of shift and tilt: Cox (1958),
       Biometrika 45, 562-565, here on the scale of probabilities, so that forecasts of 0 and 1 may take part.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> said = rng.random(500)
    >>> found = calibration_curve(forecast=said, outcome=rng.random(500) < said, bins=5)
    >>> [(part.count, part.consistent) for part in found.bins]
    [(101, True), (110, True), (94, True), (97, True), (98, True)]
    """
    check_level(level)
    said, happened, unknown = _pairs(forecast, outcome)
    edges = _edges(bins)
    # The last bin holds probability one as well.
    place = np.clip(np.searchsorted(edges, said, side="right") - 1, 0, len(edges) - 2)
    parts = tuple(
        _bin(said[place == i], happened[place == i], (float(edges[i]), float(edges[i + 1])), level=level)
        for i in range(len(edges) - 1)
        if (place == i).any()
    )
    excess = skewed_mean_estimate(happened - said, level=level)
    return Calibration(parts, excess, _p_of_shift_and_tilt(said, happened), len(said), unknown, level)


def consistency_band(forecast: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Return the range in which the share that comes true lies if all these forecasts are right.

    >>> consistency_band([0.5] * 100)
    (0.4, 0.6)
    """
    said = numbers(forecast, name="forecasts")
    tail = (1 - level) / 2
    if len(said) > LARGEST_EXACT:
        from scipy.special import ndtri

        half = float(ndtri(1 - tail)) * sqrt(float((said * (1 - said)).sum())) + 0.5
        low, high = np.clip([said.sum() - half, said.sum() + half], 0, len(said)) / len(said)
        return float(low), float(high)
    chances = np.array([1.0])
    for probability in said:
        chances = np.convolve(chances, [1 - probability, probability])
    total = np.cumsum(chances)
    low, high = np.searchsorted(total, [tail + 1e-12, 1 - tail - 1e-12]) / len(said)
    return float(low), float(min(high, 1.0))


def _pairs(forecast: ArrayLike, outcome: ArrayLike) -> tuple[Floats, Floats, int]:
    said, happened = numbers(forecast, name="forecasts"), numbers(outcome, name="outcomes")
    if len(said) != len(happened):
        raise BadData(f"There must be one outcome for each forecast; got {len(happened)} and {len(said)}.")
    known = ~(np.isnan(said) | np.isnan(happened))
    said, happened, unknown = said[known], happened[known], int((~known).sum())
    if len(said) == 0:
        raise BadData("No forecast has a known outcome yet.")
    if ((said < 0) | (said > 1)).any():
        raise BadData(f"A probability lies between 0 and 1; got {said[(said < 0) | (said > 1)][0]:g}.")
    if not np.isin(happened, (0, 1)).all():
        raise BadData("An outcome is 0 or 1, or NaN where not known.")
    return said, happened, unknown


def _edges(bins: int | Sequence[float]) -> Floats:
    edges = np.linspace(0, 1, bins + 1) if isinstance(bins, int) and bins > 0 else np.asarray(bins, dtype=float)
    if edges.ndim != 1 or len(edges) < 2 or edges[0] != 0 or edges[-1] != 1 or (np.diff(edges) <= 0).any():
        raise BadData(f"Give a number of bins, or edges rising from 0 to 1; got {bins}.")
    return edges


def _bin(said: Floats, happened: Floats, edges: tuple[float, float], *, level: float) -> Bin:
    observed = proportion_estimate(int(happened.sum()), n=len(happened), level=level)
    return Bin(edges, len(said), float(said.mean()), observed, consistency_band(said, level=level))


def _p_of_shift_and_tilt(said: Floats, happened: Floats) -> float:
    variance = said * (1 - said)
    if variance.sum() == 0:
        return float("nan")
    from scipy.special import chdtrc

    # A shift moves all forecasts alike, a tilt the high ones against the low ones.
    ways = np.vstack([np.ones(len(said)), said - (variance * said).sum() / variance.sum()])
    scores, spreads = ways @ (happened - said), (ways**2 * variance).sum(axis=1)
    varying = spreads > 1e-9 * len(said)
    statistic = float((scores[varying] ** 2 / spreads[varying]).sum())
    return float(chdtrc(int(varying.sum()), statistic))
