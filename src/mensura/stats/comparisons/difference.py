"""Differences between two subjects' scores, for what they generalise to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil, hypot, isnan, nan

import numpy as np

from mensura.dialogue.score import Score
from mensura.stats.advice import note_of
from mensura.stats.comparisons.effect_size import hedges_g, paired_effect
from mensura.stats.comparisons.pairing import Pairs, pair, paired_moments
from mensura.stats.comparisons.permutation import paired_permutation, two_sample_permutation
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE, estimate_score, with_sessions
from mensura.stats.intervals.bootstrap import record_generator
from mensura.stats.intervals.bounded import FEW
from mensura.stats.intervals.interval import Interval, interval_of
from mensura.stats.intervals.moments import Moments, moments_of
from mensura.stats.intervals.sample import check_level, check_names
from mensura.stats.intervals.tango import tango_interval
from mensura.stats.observations import Observations
from mensura.stats.population import CROSSED, ITEMS, THESE_ITEMS, counted, factor_of, plural, unit_of
from mensura.stats.scale import Scale
from mensura.stats.wording import advantage, ahead, figure, frequency, size

LEAST_PAIRS = 6
LEAST_EACH = 4
FAR = 100_000
SMALL = 0.05
MOST_PERMUTED = 20_000
"""From this number of units on, no permutation test is needed."""
DRAWN = 20_000_000
ROUNDING = 1e-12
Bounds = Callable[[float], Interval | None]


@dataclass(frozen=True, slots=True)
class ScoreDifference(Finding):
    """The difference of two subjects, for what the comparison generalises to.

    `difference` is first minus second; `p` is the smallest error rate at which its interval leaves out 0, so that
    p <= .05 just where the printed 95 % interval does; of right and wrong answers it is that of the exact test where
    that is larger, and both must agree before anything is claimed. `p_permutation` stands beside it from 6 pairs on,
    or 4 units on each side; `matched` counts units that both met, `unmatched` those that only one of them did; `needed`
    is about how many units the interval would need to leave out 0 if the difference stayed as it is, 0 where that is
    not known;
    `small` says that all of the interval lies within a twentieth of the scale from 0.
    """

    names: tuple[str, str]
    first: Estimate
    second: Estimate
    difference: Estimate
    effect: Estimate
    p: float
    p_permutation: float
    matched: int
    unmatched: int
    unit: str
    paired: bool
    needed: int
    small: bool
    level: float
    scores: tuple[Score, ...] = ()

    @property
    def is_claim(self) -> bool:
        """Return whether the printed interval leaves out 0 and chance alone would seldom give as much."""
        return self.difference.excludes(0) and self.p <= 1 - self.level + ROUNDING

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        first, second = self.names
        if isnan(self.difference.value):
            unknown = [
                name for name, side in zip(self.names, (self.first, self.second), strict=True) if isnan(side.value)
            ]
            # Of pairs neither side has a value where none was found, whatever each of them scored.
            nobody = unknown and not (self.paired and len(unknown) == 2)
            why = f"no score of {' or '.join(unknown)} is known" if nobody else f"they share no {self.unit}"
            return f"{first} and {second} cannot be compared: {why}{self._left_out}."
        if not self.difference.has_interval:
            return f"{first} and {second} cannot be compared{self._seen}: {_lower(self.difference.note)}"
        higher = self._ahead
        by = f"by {size(self.difference)} {self._over}"
        chance = (
            f"if there were no difference, chance alone would give one this large in {frequency(self.p)} such studies"
        )
        if self.is_claim:
            return f"{higher} {by}; {chance}."
        higher = f"{higher}, {by.removeprefix('by ')}" if self.difference.value == 0 else f"{higher} {by}"
        if self.small:
            return f"No difference was found, and none larger than the interval shows is likely: {higher}."
        # Of so few units the error rate says more of the method than of the subjects.
        likely = "" if self.difference.n < FEW else f", and {chance}"
        return (
            f"Too little data to say which {advantage(self.scores)}: {higher}{likely}. {self._how_many} "
            "That is not proof that they are equal."
        )

    @property
    def _how_many(self) -> str:
        if self.difference.population in CROSSED:
            times = ceil(self.needed / max(1, self.difference.n)) if self.needed else 4
            tells = "be needed to tell, if the difference stays the same" if self.needed else "about halve the interval"
            return f"About {times} times as many {self.difference.population} would {tells}."
        if not self.needed:
            return f"Four times as many {plural(self.unit)} would about halve the interval."
        return (
            f"About {counted(self.needed, self.unit)} would be needed to tell, if the difference and "
            "the spread stay the same."
        )

    @property
    def _over(self) -> str:
        if self.paired:
            return f"on the same {counted(self.matched, self.unit)}{self._left_out}"
        return f"({self.first.n} against {counted(self.second.n, self.unit)})"

    @property
    def _left_out(self) -> str:
        return f" ({counted(self.unmatched, self.unit)} not met by both left out)" if self.unmatched else ""

    @property
    def _seen(self) -> str:
        value = self.difference.value
        if value == 0:
            return f" (they score alike {self._over})"
        return f" ({self._ahead} by {figure(abs(value))} {self._over})"

    @property
    def _ahead(self) -> str:
        return ahead(self.names, self.difference.value, scores=self.scores)


def score_difference(
    *,
    first: Observations,
    second: Observations,
    population: str,
    scale: Scale = ANYWHERE,
    names: Sequence[str] = ("A", "B"),
    paired: bool,
    apart: bool = True,
    level: float = 0.95,
    score: Score | None = None,
) -> ScoreDifference:
    """Compare two subjects' scores.

    ================================================  ================================================================
    comparison                                        interval
    ================================================  ================================================================
    the same items, right or wrong, one answer each   Tango's score interval [1]_
    the same items, sessions, courses or people       that of a mean (`interval_of`) over the differences of units
    the same items in different sessions              the same, with what the sessions of both add to the variance
    different ones, or these items only               MOVER: from the intervals of both [2]_
    ================================================  ================================================================

    Parameters
    ----------
    first, second : Observations
        The scores of both.
    population : str
        What to generalise to: one of `mensura.stats.population.POPULATIONS`.
    scale : Scale
        What the score can be.
    names : sequence of str
        What to call the two in the sentence.
    paired : bool
        Whether both met the same items (or sessions, courses, people), known by their labels.
    apart : bool
        Whether each item was its own dialogue, on both sides.
    level : float
        Confidence level.
    score : Score, optional
        What the numbers are declared to be, so that the sentence names it and says who does better.

    Returns
    -------
    ScoreDifference
        Both estimates, their difference, p-values, and a sentence that claims a difference only where the interval
        leaves out 0.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908.
    .. [2] Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> ada = Observations([99.98, 99.97, 99.99, 99.98, 99.98], sessions=list("abcde"))
    >>> bob = Observations([43, 44, 42, 43, 43], sessions=list("abcde"))
    >>> found = score_difference(first=ada, second=bob, population="sessions", scale=Scale(0, 100), paired=True,
    ...                          names=("ada", "bob"))
    >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
    ada scores higher than bob by 57 [46, 67] on the same 5 sessions; if there were no difference, chance alone would
    give one this large in about 2 of 10000 such studies.
    """
    check_level(level)
    pairs = pair(first, second, population=population) if paired else None
    ours, theirs = (pairs.first, pairs.second) if pairs else (first, second)
    bounds, moments = _comparison(first, second, pairs=pairs, population=population, scale=scale, apart=apart)
    difference = _estimate(bounds, moments, population=population, scale=scale, level=level)
    note = with_sessions(difference.note, ours, theirs, population=population, apart=apart)
    difference = replace(difference, note=note)
    p = _p(bounds, difference=difference, level=level)
    permuted, effect = _beside(ours, theirs, population=population, paired=paired, level=level)
    return ScoreDifference(
        names=check_names(names),
        first=estimate_score(ours, population=population, scale=scale, apart=apart, level=level),
        second=estimate_score(theirs, population=population, scale=scale, apart=apart, level=level),
        difference=difference,
        effect=effect,
        # Tango's test is an approximation, and the exact one is known wherever its interval is used.
        p=float(np.fmax(p, permuted)) if difference.method.startswith("Tango") else p,
        p_permutation=permuted,
        matched=ours.count(pairs.factor) if pairs else 0,
        unmatched=pairs.unmatched if pairs else 0,
        unit="item" if population in (*CROSSED, THESE_ITEMS) and paired else unit_of(population),
        paired=paired,
        needed=_needed(difference),
        small=_is_small(difference, scale=scale),
        level=level,
        scores=(score,) if score else (),
    )


def difference_estimate(
    *,
    first: Observations,
    second: Observations,
    population: str,
    scale: Scale = ANYWHERE,
    paired: bool,
    apart: bool = True,
    level: float = 0.95,
) -> Estimate:
    """Estimate the difference alone, as `score_difference` does.

    >>> one, other = Observations([0.9, 0.8, 0.7, 0.9, 0.8]), Observations([0.2, 0.1, 0.2, 0.3, 0.2])
    >>> print(difference_estimate(first=one, second=other, population="sessions", scale=Scale(0, 1), paired=False))
    0.62 [0.43, 0.76] (n=10, MOVER over 5 sessions against 5 sessions)
    """
    pairs = pair(first, second, population=population) if paired else None
    bounds, moments = _comparison(first, second, pairs=pairs, population=population, scale=scale, apart=apart)
    return _estimate(bounds, moments, population=population, scale=scale, level=level)


def _comparison(
    first: Observations, second: Observations, *, pairs: Pairs | None, population: str, scale: Scale, apart: bool
) -> tuple[Bounds, Moments]:
    for side in (first, second):
        scale.check(side.values)
    if pairs is None:
        return _mover(first, second, population=population, scale=scale, apart=apart)
    if population == THESE_ITEMS:
        return _mover(pairs.first, pairs.second, population=population, scale=scale, apart=apart)
    moments = paired_moments(pairs, population=population, scale=scale)
    once = len(pairs.first) == len(pairs.second) == moments.n > 0
    if scale.binary and population == ITEMS and once:
        gains, losses = int((moments.units > 0).sum()), int((moments.units < 0).sum())

        def by_tango(level: float) -> Interval:
            low, high = tango_interval(gains=gains, losses=losses, n=moments.n, level=level)
            return Interval(low, high, "Tango")

        # One pair shows nothing of what others would.
        return (by_tango if moments.n > 1 else lambda level: None), moments
    both = scale.difference()
    return (lambda level: interval_of(moments, scale=both, level=level, rare=False, skewed=False)), moments


def _mover(
    first: Observations, second: Observations, *, population: str, scale: Scale, apart: bool
) -> tuple[Bounds, Moments]:
    ours = moments_of(first, population=population, scale=scale, apart=apart)
    theirs = moments_of(second, population=population, scale=scale, apart=apart)
    value = ours.mean - theirs.mean

    def bounds(level: float) -> Interval | None:
        one = interval_of(ours, scale=scale, level=level, rare=False)
        other = interval_of(theirs, scale=scale, level=level, rare=False)
        plain = None if scale.is_bounded else _welch(ours, theirs, level=level)
        if one is None or other is None:
            return plain
        low = value - hypot(ours.mean - one.low, other.high - theirs.mean)
        high = value + hypot(one.high - ours.mean, theirs.mean - other.low)
        if plain is None:
            return Interval(low, high, "MOVER")
        # Without two bounds a few large values decide: the wider of both on each side.
        return Interval(min(low, plain.low), max(high, plain.high), "MOVER and Welch's t")

    n = ours.n + theirs.n if min(ours.n, theirs.n) else 0
    least = ours if ours.n <= theirs.n else theirs
    over = f"{ours.over} against {theirs.over}"
    return bounds, replace(least, mean=value, n=n if least.n != 1 else 1, over=over)


def _welch(ours: Moments, theirs: Moments, *, level: float) -> Interval | None:
    """Return Welch's interval; a side that never varied is supposed to vary as the other one does."""
    from scipy.special import stdtrit

    if min(ours.n, theirs.n) < 2 or isnan(ours.variance) or isnan(theirs.variance):
        return None
    if ours.is_constant and theirs.is_constant:
        return None
    parts = [ours.variance, theirs.variance]
    if ours.is_constant:
        parts[0] = theirs.variance * theirs.n / ours.n
    if theirs.is_constant:
        parts[1] = ours.variance * ours.n / theirs.n
    total = sum(parts)
    freedom = total**2 / sum(part**2 / max(1.0, side.freedom) for part, side in zip(parts, (ours, theirs), strict=True))
    half = float(stdtrit(freedom, (1 + level) / 2)) * total**0.5
    value = ours.mean - theirs.mean
    return Interval(value - half, value + half, "Welch's t")


