"""Interference: what learning one task does to another that was learned before, for all pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import cut, of_courses
from mensura.stats.comparisons.multiplicity import Adjusted, holm
from mensura.stats.comparisons.paired import paired_difference
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE
from mensura.stats.scale import Scale
from mensura.stats.wording import listed, several


@dataclass(frozen=True, slots=True)
class Interference(Finding):
    """The loss on each task (row) after another (column) was learned; None where that was not measured."""

    tasks: tuple[str, ...]
    losses: tuple[tuple[Estimate | None, ...], ...]
    adjusted: Adjusted

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        known = [(i, j, loss) for i, row in enumerate(self.losses) for j, loss in enumerate(row) if loss is not None]
        found = [
            f"{self.tasks[j]} {'harms' if loss.value > 0 else 'helps'} {self.tasks[i]}"
            for (i, j, loss), kept in zip(known, self.adjusted.kept, strict=True)
            if kept
        ]
        pairs = several(len(known), "ordered pair")
        return f"{listed(found) or 'No interference is shown'}, of {pairs}, after Holm."


def interference(
    *,
    before: ArrayLike,
    after: ArrayLike,
    tasks: Sequence[str] = (),
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> Interference:
    """Estimate what each task loses when another is learned after it.

    Parameters
    ----------
    before : array_like
        Levels by course and task, each at the end of its own training; or by course, task and the task that was
        learned then, where each pair has its own.
    after : array_like
        Levels by course, task and the task that was learned then. The diagonal is not read, and a pair of which all
        is NaN was not measured.
    tasks : sequence of str
        Names of the tasks; numbered unless given.
    scale : Scale
        What a level can be: intervals stay within what two levels can differ by.
    level : float
        Confidence level of each interval; the sentence names the pairs that are significant after Holm.

    Examples
    --------
    >>> found = interference(before=[[0.9, 0.8], [0.8, 0.8], [0.9, 0.9]], tasks=("park", "race"),
    ...                      after=[[[0, 0.4], [0.8, 0]], [[0, 0.3], [0.7, 0]], [[0, 0.5], [0.9, 0]]])
    >>> print(found)
    race harms park, of 2 ordered pairs, after Holm.
    """
    first, second = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    if first.ndim == 2:
        first = np.repeat(first[:, :, np.newaxis], first.shape[1], axis=2)
    if first.ndim != 3 or second.shape != first.shape or not 2 <= first.shape[1] == first.shape[2]:
        shapes = f"{np.shape(before)} and {np.shape(after)}"
        raise BadData(f"Give courses by tasks, and courses by tasks by tasks; got {shapes}.")
    count = first.shape[1]
    names = tuple(map(str, tasks)) or tuple(f"task {i + 1}" for i in range(count))
    found = {
        (i, j): paired_difference(first=first[:, i, j], second=second[:, i, j], level=level, unit="course")
        for i in range(count)
        for j in range(count)
        if i != j and not np.isnan(first[:, i, j] - second[:, i, j]).all()
    }
    if not found:
        raise BadData("No pair of tasks has a level before and after in the same course.")
    losses = tuple(
        tuple(
            cut(of_courses(found[i, j].difference), scale=scale.difference()) if (i, j) in found else None
            for j in range(count)
        )
        for i in range(count)
    )
    return Interference(names, losses, holm([one.p_t for one in found.values()], level=1 - level))
