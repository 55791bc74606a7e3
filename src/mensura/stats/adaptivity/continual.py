"""Continual learning: the matrix of every task after every phase, and what the field reads off it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import course_mean, cut, verdict
from mensura.stats.adaptivity.threshold import first_reached
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE
from mensura.stats.intervals.sample import Floats, table
from mensura.stats.scale import Scale
from mensura.stats.wording import spoken


@dataclass(frozen=True, slots=True)
class Continual(Finding):
    """Results of courses over T tasks: GEM's ACC, BWT and FWT, Chaudhry's forgetting, L2M's maintenance.

    `forgetting` has one estimate for each task but the last, `maximal_forgetting` is that of each course's worst task.
    Both take a largest value, so noise alone makes them positive; `bwt` and `maintenance` are free of that.
    """

    acc: Estimate
    bwt: Estimate
    fwt: Estimate | None
    forgetting: tuple[Estimate, ...]
    mean_forgetting: Estimate
    maximal_forgetting: Estimate
    maintenance: Estimate

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        ahead = "" if self.fwt is None else f" On tasks to come: {verdict(self.fwt, good='gain', bad='harm')}."
        return (
            f"In the end the mean level of all tasks is {spoken(self.acc)}. On earlier tasks later ones bring "
            f"{verdict(self.bwt, good='gain', bad='loss')}.{ahead}"
        )


def continual(
    levels: ArrayLike, *, untrained: ArrayLike | None = None, scale: Scale = ANYWHERE, level: float = 0.95
) -> Continual:
    r"""Estimate transfer and forgetting from R, where :math:`R_{ij}` is the level on task j after phase i.

    :math:`ACC = \frac1T \sum_j R_{Tj}`, :math:`BWT = \frac1{T-1} \sum_{j<T} (R_{Tj} - R_{jj})`, :math:`FWT =
    \frac1{T-1} \sum_{j \ge 2} (R_{j-1,j} - b_j)` [1]_; forgetting of j is :math:`\max_{i<T} R_{ij} - R_{Tj}` [2]_;
    maintenance is the mean over tasks of the mean over later phases of :math:`R_{ij} - R_{jj}` [3]_.

    Parameters
    ----------
    levels : array_like
        R of one course, or of many: courses by phases by tasks, task j being trained in phase j.
    untrained : array_like, optional
        b: the level of an untrained subject on each task, or one for all; per course where it has two dimensions.
    scale : Scale
        What a level can be, -1 to 1 for performances: the interval of ACC stays within it, the others within what two
        levels can differ by.
    level : float
        Confidence level.

    References
    ----------
    .. [1] Lopez-Paz and Ranzato (2017), Gradient episodic memory for continual learning, NeurIPS 30.
    .. [2] Chaudhry, Dokania, Ajanthan and Torr (2018), Riemannian walk for incremental learning, ECCV.
    .. [3] l2metrics, "performance maintenance" by the most recent evaluation after learning.

    Examples
    --------
    >>> found = continual([[0.8, 0.3, 0.2], [0.6, 0.9, 0.4], [0.5, 0.7, 0.85]], untrained=0.1)
    >>> round(found.acc.value, 6), round(found.bwt.value, 6), round(found.fwt.value, 6)
    (0.683333, -0.25, 0.25)
    >>> [round(lost.value, 6) for lost in found.forgetting], found.acc.method
    ([0.3, 0.2], 'none: one course')
    """
    every = _matrices(levels)
    tasks = every.shape[1]
    own, last = np.diagonal(every, axis1=1, axis2=2), every[:, -1]
    lost = every[:, :-1, :-1].max(axis=1) - last[:, :-1]
    later = [(every[:, j + 1 :, j] - own[:, [j]]).mean(axis=1) for j in range(tasks - 1)]
    forward = None
    if untrained is not None:
        base = _floats(untrained, why=f"b is one number, or one for each of {tasks} tasks; got {untrained}.")
        if base.ndim > 2 or (base.ndim and base.shape[-1] != tasks) or not np.isfinite(base).all():
            raise BadData(f"b is one number, or one for each of {tasks} tasks; got {untrained}.")
        before = np.broadcast_to(base, (len(every), tasks))[:, 1:]
        forward = (np.diagonal(every, offset=1, axis1=1, axis2=2) - before).mean(axis=1)

    def change(values: Floats) -> Estimate:
        return cut(course_mean(values, level=level), scale=scale.difference())

    return Continual(
        acc=cut(course_mean(last.mean(axis=1), level=level), scale=scale),
        bwt=change((last - own)[:, :-1].mean(axis=1)),
        fwt=None if forward is None else change(forward),
        forgetting=tuple(change(column) for column in lost.T),
        mean_forgetting=change(lost.mean(axis=1)),
        maximal_forgetting=change(lost.max(axis=1)),
        maintenance=change(np.mean(later, axis=0)),
    )


def recovery_trend(times: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Estimate L2M's performance recovery: minus the Theil-Sen slope of recovery times over successive changes.

    Above 0, courses recover faster from change to change. Times are by course (row) and change (column); who did not
    recover counts with the horizon.

    >>> round(recovery_trend([[9, 7, 4], [8, 6, 5], [9, 5, 3]]).value, 3)
    2.333
    """
    rows = table(times, name="recovery times", rows="courses", columns="changes")
    if rows.shape[1] < 2:
        raise BadData("A trend needs the recovery times of at least two changes.")
    one, other = np.triu_indices(rows.shape[1], k=1)
    return course_mean(-np.median((rows[:, other] - rows[:, one]) / (other - one), axis=1), level=level)


def sample_efficiency(
    curves: Sequence[ArrayLike], *, expert: Sequence[ArrayLike], window: int = 1, level: float = 0.95
) -> Estimate:
    """Estimate L2M's sample efficiency against a single-task expert, course by course; above 1 is better than it.

    It is the ratio of the saturation levels times the inverse ratio of the sessions to saturation, where a curve's
    saturation is the largest mean of `window` sessions in a row.

    >>> sample_efficiency([[0.2, 0.9, 0.9], [0.3, 0.8, 0.8]], expert=[[0.1, 0.3, 0.9], [0.1, 0.2, 0.8]]).value
    1.5
    """
    ours, theirs = (
        np.array([_saturation(curve, window) for curve in side]).reshape(-1, 2) for side in (curves, expert)
    )
    if len(ours) != len(theirs) or not len(ours) or (theirs[:, 0] <= 0).any():
        raise BadData("Give as many courses of the expert, each with a level above chance somewhere.")
    return course_mean(ours[:, 0] / theirs[:, 0] * theirs[:, 1] / ours[:, 1], level=level)


def _saturation(curve: ArrayLike, window: int) -> tuple[float, float]:
    smooth = np.convolve(np.asarray(curve, dtype=float), np.ones(window) / window, mode="valid")
    return float(smooth.max()), float(first_reached([smooth], target=smooth.max() - 1e-12)[0]) + window - 1


def _matrices(levels: ArrayLike) -> Floats:
    every = _floats(levels, why="R is a square table of numbers, one row for each phase, or a list of such tables.")
    every = every[np.newaxis] if every.ndim == 2 else every
    if every.ndim != 3 or every.shape[1] != every.shape[2] or every.shape[1] < 2:
        raise BadData(f"R has as many phases as tasks, at least two, for each course; got the shape {every.shape}.")
    if not np.isfinite(every).all():
        raise BadData("R must be whole: the level on every task after every phase; some are missing.")
    return every


def _floats(values: ArrayLike, *, why: str) -> Floats:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise BadData(why) from None
