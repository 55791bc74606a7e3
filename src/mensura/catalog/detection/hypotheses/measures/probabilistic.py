"""Hypotheses that give alternatives with probabilities, scored by proper rules."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.lineup import Lineup
from mensura.scores.matching import Pairing
from mensura.scores.matching.arrays import Floats, f_values


@dataclass(frozen=True, slots=True)
class Probabilistic:
    """Losses of the disjunctions, one per hypothesis that is not definite.

    The outcome of a disjunction is its alternative that fits the paired reference best, or "none of these" where it
    has no partner or none fits (F at the threshold or above); equally good ones share the outcome. The rest of the
    probability is that of "none of these". Brier is :math:`\\sum_k (p_k - y_k)^2`, between 0 and 2; the logarithmic
    loss is :math:`-\\ln p` of the outcome. Both are least in expectation for honest probabilities.
    """

    brier: Floats
    logarithmic: Floats

    def as_json(self) -> dict[str, Any]:
        """Return mean losses and their number; unknown ones are null."""
        n = len(self.brier)
        finite = n > 0 and bool(np.isfinite(self.logarithmic).all())
        return {
            "n": n,
            "brier": float(self.brier.mean()) if n else None,
            "logarithmic": float(self.logarithmic.mean()) if finite else None,
            "certain_and_wrong": int(np.isinf(self.logarithmic).sum()),
        }


def score_alternatives(lineup: Lineup, pairing: Pairing, *, threshold: float) -> Probabilistic:
    """Score every hypothesis that is not definite."""
    likeness = pairing.likeness
    partner = dict(zip(pairing.pairs.hypothesis.tolist(), pairing.pairs.reference.tolist(), strict=True))
    brier, logarithmic = [], []
    for place, thing in enumerate(lineup.hypotheses):
        if thing.definite:
            continue
        chances = np.array([chance for chance, _ in thing.alternatives])
        chances = np.append(chances, max(0.0, 1.0 - chances.sum()))
        outcome = np.zeros(len(chances))
        outcome[-1] = 1.0
        if place in partner:
            rows = np.arange(likeness.cases.first_row[place], likeness.cases.first_row[place + 1])
            f = f_values(*likeness.row_scores(np.full(len(rows), partner[place]), rows))
            if f.max() > 0 and f.max() >= threshold - 1e-12:
                best = f >= f.max() - 1e-12
                outcome = np.append(best / best.sum(), 0.0)
        brier.append(float(np.sum((chances - outcome) ** 2)))
        with np.errstate(divide="ignore"):
            logs = np.log(chances)
        logarithmic.append(-float(np.sum(outcome[outcome > 0] * logs[outcome > 0])))
    return Probabilistic(np.array(brier), np.array(logarithmic))
