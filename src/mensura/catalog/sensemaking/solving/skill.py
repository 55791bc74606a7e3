"""S1, skill in sensemaking, and S2, the blend of luck and skill in deciding (section 2.3)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.sensemaking.solving.distribution import floor, round_half_up, similarity


def stage_s1(reported: ArrayLike, *, normative: ArrayLike) -> NDArray[np.float64]:
    r"""Similarity of what was reported to the normative distribution, 0 to 100; 100 is the same.

    :math:`S_1 = 100 \cdot 2^{-KLD(Q \| P)}` with the normative distribution first, both floored, what was reported
    rounded to whole percents before.

    Examples
    --------
    >>> float(stage_s1([40, 30, 20, 10], normative=[40, 30, 20, 10]))
    100.0
    """
    return similarity(floor(normative), floor(round_half_up(reported)))


def trial_s1(stages: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over the stages a subject answered (last axis); NaN where none was."""
    answered = np.isfinite(stages)
    count = answered.sum(axis=-1)
    total = np.where(answered, stages, 0.0).sum(axis=-1)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def trial_s2(allocation: ArrayLike, *, truth: ArrayLike) -> NDArray[np.float64]:
    """The percent put on what came true; a forced choice puts all on one. `truth` counts from 0, -1 where unknown.

    >>> float(trial_s2([40, 30, 20, 10], truth=1))
    30.0
    """
    percents = np.asarray(allocation, dtype=float)
    index = np.broadcast_to(np.asarray(truth, dtype=int), percents.shape[:-1])
    picked = np.take_along_axis(percents, np.maximum(index, 0)[..., None], axis=-1)[..., 0]
    return np.asarray(np.where(index >= 0, picked, np.nan))
