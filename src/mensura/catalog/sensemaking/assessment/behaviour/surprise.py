"""Surprise: does a model foresee what surprises people?"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.average import Average
from mensura.catalog.sensemaking.assessment.skill import truth_index
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.people.respondents import Respondents
from mensura.catalog.sensemaking.solving.distribution import floor
from mensura.stats.estimate import Estimate

LEAST = 4


@dataclass(frozen=True)
class SurprisePrediction:
    """Correlation over trials between a model's surprise and people's mean reports."""

    correlation: Estimate
    rank_correlation: float
    source: str

    def as_json(self) -> dict[str, Any]:
        """Return the prediction as JSON."""
        return asdict(self.correlation) | {"rank_correlation": self.rank_correlation, "source": self.source}


def predict_surprise(
    exam: Exam, people: Respondents, model: Respondents, mean: Average, *, rng: np.random.Generator
) -> list[SurprisePrediction]:
    """Correlate a model's surprise with people's: as reported, where it reports any, and derived from its beliefs.

    Derived surprise is :math:`-\\log_2` of the probability the model gave, at its last stage, to what came true.
    """
    theirs, reported, derived = [], [], []
    for number in range(1, 7):
        if number not in people.tasks:
            continue
        truth = truth_index(exam, number)
        theirs.append(_mean(people.tasks[number].surprise))
        reported.append(_mean(model.tasks[number].surprise))
        last = floor(mean.stages[number][:, -1])
        chance = np.where(truth >= 0, last[np.arange(len(truth)), np.maximum(truth, 0)], np.nan)
        derived.append(-np.log2(chance))
    if not theirs:
        return []
    people_mean = np.concatenate(theirs)
    found = []
    for source, values in (("reported", np.concatenate(reported)), ("derived", np.concatenate(derived))):
        known = np.isfinite(values) & np.isfinite(people_mean)
        if known.sum() >= LEAST:
            found.append(_correlate(people_mean[known], values[known], source, rng))
    return found


def _correlate(
    people: NDArray[np.float64], model: NDArray[np.float64], source: str, rng: np.random.Generator
) -> SurprisePrediction:
    count = len(people)
    value = _pearson(people, model)
    draws = rng.integers(count, size=(2000, count))
    one, other = people[draws], model[draws]
    one, other = one - one.mean(axis=1, keepdims=True), other - other.mean(axis=1, keepdims=True)
    scale = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    resampled = ((one * other).sum(axis=1) / np.where(scale > 0, scale, np.nan))[scale > 0]
    low, high = np.quantile(resampled, [0.025, 0.975]) if len(resampled) > 1 else (np.nan, np.nan)
    rank = _pearson(_ranks(people), _ranks(model))
    found = Estimate(value, float(low), float(high), count, "Pearson, bootstrap over trials", "trials")
    return SurprisePrediction(found, rank, source)


def _pearson(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    one, other = first - first.mean(), second - second.mean()
    scale = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / scale if scale > 0 else float("nan")


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1, ties sharing their mean; written out because importing scipy.stats takes a second."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    count = np.isfinite(values).sum(axis=0)
    total = np.where(np.isfinite(values), values, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))
