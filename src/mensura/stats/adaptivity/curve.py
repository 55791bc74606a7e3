"""Learning curves: the level of courses as they go on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import cut
from mensura.stats.comparisons.paired import paired_difference
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE, unit_estimate
from mensura.stats.intervals.mean import skewed_mean_estimate
from mensura.stats.intervals.sample import Floats, numbers
from mensura.stats.scale import Scale
from mensura.stats.wording import several, size, spoken


@dataclass(frozen=True, slots=True)
class LearningCurve(Finding):
    """Mean score of subjects, block of sessions by block, and the gain from the first block to the last.

    `area` is the mean over all blocks, of subjects scored in each: the area under the curve, over its length.
    """

    points: tuple[Estimate, ...]
    gain: Estimate
    block: int
    subjects: int
    area: Estimate

    @property
    def first(self) -> Estimate:
        """The level in the first block."""
        return self.points[0]

    @property
    def last(self) -> Estimate:
        """The level in the last block."""
        return self.points[-1]

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        course = f"from block 1 to block {len(self.points)} (blocks of {several(self.block, 'session')})"
        who = several(self.gain.n, "subject")
        if not self.gain.has_interval:
            why = self.gain.method.removeprefix("none: ")
            return f"The mean score changes by {self.gain.value:.3g} {course}, with no error estimate: {why} ({who})."
        if self.gain.excludes(0):
            verb = "rises" if self.gain.value > 0 else "falls"
            return f"The mean score {verb} by {size(self.gain)} {course}, over {who}."
        return f"The data do not show learning: the change is {spoken(self.gain)} {course}, over {who}."


def learning_curve(
    scores: Sequence[ArrayLike], *, block: int = 1, scale: Scale = ANYWHERE, level: float = 0.95
) -> LearningCurve:
    """Average the scores of subjects over blocks of sessions.

    Subjects are the units: each point's interval is t over subjects, corrected for skew from 5 on, or one within the
    bounds of the score where it has any, and holds for that point alone. The gain is over subjects scored in both the
    first and the last block.

    Parameters
    ----------
    scores : sequence of array_like
        For each subject its scores in order, NaN where a session was not scored; a subject who left early has fewer.
    block : int
        How many sessions make a point; a last block that is not full is left out.
    scale : Scale
        What the score can be: intervals of points and area then stay within it, that of the gain within differences.
    level : float
        Confidence level.

    Returns
    -------
    LearningCurve
        With a sentence.

    Examples
    --------
    >>> curve = learning_curve([[0.2, 0.4, 0.5, 0.7], [0.1, 0.3, 0.5, 0.6], [0.3, 0.3, 0.6, 0.9]], block=2)
    >>> print(curve)
    The mean score rises by 0.37 [0.18, 0.56] from block 1 to block 2 (blocks of 2 sessions), over 3 subjects.
    """
    rows = [numbers(subject, name="scores of a subject") for subject in scores]
    longest = max((len(row) for row in rows), default=0)
    if block < 1 or longest // block < 1:
        raise BadData(f"A curve needs at least one whole block; got {longest} sessions in blocks of {block}.")
    points = longest // block

    def mean(values: Floats) -> Estimate:
        if scale.is_bounded or scale.is_half_bounded:
            return unit_estimate(values, unit="subject", scale=scale, level=level)
        return skewed_mean_estimate(values, level=level)

    means = np.array([[_mean(row[i * block : (i + 1) * block]) for i in range(points)] for row in rows])
    return LearningCurve(
        points=tuple(mean(means[:, i]) for i in range(points)),
        gain=cut(
            paired_difference(first=means[:, -1], second=means[:, 0], level=level).difference, scale=scale.difference()
        ),
        block=block,
        subjects=len(rows),
        area=mean(means.mean(axis=1)),
    )


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
