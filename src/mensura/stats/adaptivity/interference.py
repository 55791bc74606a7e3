"""Interference: what learning one task does to another that was learned before, for all pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import of_courses
from mensura.stats.comparisons.multiplicity import Adjusted, holm
from mensura.stats.comparisons.paired import paired_difference
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.wording import listed


@dataclass(frozen=True, slots=True)
class Interference(Finding):
    """The loss on each task (row) after another (column) was learned; None on the diagonal."""

    tasks: tuple[str, ...]
    losses: tuple[tuple[Estimate | None, ...], ...]
    adjusted: Adjusted

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        pairs = [(i, j) for i in range(len(self.tasks)) for j in range(len(self.tasks)) if i != j]
        found = [
            f"{self.tasks[j]} {'harms' if loss.value > 0 else 'helps'} {self.tasks[i]}"
            for (i, j), kept in zip(pairs, self.adjusted.kept, strict=True)
            if kept and (loss := self.losses[i][j]) is not None
        ]
        return f"{listed(found) or 'No interference is shown'}, of {len(pairs)} ordered pairs, after Holm."


def interference(
    *, before: ArrayLike, after: ArrayLike, tasks: Sequence[str] = (), level: float = 0.95
) -> Interference:
    """Estimate what each task loses when another is learned after it.

    Parameters
    ----------
    before : array_like
        Levels by course and task, each at the end of its own training.
    after : array_like
        Levels by course, task and the task that was learned then; the diagonal is not read.
    tasks : sequence of str
        Names of the tasks; numbered unless given.
    level : float
        Confidence level of each interval; the sentence names the pairs that stand after Holm.

    Examples
    --------
    >>> found = interference(before=[[0.9, 0.8], [0.8, 0.8], [0.9, 0.9]], tasks=("park", "race"),
    ...                      after=[[[0, 0.4], [0.8, 0]], [[0, 0.3], [0.7, 0]], [[0, 0.5], [0.9, 0]]])
    >>> print(found)
    race harms park, of 2 ordered pairs, after Holm.
    """
    first, second = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    if first.ndim != 2 or second.shape != (*first.shape, first.shape[-1]) or first.shape[1] < 2:
        raise BadData(f"Give courses by tasks, and courses by tasks by tasks; got {first.shape} and {second.shape}.")
    count = first.shape[1]
    names = tuple(map(str, tasks)) or tuple(f"task {i + 1}" for i in range(count))
    found = {
        (i, j): paired_difference(first=first[:, i], second=second[:, i, j], level=level, unit="course")
        for i in range(count)
        for j in range(count)
        if i != j
    }
    losses = tuple(
        tuple(of_courses(found[i, j].difference) if i != j else None for j in range(count)) for i in range(count)
    )
    return Interference(names, losses, holm([one.p_t for one in found.values()], level=1 - level))
