"""The average human: means over people, for one sample or for many resamples at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.people.respondents import Respondents, layer_kinds, sequence_codes

SIGINT = 2


@dataclass(frozen=True)
class Average:
    """What respondents answer on average; every array may have a leading axis of resamples.

    Attributes
    ----------
    stages, allocation : mapping of task to ndarray
        Mean percents (..., trials, stages, hypotheses) and (..., trials, hypotheses).
    sequences : ndarray, (..., trials, codes)
        How many chose each ordered sequence of INTs in Task 6.
    confirming, sigint : ndarray, (..., trials)
        SIGINT choices on a group held most likely just before, and all SIGINT choices, in Task 6.
    people : mapping of task to int
        How many subjects the task's means rest on.
    """

    stages: Mapping[int, NDArray[np.float64]]
    allocation: Mapping[int, NDArray[np.float64]]
    sequences: NDArray[np.float64] | None
    confirming: NDArray[np.float64]
    sigint: NDArray[np.float64]
    people: Mapping[int, int]

    def confirmation(self, *, trial_weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Percent of SIGINT choices that ask about the group held most likely; 0 where none was asked."""
        weights = np.ones(self.sigint.shape[-1]) if trial_weights is None else trial_weights
        asked, confirming = (self.sigint * weights).sum(axis=-1), (self.confirming * weights).sum(axis=-1)
        return np.asarray(np.where(asked > 0, 100 * confirming / np.where(asked > 0, asked, 1.0), 0.0))


def average(
    respondents: Respondents, *, order: str | None = "standard", weights: NDArray[np.float64] | None = None
) -> Average:
    """Average the answers of people, or of a model's runs.

    Task 6 is averaged over the subjects whose INT menu stood in this order only (the assessment uses the standard one);
    None takes everyone. `weights` is how often each subject counts, (resamples, subjects); once each by default.
    """
    count = len(respondents)
    matrix = np.ones((1, count)) if weights is None else np.asarray(weights, dtype=float)
    stages, allocation, people = {}, {}, {}
    for number, data in respondents.tasks.items():
        use = _members(respondents, number, order)
        stages[number] = _mean(data.stages, matrix * use)
        allocation[number] = _mean(data.allocation, matrix * use)
        people[number] = int((use & np.isfinite(data.stages).any(axis=(1, 2, 3))).sum())
    sequences = None
    confirming = asked = np.zeros((len(matrix), 0))
    if 6 in respondents.tasks:
        members = matrix * _members(respondents, 6, order)
        codes = sequence_codes(respondents.tasks[6].layers)
        kinds = 4 ** respondents.tasks[6].layers.shape[2]
        chosen = (codes[..., None] == np.arange(kinds)).astype(float)
        sequences = np.tensordot(members, chosen, axes=1)
        own_confirming, own_asked = confirmation_counts(respondents)
        confirming, asked = members @ own_confirming, members @ own_asked
    found = Average(stages, allocation, sequences, confirming, asked, people)
    return found if weights is not None else _first(found)


def confirmation_counts(respondents: Respondents) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each subject's SIGINT choices, per trial, on a group whose just-reported percent was the largest, and all.

    Ties count as the largest.
    The report before the first INT is the HUMINT that was given. Reports are taken as they are, without a floor.
    """
    data = respondents.tasks[6]
    before = data.stages[:, :, : data.layers.shape[2], :]
    asked = layer_kinds(data.layers) == SIGINT
    group = np.where(asked, data.layers - SIGINT, 0)
    named = np.take_along_axis(before, group[..., None], axis=-1)[..., 0]
    top = named >= before.max(axis=-1) - 1e-9
    usable = asked & np.isfinite(named)
    return (usable & top).sum(axis=2).astype(float), usable.sum(axis=2).astype(float)


def _members(respondents: Respondents, number: int, order: str | None) -> NDArray[np.bool_]:
    if number != 6 or order is None:
        return np.ones(len(respondents), dtype=bool)
    return respondents.in_order(order)


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    known = np.isfinite(values)
    total = np.tensordot(weights, np.where(known, values, 0.0), axes=1)
    count = np.tensordot(weights, known.astype(float), axes=1)
    return np.asarray(np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0))


def _first(found: Average) -> Average:
    return replace(
        found,
        stages={number: values[0] for number, values in found.stages.items()},
        allocation={number: values[0] for number, values in found.allocation.items()},
        sequences=None if found.sequences is None else found.sequences[0],
        confirming=found.confirming[0],
        sigint=found.sigint[0],
    )