def _estimate(bounds: Bounds, moments: Moments, *, population: str, scale: Scale, level: float) -> Estimate:
    interval = bounds(check_level(level))
    note = note_of(moments, scale=scale.difference(), interval=interval, compares=True)
    if interval is None:
        why = "nothing was scored on both sides" if moments.n == 0 else f"one {moments.unit}"
        reason = why if moments.n < 2 else "the differences do not vary"
        return replace(without_interval(moments.mean, n=moments.n, reason=reason), population=population, note=note)
    method = named(f"{interval.method} over {moments.over}", level=level)
    return Estimate(moments.mean, interval.low, interval.high, moments.n, method, population, note)


def _p(bounds: Bounds, *, difference: Estimate, level: float) -> float:
    """Find the smallest error rate at which the interval leaves out 0."""
    if not difference.has_interval:
        return nan
    if difference.value == 0:
        return 1.0

    def excludes(error: float) -> bool:
        made = bounds(1 - error)
        return made is not None and not made.low <= 0 <= made.high

    least, most = (1e-12, 1 - level) if difference.excludes(0) else (1 - level, 1 - 1e-6)
    if excludes(least):
        return least
    if not excludes(most):
        return 1.0
    for _ in range(40):
        # Halved on the scale of logarithms, where p-values are read.
        middle = float(np.sqrt(least * most))
        least, most = (least, middle) if excludes(middle) else (middle, most)
    return most


