"""Discrimination: whether what happened was given more than what did not."""

from dataclasses import dataclass

import numpy as np

from mensura.catalog.forecasting.calibration.sheet import Points
from mensura.scores.alternatives import Floats
from mensura.stats import Estimate


@dataclass(frozen=True)
class Discrimination:
    """Stated probabilities of events that happened against those that did not."""

    separation: float
    """Mean stated probability of what happened less that of what did not."""
    area: Estimate
    """Chance that something that happened was given more than something that did not (ROC area)."""
    edges: Floats
    happened: Floats
    """Share of the events that happened in each bin of stated probability."""
    other: Floats


def discriminate(points: Points, *, bins: int = 10) -> Discrimination:
    """Compare the two distributions of stated probabilities; the area's interval is DeLong's on the logit scale.

    References
    ----------
    .. [1] DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Examples
    --------
    >>> from mensura.catalog.forecasting.calibration.sheet import Sheet
    >>> discriminate(Sheet.binary([0.9, 0.6, 0.4, 0.1], [1, 1, 0, 0]).points()).area.value
    1.0
    """
    yes, no = points.stated[points.happened == 1], points.stated[points.happened == 0]
    edges = np.linspace(0, 1, bins + 1)
    shares = [np.histogram(side, edges)[0] / max(1, len(side)) for side in (yes, no)]
    separation = float(yes.mean() - no.mean()) if len(yes) and len(no) else float("nan")
    return Discrimination(separation, _area(yes, no), edges, *shares)


def _area(yes: Floats, no: Floats) -> Estimate:
    n, method = len(yes) + len(no), "DeLong"
    if not len(yes) or not len(no):
        return Estimate(*(float("nan"),) * 3, n, "none: all events came out alike")
    placements = _placement(yes, no), 1 - _placement(no, yes)
    area = float(placements[0].mean())
    if min(len(yes), len(no)) < 2 or area in (0.0, 1.0):
        return Estimate(area, float("nan"), float("nan"), n, "none: no overlap, or one event only")
    error = np.sqrt(sum(part.var(ddof=1) / len(part) for part in placements))
    logit, half = np.log(area / (1 - area)), 1.959964 * error / (area * (1 - area))
    low, high = 1 / (1 + np.exp(-(logit - half))), 1 / (1 + np.exp(-(logit + half)))
    return Estimate(area, float(low), float(high), n, method)


def _placement(values: Floats, among: Floats) -> Floats:
    """Give the share of the others that each value exceeds, ties counting half."""
    ordered = np.sort(among)
    below, upto = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    placement: Floats = (below + upto) / (2 * len(ordered))
    return placement
