"""Summaries of the whole matrix of pairs, after those of target tracking (Tadda et al. 2006)."""

from dataclasses import dataclass
from math import nan

import numpy as np

from mensura.scores.matching import Pairing


@dataclass(frozen=True, slots=True)
class Tracking:
    """What the matrix says beyond its best pairing.

    purity
        Mean over hypotheses of the best precision against any reference: how much of a track is about one thing.
    completeness
        Mean over references of the best recall by any hypothesis.
    detected, spurious
        Share of references with, and of hypotheses without, any candidate.
    fragmentation, merging
        Mean number of candidate hypotheses per detected reference, and of candidate references per hypothesis that
        has one; 1 is neither torn nor merged.
    """

    purity: float
    completeness: float
    detected: float
    spurious: float
    fragmentation: float
    merging: float


def track(pairing: Pairing) -> Tracking:
    """Summarise the matrix of a pairing; cases paired by force count with their partner alone.

    Unknown where pairs that share only very common values are too many even to be counted.
    """
    survey, pairs = pairing.shortlist.survey, pairing.pairs
    if survey is None:
        return Tracking(nan, nan, nan, nan, nan, nan)
    recall, precision = survey.best_recall.copy(), survey.best_precision.copy()
    per_reference, per_hypothesis = survey.per_reference.copy(), survey.per_hypothesis.copy()
    forced = slice(0, pairing.forced)
    recall[pairs.reference[forced]] = pairs.recall[forced]
    precision[pairs.hypothesis[forced]] = pairs.precision[forced]
    per_reference[pairs.reference[forced]] = 1
    per_hypothesis[pairs.hypothesis[forced]] = 1
    seen, used = per_reference > 0, per_hypothesis > 0
    return Tracking(
        purity=float(precision.mean()) if len(precision) else nan,
        completeness=float(recall.mean()) if len(recall) else nan,
        detected=float(seen.mean()) if len(seen) else nan,
        spurious=float(1 - used.mean()) if len(used) else nan,
        fragmentation=float(np.mean(per_reference[seen])) if seen.any() else nan,
        merging=float(np.mean(per_hypothesis[used])) if used.any() else nan,
    )
