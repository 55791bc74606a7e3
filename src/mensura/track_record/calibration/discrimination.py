"""Discrimination: whether what happened was given more than what did not."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.stats import Estimate
from mensura.track_record.calibration.sheet import Indices, Points, number


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
    happened = points.happened == 1
    yes, no = points.stated[happened], points.stated[~happened]
    edges = np.linspace(0, 1, bins + 1)
    shares = [np.histogram(side, edges)[0] / max(1, len(side)) for side in (yes, no)]
    separation = float(yes.mean() - no.mean()) if len(yes) and len(no) else float("nan")
    clusters = number(points.questions)
    area = _area(yes, no, clusters.index[happened], clusters.index[~happened], clusters.count)
    return Discrimination(separation, area, edges, *shares)


def _area(yes: Floats, no: Floats, yes_questions: Indices, no_questions: Indices, n: int) -> Estimate:
    method = "DeLong, clustered by question"
    if not len(yes) or not len(no):
        return Estimate(*(float("nan"),) * 3, n, "none: all events came out alike", "questions")
    placements = _placement(yes, no), 1 - _placement(no, yes)
    area = float(placements[0].mean())
    if min(len(yes), len(no)) < 2 or area in (0.0, 1.0) or n < 2:
        return Estimate(area, float("nan"), float("nan"), n, "none: no overlap, or one event only", "questions")
    parts = np.zeros(n)
    for placement, questions in zip(placements, (yes_questions, no_questions), strict=True):
        parts += np.bincount(questions, weights=placement - area, minlength=n) / len(placement)
    error = np.sqrt(n / (n - 1) * (parts @ parts))
    logit, half = np.log(area / (1 - area)), 1.959964 * error / (area * (1 - area))
    low, high = 1 / (1 + np.exp(-(logit - half))), 1 / (1 + np.exp(-(logit + half)))
    return Estimate(area, float(low), float(high), n, method, "questions")


def _placement(values: Floats, among: Floats) -> Floats:
    """Return the share of the others that each value exceeds, ties counting half."""
    # Sought in order: among millions, jumping about costs ten times as much.
    ordered, order = np.sort(among), np.argsort(values)
    sides: tuple[Literal["left", "right"], ...] = ("left", "right")
    found = sum(np.searchsorted(ordered, values[order], side) for side in sides)
    placement = np.empty(len(values))
    placement[order] = found / (2 * len(ordered))
    return placement
