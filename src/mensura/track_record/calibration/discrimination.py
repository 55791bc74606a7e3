"""Discrimination: whether what happened was given more than what did not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.scores.alternatives import Floats
from mensura.stats import Estimate
from mensura.track_record.calibration.sheet import Points


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
    """Compare the two distributions of stated probabilities.

    The area's interval is DeLong's on the logit scale, with the alternatives of a question and the revisions of a
    forecast taken together as Obuchowski does: its n counts questions.

    References
    ----------
    .. [1] DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.
    .. [2] Obuchowski (1997), Biometrics 53, 567-578: clustered data.

    Examples
    --------
    >>> from mensura.track_record.calibration.sheet import Sheet
    >>> discriminate(Sheet.binary([0.9, 0.6, 0.4, 0.1], [1, 1, 0, 0]).points()).area.value
    1.0
    """
    points = points.in_order()
    happened, edges = points.happened == 1, np.linspace(0, 1, bins + 1)
    yes, no = points.stated[happened], points.stated[~happened]
    shares = [np.diff(np.searchsorted(side, edges[:-1]), append=len(side)) / max(1, len(side)) for side in (yes, no)]
    separation = float(yes.mean() - no.mean()) if len(yes) and len(no) else float("nan")
    return Discrimination(separation, _area(points, happened), edges, *shares)


def _area(points: Points, happened: NDArray[np.bool_]) -> Estimate:
    n, yes, no = points.clusters.count, int(happened.sum()), int((~happened).sum())
    if not yes or not no:
        return Estimate(*(float("nan"),) * 3, n, "none: all events came out alike", "questions")
    starts = points.levels()
    sizes = np.diff(starts, append=len(happened))
    # Of each level: the share of the others that it exceeds, for what happened and for what did not; ties count half.
    came = np.add.reduceat(points.happened, starts)
    above, below = ((np.cumsum(count) - count / 2) / count.sum() for count in (sizes - came, came))
    area = float(came @ above) / yes
    if min(yes, no) < 2 or area in (0.0, 1.0) or n < 2:
        return Estimate(area, float("nan"), float("nan"), n, "none: no overlap, or one event only", "questions")
    each = np.where(happened, np.repeat((above - area) / yes, sizes), np.repeat((1 - below - area) / no, sizes))
    parts = np.bincount(points.clusters.index, weights=each, minlength=n)
    error = np.sqrt(n / (n - 1) * (parts @ parts))
    logit, half = np.log(area / (1 - area)), 1.959964 * error / (area * (1 - area))
    low, high = 1 / (1 + np.exp(-(logit - half))), 1 / (1 + np.exp(-(logit + half)))
    return Estimate(area, float(low), float(high), n, "DeLong, clustered by question", "questions")
