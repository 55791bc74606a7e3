"""Precision against recall as hypotheses are taken in order of confidence, from one pairing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Floats
from mensura.scores.matching.likeness import ScoredPairs


@dataclass(frozen=True, slots=True)
class Curve:
    """One point per confidence, highest first, and the area; hypotheses of one confidence come in together."""

    confidence: Floats
    recall: Floats
    precision: Floats
    area: float

    def as_json(self) -> dict[str, Any]:
        """Return the points as lists."""
        return {
            "confidence": self.confidence.tolist(),
            "recall": self.recall.tolist(),
            "precision": self.precision.tolist(),
            "area": self.area,
        }


def precision_recall(
    pairs: ScoredPairs, *, confidence: Sequence[float | None], references: int, area: str = "step", count: bool = False
) -> Curve | None:
    r"""Trace precision and recall while ever less confident hypotheses are added.

    The pairing of all hypotheses is kept throughout. The area is :math:`\sum_k (R_k - R_{k-1}) P_k` (``step``, also
    called average precision) or joins points by straight lines, flat before the first (``trapezoid``). It lies in
    [0, 1]; neither recall nor precision need reach one.

    Where `count`, pairs count as one each (traditional), else by their recall and precision. None where there are no
    hypotheses, no references, or not every hypothesis has a confidence.
    """
    if not confidence or references == 0 or any(value is None for value in confidence):
        return None
    level = np.array(confidence, np.float64)
    ones = np.ones(len(pairs))
    gained_recall = np.bincount(pairs.hypothesis, ones if count else pairs.recall, minlength=len(level))
    gained_precision = np.bincount(pairs.hypothesis, ones if count else pairs.precision, minlength=len(level))
    order = np.argsort(-level, kind="stable")
    last_of_rank = np.flatnonzero(np.append(np.diff(level[order]) != 0, True))
    recall = np.cumsum(gained_recall[order])[last_of_rank] / references
    precision = np.cumsum(gained_precision[order])[last_of_rank] / (last_of_rank + 1)
    steps = np.diff(recall, prepend=0.0)
    height = precision if area == "step" else (precision + np.concatenate((precision[:1], precision[:-1]))) / 2
    return Curve(level[order][last_of_rank], recall, precision, float(np.sum(steps * height)))


def roc_area(curve: Curve) -> float:
    """Area of the ROC variant that takes 1 - precision as the rate of false positives.

    That rate need not grow along the curve, so recall at a rate is the best reached at that rate or a lower one, and
    stays so up to a rate of one.
    """
    rate = 1 - curve.precision
    order = np.lexsort((-curve.recall, rate))
    best = np.maximum.accumulate(curve.recall[order])
    widths = np.diff(np.append(rate[order], 1.0))
    return float(np.sum(widths * best))
