"""Comparative Performance Assessment: how near a model comes to the average human (section 4.3)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.sensemaking.solving.distribution import floor, similarity

WEIGHTS: Mapping[int, float] = {1: 0.05, 2: 0.10, 3: 0.15, 4: 0.15, 5: 0.40, 6: 0.15}
PASS_MARK = 50.0
SIGNIFICANCE = 0.05


def relative_success(human: ArrayLike, *, model: ArrayLike, null: ArrayLike | None = None) -> NDArray[np.float64]:
    r"""RSR of a model's distribution against the average human's, 0 to 100; 0 is no better than the null model.

    .. math:: RSR = 100 \max\left(0, \frac{S_{PM} - S_{PR}}{100 - S_{PR}}\right)

    with everything floored first. Where people themselves are uniform nothing can be gained and the result is 0.

    Parameters
    ----------
    human, model : array_like
        Weights over the hypotheses, last axis.
    null : array_like, optional
        The null model R; uniform by default.

    References
    ----------
    .. [1] Burns, Greenwald, Fine (2014), ICArUS Phase 1 Challenge Problem Design and Test Specification, 4.3, B.1.

    Examples
    --------
    >>> float(relative_success([22.54, 58.12, 6.43, 12.91], model=[25.16, 53.52, 0.15, 21.17]).round(2))
    67.34
    """
    people = floor(human)
    kinds = people.shape[-1]
    chance = np.full(kinds, 1 / kinds) if null is None else floor(null)
    reached, start = similarity(people, floor(model)), similarity(people, chance)
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = np.where(100 - start > 0, (reached - start) / (100 - start), 0.0)
    return np.asarray(100 * np.where(np.isnan(reached), np.nan, np.maximum(gain, 0.0)))


def relative_match(counts: ArrayLike, *, sequence: ArrayLike) -> NDArray[np.float64]:
    """RMR: how often people chose the model's sequence, in percent of the most frequent one; NaN where it chose none.

    Parameters
    ----------
    counts : array_like, (..., trials, sequences)
        How many people chose each ordered sequence.
    sequence : array_like of int, (trials,)
        The model's, -1 where missing.

    Examples
    --------
    >>> relative_match([[23, 12], [23, 12]], sequence=[0, 1]).round(2)
    array([100.  ,  52.17])
    """
    people, code = np.asarray(counts, dtype=float), np.asarray(sequence, dtype=int)
    index = np.broadcast_to(np.maximum(code, 0), people.shape[:-1])[..., None]
    picked = np.take_along_axis(people, index, axis=-1)[..., 0]
    top = people.max(axis=-1)
    known = (code >= 0) & (top > 0)
    return np.asarray(np.where(known, 100 * picked / np.where(top > 0, top, 1.0), np.nan))


def differs_from_uniform(human: ArrayLike) -> NDArray[np.bool_]:
    """Whether people's average differs from the uniform distribution: chi-squared on percents as if they were counts.

    The test treats the floored percents as counts of 100 observations, whatever the number of people; that is how the
    published exclusions were made. Stages that do not differ (p > 0.05) are not assessed.
    """
    from scipy.special import chdtrc

    percents = 100 * floor(human)
    kinds = percents.shape[-1]
    statistic = ((percents - 100 / kinds) ** 2 / (100 / kinds)).sum(axis=-1)
    return np.asarray(chdtrc(kinds - 1, statistic) <= SIGNIFICANCE)


@dataclass(frozen=True)
class CpaScores:
    """RSR per stage of Tasks 1-5 and RMR per trial of Task 6, NaN where not assessed or not answered."""

    stages: Mapping[int, NDArray[np.float64]]
    matches: NDArray[np.float64] | None

    def task_value(self, number: int, *, trial_weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Mean over the task's stages (or trials of Task 6); leading axes are resamples."""
        values = self.matches if number == 6 else self.stages.get(number)
        if values is None:
            return np.asarray(np.nan)
        known = np.isfinite(values)
        total, count = np.where(known, values, 0.0), known.astype(float)
        if number != 6:
            total, count = total.sum(axis=-1), count.sum(axis=-1)
        if trial_weights is not None:
            total, count = total * trial_weights, count * trial_weights
        summed, seen = np.asarray(total.sum(axis=-1)), np.asarray(count.sum(axis=-1))
        return np.asarray(np.divide(summed, seen, out=np.full(summed.shape, np.nan), where=seen > 0))


def overall(tasks: Mapping[int, NDArray[np.float64]], *, weights: Mapping[int, float]) -> NDArray[np.float64]:
    """Combine task values by their weights; a task without value gives its weight to the others."""
    values = np.stack([np.asarray(tasks[number], dtype=float) for number in weights], axis=-1)
    weight = np.where(np.isfinite(values), np.array(list(weights.values())), 0.0)
    total = weight.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(total > 0, np.nansum(values * weight, axis=-1) / total, np.nan))
