"""Resampling people and trials, with whole people and whole trials drawn together across everything they did."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Resamples:
    """How often each subject, and each trial of each task, counts in every resample."""

    people: NDArray[np.float64]
    trials: Mapping[int, NDArray[np.float64]]

    def only_people(self) -> "Resamples":
        """The same resamples of people, every trial counting once."""
        return Resamples(self.people, {number: np.ones_like(weights) for number, weights in self.trials.items()})

    def only_trials(self) -> "Resamples":
        """The same resamples of trials, every person counting once."""
        return Resamples(np.ones_like(self.people), self.trials)


def resample(
    *,
    people: int,
    trials: Mapping[int, int],
    draws: int,
    rng: np.random.Generator,
) -> Resamples:
    """Draw people and, within each task, trials with replacement.

    A person is drawn with all their answers in all tasks, a trial with all its stages: answers of one person, or on
    one trial, are not independent.
    """
    return Resamples(
        people=_counts(people, draws, rng),
        trials={number: _counts(count, draws, rng) for number, count in trials.items()},
    )


def _counts(size: int, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    return rng.multinomial(size, np.full(size, 1 / size), size=draws).astype(float)


def percentile_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The middle 95 % of resampled values; NaN where there are none."""
    known = values[np.isfinite(values)]
    if len(known) < 2:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)
