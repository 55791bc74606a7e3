"""Alternatives: probabilities over exclusive outcomes, checked once for every rule."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.errors import BadParameter

Floats = NDArray[np.float64]

SUM_TOLERANCE = 1e-6


def as_distributions(forecast: ArrayLike) -> Floats:
    """Read probabilities over alternatives (last axis) and refuse what is none; NaN rows stay unknown.

    >>> as_distributions([[0.5, 0.3, 0.2]])
    array([[0.5, 0.3, 0.2]])
    >>> as_distributions([0.5, 0.6])
    Traceback (most recent call last):
    mensura.errors.BadParameter: Probabilities of exclusive alternatives sum to 1; those at 0 sum to 1.1.
    """
    values = np.asarray(forecast, dtype=float)
    if values.ndim == 0 or values.shape[-1] < 2:
        raise BadParameter(f"A forecast needs two or more alternatives on its last axis; got shape {values.shape}.")
    rows = values.reshape(-1, values.shape[-1])
    wrong = (rows < 0) | (rows > 1 + SUM_TOLERANCE)
    if wrong.any():
        row, column = (int(i) for i in np.argwhere(wrong)[0])
        raise BadParameter(f"A probability lies between 0 and 1; got {rows[row, column]:g} at {row}, {column}.")
    totals = rows @ np.ones(rows.shape[1])
    off = np.abs(totals - 1) > SUM_TOLERANCE
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise BadParameter(f"Probabilities of exclusive alternatives sum to 1; those at {row} sum to {totals[row]:g}.")
    return values


def as_binary(forecast: ArrayLike, outcome: ArrayLike) -> tuple[Floats, Floats]:
    """Read probabilities of one event and what happened (0, 1 or NaN), as arrays of one shape.

    >>> as_binary([0.2, 0.7], [0, 2])
    Traceback (most recent call last):
    mensura.errors.BadParameter: An outcome is 0, 1 or NaN where it is unknown; got 2 at 1.
    """
    probabilities, outcomes = np.broadcast_arrays(np.asarray(forecast, dtype=float), np.asarray(outcome, dtype=float))
    wrong = (probabilities < 0) | (probabilities > 1)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise BadParameter(f"A probability lies between 0 and 1; got {probabilities.flat[place]:g} at {place}.")
    wrong = (outcomes != 0) & (outcomes != 1) & ~np.isnan(outcomes)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise BadParameter(f"An outcome is 0, 1 or NaN where it is unknown; got {outcomes.flat[place]:g} at {place}.")
    return probabilities, outcomes


def realised(values: Floats, outcome: ArrayLike) -> Floats:
    """Pick the value of the alternative that happened; NaN where that is not known.

    Parameters
    ----------
    values : ndarray
        One value per alternative on the last axis.
    outcome : array_like
        Index of the alternative that happened; NaN or a negative number where it is unknown.

    Examples
    --------
    >>> realised(np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]), [1, -1])
    array([0.3, nan])
    """
    chosen: Any = np.asarray(outcome, dtype=float)
    chosen = np.broadcast_to(chosen, np.broadcast_shapes(chosen.shape, values.shape[:-1]))
    values = np.broadcast_to(values, (*chosen.shape, values.shape[-1]))
    unknown = ~(chosen >= 0)
    index = np.where(unknown, 0, chosen).astype(np.int64)
    wrong = (index >= values.shape[-1]) | (~unknown & (index != chosen))
    if wrong.any():
        raise BadParameter(
            f"An outcome is an alternative's number, 0 to {values.shape[-1] - 1}; got {chosen[wrong][0]:g}."
        )
    picked = np.take_along_axis(values, index[..., np.newaxis], axis=-1)[..., 0]
    return np.where(unknown, np.nan, picked)
