"""Murphy's decomposition of the quadratic loss over the levels that were stated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.track_record.calibration.sheet import Points


@dataclass(frozen=True)
class Murphy:
    """Mean quadratic loss = reliability − resolution + uncertainty (+ what bins hide)."""

    loss: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    """Loss that the bins hide: zero when every level is its own bin."""


def murphy(points: Points, *, edges: ArrayLike | None = None) -> Murphy:
    """Split the mean quadratic loss into reliability, resolution and uncertainty.

    Without `edges` of bins every stated level is a separate bin.

    References
    ----------
    .. [1] Murphy (1973), Journal of Applied Meteorology 12, 595-600.
    .. [2] Stephenson, Coelho and Jolliffe (2008), Weather and Forecasting 23, 752-757: the terms within bins.

    Examples
    --------
    >>> from mensura.track_record.calibration.sheet import Sheet
    >>> parts = murphy(Sheet.binary([0.2, 0.2, 0.8, 0.8], [0, 0, 1, 0]).points())
    >>> round(parts.reliability, 4), round(parts.resolution, 4), round(parts.uncertainty, 4)
    (0.065, 0.0625, 0.1875)
    """
    stated, happened = points.stated, points.happened
    if edges is None:
        _, index = np.unique(stated, return_inverse=True)
    else:
        index = np.digitize(stated, np.asarray(edges, dtype=float)[1:-1])
    counts = np.bincount(index).astype(float)
    used = counts > 0
    counts = counts[used]
    means = np.bincount(index, weights=stated)[used] / counts
    rates = np.bincount(index, weights=happened)[used] / counts
    base, n = float(happened.mean()), len(stated)
    loss = float(np.mean((stated - happened) ** 2))
    reliability = float(counts @ (means - rates) ** 2) / n
    resolution = float(counts @ (rates - base) ** 2) / n
    uncertainty = base * (1 - base)
    return Murphy(loss, reliability, resolution, uncertainty, loss - (reliability - resolution + uncertainty))