def _beside(
    first: Observations, second: Observations, *, population: str, paired: bool, level: float
) -> tuple[float, Estimate]:
    """Return the p-value of a permutation test and the standardised size of the difference, where they make sense."""
    unknown = without_interval(nan, n=0, reason="several kinds of units vary")
    if population in (*CROSSED, THESE_ITEMS):
        return nan, unknown
    left, right = first.means(factor_of(population)), second.means(factor_of(population))
    if not paired:
        enough = min(len(left), len(right)) >= LEAST_EACH and len(left) + len(right) < MOST_PERMUTED
        # In an order of their own, so that exchanging the two subjects changes no p-value.
        one, other = sorted((left, right), key=lambda side: (len(side), side.tolist()))
        draws = max(999, min(9999, DRAWN // max(1, len(left) + len(right))))
        rng = record_generator(one, other)
        p = two_sample_permutation(first=one, second=other, rng=rng, resamples=draws).p if enough else nan
        return p, hedges_g(first=left, second=right, level=level)
    # Drawn from the sizes of the differences, so that exchanging the two subjects changes no p-value.
    rng = record_generator(np.abs(left - right))
    p = paired_permutation(first=left, second=right, rng=rng).p if len(left) >= LEAST_PAIRS else nan
    return p, paired_effect(first=left, second=right, level=level)


def _is_small(difference: Estimate, *, scale: Scale) -> bool:
    if not difference.has_interval or not scale.is_bounded or difference.excludes(0):
        return False
    return max(-difference.low, difference.high) <= SMALL * scale.width


def _needed(difference: Estimate) -> int:
    if not difference.has_interval or difference.excludes(0) or difference.value == 0 or difference.n < FEW:
        return 0
    half = difference.value - difference.low if difference.value > 0 else difference.high - difference.value
    needed = ceil(difference.n * (half / abs(difference.value)) ** 2)
    return needed if needed < FAR else 0


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
