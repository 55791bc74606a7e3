"""Resampling people and trials, with whole people and whole trials drawn together across everything they did."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Resamples:
    """How often each subject, and each trial of each task, counts in every resample."""

    people: NDArray[np.float64]
    trials: Mapping[int, NDArray[np.float64]]
    same_people: bool = False
    """Whether every person counts once in every resample, so that their average need not be taken anew."""

    def only_people(self) -> "Resamples":
        """The same resamples of people, every trial counting once."""
        return Resamples(self.people, {number: np.ones_like(weights) for number, weights in self.trials.items()})

    def only_trials(self) -> "Resamples":
        """The same resamples of trials, every person counting once."""
        return Resamples(np.ones_like(self.people), self.trials, same_people=True)


def resample(*, people: int, trials: Mapping[int, int], draws: int, rng: np.random.Generator) -> Resamples:
    """Draw people and, within each task, trials with replacement, one fewer than there are.

    A person is drawn with all their answers in all tasks, a trial with all its stages: answers of one person, or on
    one trial, are not independent. One fewer, because the variance of a mean over n draws out of n is too small by
    (n - 1) / n, which matters for tasks of five trials.
    """
    return Resamples(
        people=_counts(people, draws, rng),
        trials={number: _counts(count, draws, rng) for number, count in trials.items()},
    )


def _counts(size: int, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    return rng.multinomial(max(size - 1, 1), np.full(size, 1 / size), size=draws).astype(float)


def interval(
    value: float, resampled: NDArray[np.float64], *, low: float = 0.0, high: float = 100.0, quantile: float = NORMAL_95
) -> tuple[float, float]:
    """95 % interval from resampled values: normal, corrected for the bias resampling shows, within the score's range.

    RSR and RMR are bent at both ends of their range, so a noisier average human pulls them inward, and resampled ones
    are pulled twice. Percentiles of the resamples then miss the truth (they cover it in 0 to 90 % of simulated studies
    where 95 % are promised); twice the value minus the resamples' mean, plus and minus 1.96 of their standard
    deviations, does not. The interval is widened to hold the value itself where the correction moves past it.
    `quantile` is another number of standard deviations, as for means over few trials.
    """
    known = resampled[np.isfinite(resampled)]
    if len(known) < 2 or not np.isfinite(value):
        return float("nan"), float("nan")
    centre, error = 2 * value - float(known.mean()), quantile * float(known.std(ddof=1))
    below, above = min(centre - error, value), max(centre + error, value)
    return float(np.clip(below, low, high)), float(np.clip(above, low, high))


def trials_quantile(
    tasks: Mapping[int, NDArray[np.float64]], *, weights: Mapping[int, float], trials: Mapping[int, int]
) -> float:
    r"""How many standard deviations make 95 % for a weighted mean over tasks of few trials (Welch and Satterthwaite).

    With :math:`v_t` the resampled variance of task t times its squared weight and :math:`n_t` its trials, the degrees
    of freedom are :math:`(\sum v_t)^2 / \sum v_t^2 / (n_t - 1)`.

    Examples
    --------
    >>> ten = np.arange(10.0)
    >>> round(trials_quantile({5: ten}, weights={5: 1.0}, trials={5: 10}), 3)
    2.262
    """
    from scipy.special import stdtrit

    spread = {}
    for number, values in tasks.items():
        known = values[np.isfinite(values)]
        if number in weights and trials.get(number, 0) > 1 and len(known) > 1:
            spread[number] = weights[number] ** 2 * float(known.var(ddof=1))
    total = sum(spread.values())
    if total <= 0:
        return NORMAL_95
    freedom = total**2 / sum(each**2 / (trials[number] - 1) for number, each in spread.items())
    return float(stdtrit(freedom, 0.975))
