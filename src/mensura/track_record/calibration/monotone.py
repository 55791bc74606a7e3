"""Monotone calibration: the isotonic (CORP) curve, its decomposition, and a form safe for logarithms."""

from dataclasses import dataclass

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.track_record.calibration.correction import FLOOR, Corrected, put_on
from mensura.track_record.calibration.sheet import Points, Sheet


@dataclass(frozen=True)
class Monotone:
    """The isotonic curve as steps: blocks of stated values that share one frequency."""

    lows: Floats
    highs: Floats
    frequencies: Floats
    counts: Floats
    means: Floats
    """Mean stated probability of each block."""

    def __call__(self, stated: Floats) -> Floats:
        """Return the frequency of each stated probability; between blocks it runs straight."""
        knots = np.stack([self.lows, self.highs], axis=1).ravel()
        heights = np.repeat(self.frequencies, 2)
        return np.interp(stated, knots, heights)

    def safe(self) -> "Monotone":
        """Mix into each block one answer at its own stated mean, so that nothing is certain and logarithms are finite.

        A block of two answers that both happened says 1; a third, unlike answer would then cost infinity.
        """
        from scipy.optimize import isotonic_regression

        mixed = (self.frequencies * self.counts + self.means) / (self.counts + 1)
        mixed = isotonic_regression(mixed, weights=self.counts + 1).x
        return Monotone(self.lows, self.highs, mixed, self.counts, self.means)


@dataclass(frozen=True)
class Decomposition:
    """Mean quadratic loss split into miscalibration − discrimination + uncertainty (CORP)."""

    loss: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def fit_monotone(points: Points) -> Monotone:
    """Fit the isotonic curve by pooling adjacent violators.

    References
    ----------
    .. [1] Dimitriadis, Gneiting and Jordan (2021), PNAS 118, e2016191118.

    Examples
    --------
    >>> curve = fit_monotone(Sheet.binary([0.1, 0.2, 0.8, 0.9], [0, 1, 0, 1]).points())
    >>> curve.frequencies
    array([0. , 0.5, 1. ])
    """
    from scipy.optimize import isotonic_regression

    points = points.in_order()
    # Equal statements must share a block, whatever order their outcomes stand in.
    starts = points.levels()
    counts = np.diff(np.append(starts, len(points.stated))).astype(float)
    sums = np.add.reduceat(points.happened, starts)
    fitted = isotonic_regression(sums / counts, weights=counts)
    first = fitted.blocks[:-1]
    last = fitted.blocks[1:] - 1
    levels = points.stated[starts]
    return Monotone(
        lows=levels[first],
        highs=levels[last],
        frequencies=fitted.x[first],
        counts=np.add.reduceat(counts, first),
        means=np.add.reduceat(levels * counts, first) / np.add.reduceat(counts, first),
    )


def decompose(points: Points, curve: Monotone | None = None) -> Decomposition:
    """Split the mean quadratic loss by the isotonic curve; no bins are chosen by anyone.

    >>> parts = decompose(Sheet.binary([0.1, 0.2, 0.8, 0.9], [0, 1, 0, 1]).points())
    >>> round(parts.miscalibration - parts.discrimination + parts.uncertainty - parts.loss, 12)
    0.0
    """
    curve = curve or fit_monotone(points)
    loss = float(np.mean((points.stated - points.happened) ** 2))
    calibrated = float(np.mean((curve(points.stated) - points.happened) ** 2))
    base = float(points.happened.mean())
    uncertainty = base * (1 - base)
    return Decomposition(loss, loss - calibrated, uncertainty - calibrated, uncertainty)


def correct_monotone(sheet: Sheet, curve: Monotone, *, floor: float = FLOOR) -> Corrected:
    """Correct a sheet by the log-safe form of the isotonic curve instead of the straight line."""
    return put_on(sheet, curve.safe(), floor=floor)
