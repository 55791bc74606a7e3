"""Performance: how far from chance, 0, to the oracle, 1, with chance's own sampling error in the interval."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import of_courses
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.intervals.mean import undo_skew
from mensura.stats.intervals.sample import Floats, check_level, is_constant, numbers
from mensura.stats.wording import listed, spoken

BEYOND = "The mean score is better than the oracle's: check that it is one."
NO_WORST = "No worst score was given: below chance the scale is the one above it."
Part = Mapping[str, ArrayLike | None]


@dataclass(frozen=True, slots=True)
class PerformanceParts(Finding):
    """The performance of each part, accuracy and efficiencies, and their weighted mean."""

    parts: dict[str, Estimate]
    combined: Estimate
    weights: dict[str, float]

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        apart = listed([f"{name} {spoken(found)}" for name, found in self.parts.items()])
        how = " + ".join(f"{weight:.3g} {name}" for name, weight in self.weights.items())
        return f"Performance from chance (0) to the oracle (1): {apart}; combined as {how}: {spoken(self.combined)}."


def performance(
    *,
    score: ArrayLike,
    chance: ArrayLike,
    oracle: ArrayLike,
    worst: ArrayLike | None = None,
    paired: bool = False,
    level: float = 0.95,
) -> Estimate:
    r"""Estimate performance P from -1, the task's worst, by 0, chance, to 1, the oracle.

    With the means s, c, o and w of score, chance, oracle and worst, :math:`P = (s - c)/(o - c)` on the oracle's side
    of chance and :math:`(s - c)/(c - w)` on the other. The interval holds every :math:`\rho` for which :math:`s -
    |\rho| r - (1 - |\rho|) c`, with r = o above chance and w below, does not differ from 0 by t (Welch's, where
    chance took courses of its own): so chance's own error is in it, and an oracle near chance makes it wide.

    Parameters
    ----------
    score : array_like
        One score per course; larger or smaller may be better, as the oracle says. NaN is dropped.
    chance : array_like
        One score per course of a chance subject, or a number where chance is known exactly.
    oracle, worst : array_like
        The best and the worst score that can be had: a number, or one for each course's own instance.
    paired : bool
        Whether chance took its courses with the same seeds, in the same order.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        P, over courses. Refused where oracle and chance are the same.

    Examples
    --------
    >>> print(performance(score=[0.7, 0.8, 0.6, 0.7], chance=[0.2, 0.3, 0.1, 0.2, 0.2], oracle=1, worst=0))
    0.62 [0.47, 0.78] (n=4, t with chance's error)
    """
    check_level(level)
    part = _read({"score": score, "chance": chance, "oracle": oracle, "worst": worst}, paired=paired)
    value, note = part.level(), NO_WORST if worst is None else ""
    if value > 1 + 1e-9:
        note = f"{note} {BEYOND}".strip()
    value = float(np.clip(value, part.floor, 1))
    found = partial(without_interval, value, n=len(part.score))
    if len(part.score) == 1:
        return of_courses(found(reason="one course"), note=note)
    if len(part.chance) == 1 and np.ndim(chance):
        return of_courses(found(reason="one course of chance"), note=note)
    if is_constant(part.score) and is_constant(part.chance):
        return of_courses(found(reason=f"all {len(part.score)} courses are equal"), note=note)
    outside = partial(part.distance, level=level)
    if outside(value) > 0:
        return of_courses(found(reason="the scores lie beyond the scale"), note=note)
    low, high = (_edge(outside, inside=value, end=end) for end in (part.floor, 1.0))
    method = named("t with chance's error" if np.ndim(chance) else "t", level=level)
    return of_courses(Estimate(value, low, high, len(part.score), method), note=note)


def performance_parts(
    parts: Mapping[str, Part], *, weights: Mapping[str, float] | None = None, level: float = 0.95
) -> PerformanceParts:
    """Estimate the performance of several parts, such as accuracy, time and energy, apart and combined.

    The combination is the weighted mean of the parts' P; its interval is t over leave-one-out values, of courses and
    of chance's courses.

    Parameters
    ----------
    parts : mapping
        For each part its score, chance, oracle and worst, as `performance` takes them; the courses are the same in
        all parts. For time and energy the oracle is the least and the worst is the limit.
    weights : mapping, optional
        How much each part counts; made to sum to 1. Equal unless given.
    level : float
        Confidence level.

    Examples
    --------
    >>> accuracy = {"score": [0.7, 0.8, 0.6], "chance": 0.2, "oracle": 1, "worst": 0}
    >>> time = {"score": [20, 15, 25], "chance": 55, "oracle": 6.6, "worst": 60}
    >>> print(performance_parts({"accuracy": accuracy, "time": time}).combined)
    0.67 [0.39, 0.96] (n=3, t over leave-one-out values)
    """
    given = dict(weights or dict.fromkeys(parts, 1.0))
    if not parts or set(given) != set(parts) or min(given.values()) < 0 or sum(given.values()) <= 0:
        raise BadData(f"Give every part a weight from 0 up: {', '.join(parts)}; got {given}.")
    shares = {name: given[name] / sum(given.values()) for name in parts}
    read = {name: _read(part, paired=False) for name, part in parts.items()}
    counts = {(len(part.score), len(part.chance)) for part in read.values()}
    n, m = max(one for one, _ in counts), max(many for _, many in counts)
    if any(one != n or many not in (1, m) for one, many in counts):
        raise BadData(f"The parts must be of the same courses; got {sorted(counts)} of the subject and of chance.")

    def combined(courses: Any, chances: Any) -> float:
        return float(sum(shares[name] * np.clip(part.level(courses, chances), -1, 1) for name, part in read.items()))

    value, estimates = combined(slice(None), slice(None)), {k: performance(**part) for k, part in parts.items()}  # type: ignore[arg-type]
    if not all(found.has_interval for found in estimates.values()):
        return PerformanceParts(estimates, of_courses(without_interval(value, n=n, reason="a part has none")), shares)
    ours = [combined(np.arange(n) != i, slice(None)) for i in range(n)]
    theirs = [combined(slice(None), np.arange(m) != i) for i in range(m)] if m > 1 else [value, value]
    # The variance of a mean is that of its leave-one-out values times (n - 1)² / n.
    one, other = ((count - 1) ** 2 / count * float(np.var(left, ddof=1)) for count, left in ((n, ours), (m, theirs)))
    half = _quantile(one, other, n, m, level) * np.sqrt(one + other)
    low, high = max(-1.0, value - half), min(1.0, value + half)
    method = named("t over leave-one-out values", level=level)
    return PerformanceParts(estimates, of_courses(Estimate(value, float(low), float(high), n, method)), shares)


@dataclass(frozen=True, slots=True)
class _Scored:
    score: Floats
    chance: Floats
    oracle: Floats
    worst: Floats | None
    paired: bool
    floor: float = -1.0

    def level(self, courses: Any = slice(None), chances: Any = slice(None)) -> float:
        """Return P of the means of these courses, not held within -1 and 1."""
        s, o = self.score[courses].mean(), self.oracle[courses].mean()
        c = self.chance.mean() if len(self.chance) == 1 else self.chance[chances].mean()
        if self.worst is not None and (s - c) * (o - c) < 0:
            o = 2 * c - self.worst[courses].mean()
        return float((s - c) / (o - c))

    def distance(self, rho: float, *, level: float) -> float:
        """Return how far a performance lies outside the interval; at most 0 inside."""
        below = rho < 0 and self.worst is not None
        size = abs(rho) if below else rho
        ours, theirs = self.score - size * (self.worst if below else self.oracle), (1 - size) * self.chance  # type: ignore[operator]
        if self.paired:
            ours, theirs = ours - theirs, np.zeros(1)
        apart, n, m = ours.mean() - theirs.mean(), len(ours), len(theirs)
        one, other = ours.var(ddof=1) / n, theirs.var(ddof=1) / m if m > 1 else 0.0
        error, quantile = np.sqrt(one + other), _quantile(one, other, n, m, level)
        # Times and energies are skewed; the correction is Hall's, as in `number_estimate`.
        skew = (_third(ours) / n**2 - _third(theirs) / m**2) / max(error, 1e-100) ** 3
        low, high = (error * undo_skew(end * quantile, skew) for end in (-1, 1))
        return float(max(low - apart, apart - high))


def _read(part: Part, *, paired: bool) -> _Scored:
    score, chance = (numbers(cast(ArrayLike, part[name]), name=f"{name}s") for name in ("score", "chance"))
    if paired and len(chance) != len(score):
        raise BadData(f"Paired courses of chance are as many as the subject's; got {len(chance)} and {len(score)}.")
    sides: dict[str, Any] = {name: part[name] for name in ("oracle", "worst") if part.get(name) is not None}
    for name, given in sides.items():
        if np.size(given) not in (1, len(score)):
            raise BadData(f"Give one {name}, or one for each of {len(score)} courses; got {np.size(given)}.")
    best, least = (
        np.broadcast_to(numbers(sides.get(name, np.nan), name=name), score.shape) for name in ("oracle", "worst")
    )
    known = ~np.isnan(score) & ~np.isnan(best) & (~np.isnan(chance) if paired else True)
    score, best, least = score[known], best[known], least[known]
    chance = chance[known] if paired else chance[~np.isnan(chance)]
    if not len(score) or not len(chance):
        raise BadData("Performance needs at least one scored course, and one score of chance or its exact value.")
    centre, top = chance.mean(), best.mean()
    if abs(top - centre) <= 1e-9 * max(abs(top), abs(centre), 1e-300):
        raise BadData(
            f"Oracle and chance both score {top:.4g}: nothing lies between them to measure. Take another task."
        )
    # Where chance scores the worst there is, nothing lies below it.
    lowest = "worst" in sides and bool(np.isclose(least.mean(), centre, rtol=1e-9, atol=1e-300))
    if "worst" in sides and not lowest and (least.mean() - centre) * (top - centre) >= 0:
        raise BadData(
            f"The worst score lies beyond chance ({centre:.4g}), away from the oracle; got {least.mean():.4g}."
        )
    return _Scored(score, chance, best, least if "worst" in sides and not lowest else None, paired, -1 + lowest)


def _edge(outside: Callable[[float], float], *, inside: float, end: float) -> float:
    from scipy.optimize import brentq

    return end if outside(end) <= 0 else float(brentq(outside, inside, end, xtol=1e-10))


def _quantile(one: float, other: float, n: int, m: int, level: float) -> float:
    """Return the quantile of t, at Welch's degrees of freedom, of two variances of means."""
    from scipy.special import stdtrit

    parts = [part**2 / (count - 1) for part, count in ((one, n), (other, m)) if count > 1]
    freedom = (one + other) ** 2 / sum(parts) if sum(parts) > 0 else n - 1
    return float(stdtrit(freedom, (1 + level) / 2))


def _third(values: Floats) -> float:
    """Return the third central moment; 0 for fewer than 5 values, which do not show it."""
    return float(((values - values.mean()) ** 3).mean()) if len(values) >= 5 else 0.0
