"""The external validity graph: how often came true what was given each probability."""

from dataclasses import dataclass

import numpy as np

from mensura.catalog.forecasting.calibration.sheet import Points
from mensura.scores.alternatives import Floats
from mensura.stats import proportion_estimate


@dataclass(frozen=True)
class Validity:
    """One entry per bin that was used: how often stated, how often true, and what chance allows a realist."""

    stated: Floats
    frequency: Floats
    count: Floats
    low: Floats
    """Interval of the true frequency (Wilson, 95 %)."""
    high: Floats
    band_low: Floats
    """Frequencies a perfectly realistic assessor would show in 95 % of such samples."""
    band_high: Floats


def validity(points: Points, *, bins: int = 10) -> Validity:
    """Tabulate relative frequency against stated probability, with counts, intervals and consistency bands.

    Up to `bins` different levels each get a bin of their own; more are gathered in equal bins of [0, 1]. Bands come
    from the binomial distribution at the mean stated probability, which is a little wide where a bin mixes levels.
    Both take the points as independent: alternatives of one question and revisions are not quite that.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 13-15.
    .. [2] Bröcker and Smith (2007), Weather and Forecasting 22, 651-661: consistency bands.

    Examples
    --------
    >>> from mensura.catalog.forecasting.calibration.sheet import Sheet
    >>> graph = validity(Sheet.binary([0.2] * 5 + [0.8] * 5, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]).points())
    >>> graph.frequency, graph.count
    (array([0.2, 1. ]), array([5., 5.]))
    """
    from scipy.stats import binom

    levels = np.unique(points.stated)
    if len(levels) <= bins + 1:
        index = np.searchsorted(levels, points.stated)
    else:
        index = np.minimum((points.stated * bins).astype(int), bins - 1)
    counts = np.bincount(index).astype(float)
    used = counts > 0
    count = counts[used]
    stated = np.bincount(index, weights=points.stated)[used] / count
    confirmed = np.bincount(index, weights=points.happened)[used]
    intervals = [proportion_estimate(int(u), n=int(n)) for u, n in zip(confirmed, count, strict=True)]
    chance = np.clip(stated, 0, 1)
    return Validity(
        stated,
        confirmed / count,
        count,
        np.array([interval.low for interval in intervals]),
        np.array([interval.high for interval in intervals]),
        binom.ppf(0.025, count, chance) / count,
        binom.ppf(0.975, count, chance) / count,
    )
