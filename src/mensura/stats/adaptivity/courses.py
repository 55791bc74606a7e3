"""Courses as the units of every interval: one number per course, and one per pair of courses with the same seed."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from mensura.stats.comparisons.paired import paired_difference
from mensura.stats.comparisons.two_sample import two_sample_difference
from mensura.stats.estimate import Estimate
from mensura.stats.generalise import ANYWHERE, unit_estimate
from mensura.stats.intervals.mean import number_estimate, t_estimate
from mensura.stats.intervals.sample import Values, is_binary, pairs
from mensura.stats.population import COURSES
from mensura.stats.scale import Scale
from mensura.stats.wording import figure, spoken

ONE = "One course: what another course would change cannot be known."
ENOUGH = 8
FEW = (
    "Fewer than 8 courses: intervals by t cover 95 % where courses are normal, 86 to 98 % where they are skewed or "
    "near a bound; those of scores with bounds cover 97 to 100 %."
)
"""Results of simulations of 2 to 7 courses (tests/stats/adaptivity/test_few.py)."""


def of_courses(estimate: Estimate, *, note: str = "", few: str = FEW) -> Estimate:
    """Return an estimate as one over courses: its population, and what must be said of a single one and of few.

    >>> of_courses(number_estimate([0.4])).note
    'One course: what another course would change cannot be known.'
    """
    method = "none: one course" if estimate.method == "none: one value" else estimate.method
    of_few = estimate.n < ENOUGH and estimate.method.startswith(("t", "Clopper-Pearson"))
    known = ONE if estimate.n == 1 else few if of_few else ""
    said = " ".join(filter(None, [known, estimate.note.replace(ONE, "").strip(), note]))
    return replace(estimate, method=method, population=COURSES, note=said)


def course_mean(values: ArrayLike, *, scale: Scale = ANYWHERE, level: float = 0.95) -> Estimate:
    """Estimate a mean over courses by t, corrected for skew from 5 on, or within the bounds of a score; NaN is dropped.

    >>> print(course_mean([0.2, 0.4, 0.3]))
    0.30 [0.05, 0.55] (n=3, t)
    >>> print(course_mean([1.0, 0.9, 1.0, 0.8], scale=Scale(0, 1)))
    0.93 [0.33, 1.00] (n=4, Clopper-Pearson with effective n over 4 courses)
    """
    if scale.is_bounded or scale.is_half_bounded:
        return of_courses(unit_estimate(values, unit="course", scale=scale, level=level))
    return of_courses(number_estimate(values, level=level))


def cut(found: Estimate, *, scale: Scale) -> Estimate:
    """Cut the interval of a mean at what that mean can be, which takes nothing from its coverage.

    >>> print(cut(Estimate(0.9, 0.7, 1.1, 5, "t"), scale=Scale(-1, 1)))
    0.90 [0.70, 1.00] (n=5, t)
    """
    if not found.has_interval:
        return found
    least, most = -np.inf if scale.low is None else scale.low, np.inf if scale.high is None else scale.high
    # By luck, or by an oracle that is none, a mean may lie beyond.
    low, high = max(found.low, min(least, found.value)), min(found.high, max(most, found.value))
    return replace(found, low=float(low), high=float(high))


def course_difference(
    first: Values, second: Values, *, paired: bool = True, scale: Scale = ANYWHERE, level: float = 0.95
) -> Estimate:
    """Estimate first minus second: by t over pairs of courses with the same seed, or Welch's between groups.

    The interval stays within what two levels on the scale can differ by.

    >>> print(course_difference([0.5, 0.7, 0.9], [0.4, 0.5, 0.6]))
    0.20 [-0.05, 0.45] (n=3, t)
    >>> print(course_difference([0.5, 0.7, 0.9], [0.4, 0.5, 0.6], paired=False))
    0.20 [-0.22, 0.62] (n=6, Welch's t)
    """
    return cut(_difference(first, second, paired=paired, level=level), scale=scale.difference())


def _difference(first: Values, second: Values, *, paired: bool, level: float) -> Estimate:
    if paired:
        left, right, _ = pairs(first=first, second=second)
        # Only levels that are 0 or 1 need more than t, and only there is the rest of a comparison worth its time.
        if is_binary(np.concatenate([left, right])):
            return of_courses(paired_difference(first=left, second=right, level=level).difference)
        return of_courses(t_estimate(left - right, level=level))
    sides = [list(side.values()) if hasattr(side, "values") else side for side in (first, second)]
    return of_courses(two_sample_difference(first=sides[0], second=sides[1], level=level).difference)


def verdict(estimate: Estimate, *, good: str, bad: str) -> str:
    """Return in words which way an effect goes and how far, or that none is shown.

    >>> verdict(Estimate(0.2, 0.1, 0.3, 9, "t"), good="gain", bad="harm")
    'a gain of 0.20 [0.10, 0.30]'
    >>> verdict(Estimate(-0.2, -0.3, -0.1, 9, "t"), good="gain", bad="harm")
    'a harm of 0.20 [0.10, 0.30]'
    >>> verdict(Estimate(0.2, -0.1, 0.5, 9, "t"), good="gain", bad="harm")
    'no gain or harm shown (0.20 [-0.10, 0.50])'
    """
    if not estimate.has_interval:
        return f"{figure(estimate.value)}, with no error estimate ({estimate.method.removeprefix('none: ')})"
    if not estimate.excludes(0):
        return f"no {good} or {bad} shown ({spoken(estimate)})"
    if estimate.value > 0:
        return f"a {good} of {spoken(estimate)}"
    return f"a {bad} of {spoken(replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low))}"
