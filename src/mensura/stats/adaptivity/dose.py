"""Dose and response: performance as noise, faults, scarcity or distance grow, and recovery after a fault sets in."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import course_difference, course_mean, of_courses, verdict
from mensura.stats.adaptivity.threshold import TimeToLevel, first_reached, time_to_level
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE
from mensura.stats.intervals.ratio import ratio_estimate
from mensura.stats.intervals.sample import Floats, numbers, table
from mensura.stats.scale import Scale
from mensura.stats.wording import spoken


@dataclass(frozen=True, slots=True)
class DoseResponse(Finding):
    """The level at each dose, the slope per unit of dose, and the dose at which courses break.

    The intervals of `points` hold each for its own dose; of `breaking`, courses that never broke are censored.
    """

    doses: tuple[float, ...]
    points: tuple[Estimate, ...]
    slope: Estimate
    breaking: TimeToLevel | None
    dose: str

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        drop = f"Per unit of {self.dose}: {verdict(self.slope, good='rise', bad='fall')}."
        if self.breaking is None:
            return drop
        if self.breaking.reached == 0:
            return f"{drop} No course broke up to {self.breaking.horizon:g}."
        share = f"{self.breaking.reached} of {self.breaking.courses} courses broke"
        return f"{drop} {share}, at {spoken(self.breaking.restricted_mean)} on average, the others counted at the end."


@dataclass(frozen=True, slots=True)
class Recovery(Finding):
    """The cost of a fault at its onset and in the end, and how long courses take to recover."""

    dip: Estimate
    lasting: Estimate
    time: TimeToLevel

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        ways = {"good": "loss", "bad": "gain"}
        return f"At onset {verdict(self.dip, **ways)}; in the end {verdict(self.lasting, **ways)}. {self.time.sentence}"


def dose_response(
    levels: ArrayLike,
    *,
    doses: ArrayLike,
    floor: float | None = None,
    dose: str = "dose",
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> DoseResponse:
    """Estimate performance over doses: of noise, latency, faults, scarcity, or the distance from the training tasks.

    Parameters
    ----------
    levels : array_like
        Levels by course (row) and dose (column).
    doses : array_like
        The doses, increasing from 0 up.
    floor : float, optional
        The level below which a course is broken; its breaking point lies on the line between the last dose above and
        the first below it.
    dose : str
        What the doses are of.
    scale : Scale
        What a level can be: the intervals of levels then stay within it.
    level : float
        Confidence level.

    Examples
    --------
    >>> found = dose_response([[0.9, 0.7, 0.2], [0.8, 0.6, 0.3], [0.9, 0.8, 0.6]], doses=[0, 1, 2], floor=0.5)
    >>> round(found.slope.value, 3), found.breaking.reached, round(found.breaking.restricted_mean.value, 3)
    (-0.25, 2, 1.578)
    """
    rows, at = table(levels, name="levels", rows="courses", columns="doses"), numbers(doses, name="doses")
    if len(at) != rows.shape[1] or len(at) < 2 or (np.diff(at) <= 0).any() or at[0] < 0:
        raise BadData(f"Give at least two doses that increase from 0 up, one per column of levels; got {at.tolist()}.")
    centred = at - at.mean()
    breaking = None
    if floor is not None:
        breaks = np.array([_crossing(row, at, floor) for row in rows])
        breaking = time_to_level(breaks, horizon=float(at[-1]), resource=dose, level=level)
    return DoseResponse(
        doses=tuple(map(float, at)),
        points=tuple(course_mean(column, scale=scale, level=level) for column in rows.T),
        slope=course_mean(rows @ centred / (centred @ centred), level=level),
        breaking=breaking,
        dose=dose,
    )


def recovery(
    *,
    before: ArrayLike,
    after: ArrayLike,
    share: float = 0.95,
    held: int = 1,
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> Recovery:
    """Estimate how courses recover after a fault sets in.

    Parameters
    ----------
    before : array_like
        Each course's level before, on a scale on which chance is 0.
    after : array_like
        For each course its levels from the onset on, session by session; equally many.
    share : float
        What share of the level before counts as recovered.
    held : int
        How many sessions in a row must show it.
    scale : Scale
        What a level can be: the intervals of losses then stay within what two of them can differ by.
    level : float
        Confidence level.

    Examples
    --------
    >>> found = recovery(before=[0.8, 0.8, 0.9], after=[[0.3, 0.6, 0.8], [0.2, 0.5, 0.6], [0.4, 0.9, 0.9]])
    >>> found.time.reached, round(found.dip.value, 3)
    (2, 0.533)
    """
    start, rows = numbers(before, name="levels before"), table(after, name="levels", rows="courses", columns="sessions")
    if len(start) != len(rows) or not rows.size or not 0 < share <= 1:
        raise BadData(f"Give a level before of each of {len(rows)} courses, and a share from 0 to 1; got {share}.")
    times = first_reached(list(rows), target=share * start, held=held)
    return Recovery(
        dip=course_difference(start, rows[:, 0], scale=scale, level=level),
        lasting=course_difference(start, rows[:, -1], scale=scale, level=level),
        time=time_to_level(times, horizon=float(rows.shape[1]), level=level),
    )


def representativeness(*, trained: ArrayLike, own: ArrayLike, level: float = 0.95) -> Estimate:
    """Estimate how representative a training set is of target tasks; 1 is as good as training on each target itself.

    It is the mean level on the targets after the set, over that after training on the target itself, with Fieller's
    interval. Both are levels by course (row, paired by seed) and target task (column).

    >>> print(representativeness(trained=[[0.6, 0.5], [0.7, 0.4], [0.6, 0.6]], own=[[0.9, 0.8], [0.8, 0.8], [1, 0.8]]))
    0.667 [0.621, 0.720] (n=3, Fieller)
    """
    sides = [table(side, name="levels", rows="courses", columns="targets").mean(axis=1) for side in (trained, own)]
    return of_courses(ratio_estimate(numerator=sides[0], denominator=sides[1], level=level))


def _crossing(row: Floats, doses: Floats, floor: float) -> float:
    below = np.flatnonzero(row < floor)
    if not len(below):
        return float("nan")
    first = int(below[0])
    if first == 0:
        return float(doses[0])
    above, under = row[first - 1], row[first]
    return float(doses[first - 1] + (above - floor) / (above - under) * (doses[first] - doses[first - 1]))
