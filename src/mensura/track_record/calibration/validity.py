"""The external validity graph: how often came true what was given each probability."""

from dataclasses import dataclass

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.stats import proportion_estimate
from mensura.track_record.calibration.sheet import Points


@dataclass(frozen=True)
class Validity:
    """One entry per bin that was used: how often stated, how often true, and what chance allows a realist."""

    stated: Floats
    frequency: Floats
    count: Floats
    """How many probabilities."""
    questions: Floats
    """How many different questions they are about; revisions of one forecast stand and fall together."""
    low: Floats
    """Interval of the true frequency (Wilson, 95 %)."""
    high: Floats
    band_low: Floats
    """Frequencies a perfectly realistic assessor would show in 95 % of such samples."""
    band_high: Floats


def validity(points: Points, *, bins: int = 10) -> Validity:
    """Tabulate relative frequency against stated probability, with counts, intervals and consistency bands.

    Up to `bins` different levels each get a separate bin; more are gathered in equal bins of [0, 1]. Bands come
    from the binomial distribution at the mean stated probability, which is a little wide where a bin mixes levels.
    Both count different questions, not revisions.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 13-15.
    .. [2] Bröcker and Smith (2007), Weather and Forecasting 22, 651-661: consistency bands.

    Examples
    --------
    >>> from mensura.track_record.calibration.sheet import Sheet
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
    questions = _questions(index, points)[used]
    share = confirmed / count
    intervals = [proportion_estimate(round(p * n), n=int(n)) for p, n in zip(share, questions, strict=True)]
    # Rounded to whole questions the interval may miss the dot; it must not.
    low = np.minimum([interval.low for interval in intervals], share)
    high = np.maximum([interval.high for interval in intervals], share)
    chance = np.clip(stated, 0, 1)
    band_low, band_high = (binom.ppf(level, questions, chance) / questions for level in (0.025, 0.975))
    return Validity(stated, share, count, questions, low, high, band_low, band_high)


def _questions(index: np.ndarray, points: Points) -> Floats:
    """Count the different questions in each bin."""
    own = points.clusters
    pairs = np.unique(index.astype(np.int64) * own.count + own.index)
    return np.bincount(pairs // own.count, minlength=int(index.max()) + 1).astype(float)
