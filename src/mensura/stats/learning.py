"""Learning: curves, transfer and forgetting over the phases of courses, one array per subject."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.comparisons.paired import paired_difference
from mensura.stats.comparisons.two_sample import two_sample_difference
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.mean import skewed_mean_estimate
from mensura.stats.intervals.ratio import ratio_estimate
from mensura.stats.intervals.sample import Floats, Values, numbers, pairs
from mensura.stats.wording import several, spoken


@dataclass(frozen=True, slots=True)
class LearningCurve(Finding):
    """Mean score of subjects, block of sessions by block, and the gain from the first block to the last."""

    points: tuple[Estimate, ...]
    gain: Estimate
    block: int
    subjects: int

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
            return f"The mean score {verb} by {_size(self.gain)} {course}, over {who}."
        return f"The data do not show learning: the change is {spoken(self.gain)} {course}, over {who}."


@dataclass(frozen=True, slots=True)
class Transfer(Finding):
    """What earlier training on something else does to the score; `effect` is trained minus untrained."""

    trained: Estimate
    untrained: Estimate
    effect: Estimate

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        numbers = f"trained {self.trained.value:.3g}, untrained {self.untrained.value:.3g}"
        if not self.effect.has_interval:
            why = self.effect.method.removeprefix("none: ")
            return f"Whether training carries over cannot be told: {why} ({numbers})."
        if self.effect.excludes(0):
            verb = "helps" if self.effect.value > 0 else "harms"
            return f"Earlier training {verb}: the score differs by {spoken(self.effect)} ({numbers})."
        return (
            f"The data do not show that training carries over: the score differs by {spoken(self.effect)} ({numbers})."
        )


@dataclass(frozen=True, slots=True)
class Forgetting(Finding):
    """What is lost between two probes; `loss` is before minus after, `kept` the share of the gain over a baseline."""

    before: Estimate
    after: Estimate
    loss: Estimate
    kept: Estimate | None

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        numbers = f"before {self.before.value:.3g}, after {self.after.value:.3g}, {several(self.loss.n, 'subject')}"
        share = "" if self.kept is None else f" Of what had been learned, a share of {spoken(self.kept)} is kept."
        if not self.loss.has_interval:
            why = self.loss.method.removeprefix("none: ")
            return f"The score drops by {self.loss.value:.3g}, with no error estimate: {why} ({numbers}).{share}"
        if self.loss.excludes(0):
            verb = "drops" if self.loss.value > 0 else "rises"
            return f"The score {verb} by {_size(self.loss)} ({numbers}).{share}"
        return f"The data do not show forgetting: the score drops by {spoken(self.loss)} ({numbers}).{share}"


def learning_curve(scores: Sequence[ArrayLike], *, block: int = 1, level: float = 0.95) -> LearningCurve:
    """Average the scores of subjects over blocks of sessions.

    Subjects are the units: each point's interval is t over subjects, corrected for skew from 5 on, and holds for that
    point alone. The gain is over subjects scored in both the first and the last block.

    Parameters
    ----------
    scores : sequence of array_like
        For each subject its scores in order, NaN where a session was not scored; a subject who left early has fewer.
    block : int
        How many sessions make a point; a last block that is not full is left out.
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
    The mean score rises by 0.367 [0.177, 0.556] from block 1 to block 2 (blocks of 2 sessions), over 3 subjects.
    """
    rows = [numbers(subject, name="scores of a subject") for subject in scores]
    longest = max((len(row) for row in rows), default=0)
    if block < 1 or longest // block < 1:
        raise BadData(f"A curve needs at least one whole block; got {longest} sessions in blocks of {block}.")
    points = longest // block
    means = np.array([[_mean(row[i * block : (i + 1) * block]) for i in range(points)] for row in rows])
    return LearningCurve(
        points=tuple(skewed_mean_estimate(means[:, i], level=level) for i in range(points)),
        gain=paired_difference(first=means[:, -1], second=means[:, 0], level=level).difference,
        block=block,
        subjects=len(rows),
    )


def transfer(*, trained: ArrayLike, untrained: ArrayLike, level: float = 0.95) -> Transfer:
    """Compare subjects who trained on something else before with other subjects who did not.

    Parameters
    ----------
    trained, untrained : array_like
        One score for each subject; the two groups are different subjects.
    level : float
        Confidence level.

    Returns
    -------
    Transfer
        With Welch's interval and a sentence.

    Examples
    --------
    >>> print(transfer(trained=[0.7, 0.8, 0.9, 0.8], untrained=[0.4, 0.5, 0.6, 0.5]))
    Earlier training helps: the score differs by 0.3 [0.159, 0.441] (trained 0.8, untrained 0.5).
    """
    found = two_sample_difference(first=trained, second=untrained, level=level)
    return Transfer(found.first, found.second, found.difference)


def branched_transfer(*, trained: Values, untrained: Values, level: float = 0.95) -> Transfer:
    """Compare the same subjects with and without training on something else, in branches of their courses.

    Parameters
    ----------
    trained, untrained : array_like or mapping
        For each subject its score in the branch after training and in the branch without.
    level : float
        Confidence level.

    Returns
    -------
    Transfer
        With t over the differences and a sentence.

    Examples
    --------
    >>> print(branched_transfer(trained=[0.7, 0.8, 0.9], untrained=[0.6, 0.8, 0.9]).effect)
    0.0333 [-0.11, 0.177] (n=3, t)
    """
    found = paired_difference(first=trained, second=untrained, level=level)
    return Transfer(found.first, found.second, found.difference)


def forgetting(*, before: Values, after: Values, baseline: Values | None = None, level: float = 0.95) -> Forgetting:
    """Return what subjects lose between a probe and a later one.

    Parameters
    ----------
    before, after : array_like or mapping
        For each subject its score at the end of training and after other things were learned, or time passed.
    baseline : array_like or mapping, optional
        For each subject its score before any training; then the share of the gain that is kept is given too, with
        Fieller's interval.
    level : float
        Confidence level.

    Returns
    -------
    Forgetting
        With a sentence.

    Examples
    --------
    >>> found = forgetting(before=[0.9, 0.8, 0.9], after=[0.6, 0.5, 0.7], baseline=[0.3, 0.2, 0.3])
    >>> print(found.loss)
    0.267 [0.123, 0.41] (n=3, t)
    """
    found = paired_difference(first=before, second=after, level=level)
    kept = None if baseline is None else _kept(before, after, baseline, level=level)
    return Forgetting(found.first, found.second, found.difference, kept)


def _kept(before: Values, after: Values, baseline: Values, *, level: float) -> Estimate:
    pairs(first=before, second=baseline)
    early, late, start = _by_subject(before), _by_subject(after), _by_subject(baseline)
    gained = {key: value - start.get(key, np.nan) for key, value in early.items()}
    remained = {key: value - start.get(key, np.nan) for key, value in late.items()}
    return ratio_estimate(numerator=remained, denominator=gained, level=level)


def _by_subject(values: Values) -> dict[str, float]:
    if isinstance(values, Mapping):
        return {str(key): float(value) for key, value in values.items()}
    return {str(i): float(value) for i, value in enumerate(numbers(values))}


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _size(estimate: Estimate) -> str:
    """Write an estimate without its sign, the interval turned with it."""
    if estimate.value >= 0:
        return spoken(estimate)
    return spoken(replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low))
