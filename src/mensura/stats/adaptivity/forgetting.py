"""Forgetting: what is lost between two probes of the same courses, or over pauses."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mensura.stats.adaptivity.courses import cut
from mensura.stats.comparisons.paired import PairedDifference, paired_difference
from mensura.stats.comparisons.two_sample import TwoSampleDifference, two_sample_difference
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE
from mensura.stats.intervals.ratio import ratio_estimate
from mensura.stats.intervals.sample import Values, numbers, pairs
from mensura.stats.scale import Scale
from mensura.stats.wording import several, size, spoken


@dataclass(frozen=True, slots=True)
class Forgetting(Finding):
    """The loss between two probes; `loss` is before minus after, `kept` the share of the gain over a baseline."""

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
            return f"The score {verb} by {size(self.loss)} ({numbers}).{share}"
        return f"The data do not show forgetting: the score drops by {spoken(self.loss)} ({numbers}).{share}"


def forgetting(
    *,
    before: Values,
    after: Values,
    baseline: Values | None = None,
    paired: bool = True,
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> Forgetting:
    """Return what subjects lose between a probe and a later one.

    Parameters
    ----------
    before, after : array_like or mapping
        For each subject its score at the end of training and after other things were learned, or time passed.
    baseline : array_like or mapping, optional
        For each subject its score before any training; then the share of the gain that is kept is given too, with
        Fieller's interval.
    paired : bool
        Whether the same subjects were probed both times; else they are groups, the interval is Welch's, and no share
        is given.
    scale : Scale
        What a level can be: intervals of levels stay within it, that of the loss within what two can differ by.
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
    0.27 [0.12, 0.41] (n=3, t)
    """
    if not paired:
        groups = [list(_by_subject(side).values()) for side in (before, after)]
        found: PairedDifference | TwoSampleDifference = two_sample_difference(
            first=groups[0], second=groups[1], level=level
        )
    else:
        found = paired_difference(first=before, second=after, level=level)
    kept = None if baseline is None or not paired else _kept(before, after, baseline, level=level)
    first, second = (cut(one, scale=scale) for one in (found.first, found.second))
    return Forgetting(first, second, cut(found.difference, scale=scale.difference()), kept)


def retention(
    *,
    before: Values,
    after: Mapping[float, Values],
    baseline: Values | None = None,
    paired: bool = True,
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> dict[float, Forgetting]:
    """Return what is lost and kept after pauses of several lengths, each as in `forgetting`, the shortest first.

    >>> found = retention(before=[0.9, 0.8, 0.9], after={7: [0.6, 0.4, 0.7], 1: [0.8, 0.8, 0.7]})
    >>> {pause: round(lost.loss.value, 3) for pause, lost in found.items()}
    {1: 0.1, 7: 0.3}
    """
    return {
        pause: forgetting(before=before, after=after[pause], baseline=baseline, paired=paired, scale=scale, level=level)
        for pause in sorted(after)
    }


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
