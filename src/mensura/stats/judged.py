"""Judged scores: what a judge says of all items, corrected by what people say of a random sample of them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.generalise import unit_estimate
from mensura.stats.intervals.bounded import FEW, ROUNDING, bounded_interval, off_the_end, rule_of_three
from mensura.stats.intervals.sample import Floats, check_level, numbers
from mensura.stats.scale import Scale
from mensura.stats.wording import several, spoken

UNCHECKED = "not checked against people: no estimate"
SHARE = Scale(0, 1)


@dataclass(frozen=True, slots=True)
class JudgedScore(Finding):
    """An estimate that rests on a judge and on people's labels of a random sample, with how far they differ."""

    estimate: Estimate
    """Of what people would say of all items; unknown where they have labelled none."""
    judged: int
    labelled: int
    disagreements: int
    """Labelled items of which the judge says something else than people."""
    weight: float = 0.0
    """How much of the judge's word counts, from 0 (the labelled items alone) to 1."""

    @property
    def is_checked(self) -> bool:
        """Return whether people have labelled anything."""
        return self.labelled > 0

    @property
    def sentence(self) -> str:
        """Return it as a sentence; a judge that nobody has checked gives no number."""
        if not self.is_checked:
            return f"{several(self.judged, 'item')} judged, {UNCHECKED}"
        differ = f"the judge differs from people on {self.disagreements} of {several(self.labelled, 'labelled item')}"
        return f"{spoken(self.estimate)}; {differ} ({self.estimate.method})"


def judged_score(
    *,
    labels: ArrayLike,
    judged: ArrayLike,
    others: ArrayLike,
    repeated: bool = False,
    scale: Scale = SHARE,
    level: float = 0.95,
) -> JudgedScore:
    r"""Estimate what people would say of all items from a judge and a random sample that people labelled.

    With :math:`n` labelled items :math:`(Y, f)` and :math:`N` others :math:`\tilde f`, the estimate is
    :math:`\bar Y + \lambda(\bar{\tilde f} - \bar f)` with
    :math:`\lambda = \mathrm{Cov}(Y, f) / ((1 + n/N) \mathrm{Var}(f))`, clipped to 0 to 1 [1]_. Its variance
    :math:`\lambda^2 \mathrm{Var}(\tilde f)/N + \mathrm{Var}(Y - \lambda f)/n` goes into `bounded_interval` with
    :math:`n - 1` degrees of freedom; with a normal interval, as published, 20 to 50 labels cover too little. Where
    judge and people differ on fewer than five labelled items, the judge's error is not known well enough: the
    labelled items alone count.

    Parameters
    ----------
    labels : array_like
        What people say of the labelled items, one number per item, from 0 to 1.
    judged : array_like
        What the judge says of the same items, in the same order.
    others : array_like
        What the judge says of the items that nobody labelled.
    repeated : bool
        Whether items were asked several times: labels are then of one answer each, others of the mean of all answers,
        which varies less.
    scale : Scale
        `Scale(binary=True)` where every label is 0 or 1 and can be nothing else.
    level : float
        Confidence level.

    References
    ----------
    .. [1] Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient prediction-powered inference, arXiv 2311.01453.

    Examples
    --------
    >>> labels, judge = [1] * 30 + [0] * 20, [1] * 26 + [0] * 4 + [0] * 17 + [1] * 3
    >>> found = judged_score(labels=labels, judged=judge, others=[1] * 300 + [0] * 150, scale=Scale(binary=True))
    >>> print(found.estimate)
    0.66 [0.55, 0.76] (n=50, PPI++ with Clopper-Pearson on an effective n over 50 labelled of 500 judged items)
    >>> judged_score(labels=[], judged=[], others=[1, 0, 1]).sentence
    '3 items judged, not checked against people: no estimate'
    """
    check_level(level)
    people, judge, rest = (_shares(values, name) for values, name in zip((labels, judged, others), NAMES, strict=True))
    if len(people) != len(judge):
        raise BadData(f"Every label needs what the judge says of it; got {len(people)} labels and {len(judge)}.")
    counts: dict[str, Any] = {
        "judged": len(judge) + len(rest),
        "labelled": len(people),
        "disagreements": int((np.abs(people - judge) > ROUNDING).sum()),
    }
    if not len(people):
        reason = UNCHECKED.partition(":")[0]
        return JudgedScore(without_interval(float("nan"), n=0, reason=reason, population="items"), **counts)
    weight = _weight(people, judge, rest, repeated=repeated) if counts["disagreements"] >= FEW else 0.0
    if weight == 0.0:
        alone = unit_estimate(people, unit="item", scale=scale, level=level)
        method = f"labelled items alone, {alone.method} of {counts['judged']} judged"
        return JudgedScore(replace(alone, method=method), **counts)
    return JudgedScore(_corrected(people, judge, rest, weight=weight, level=level), **counts, weight=weight)


NAMES = ("labels", "judgements of labelled items", "judgements of other items")


def _shares(values: ArrayLike, name: str) -> Floats:
    given = numbers(values, name=name)
    if np.isnan(given).any():
        raise BadData(f"The {name} must be known; leave out items that were not judged or not labelled.")
    return SHARE.check(given)


def _weight(people: Floats, judge: Floats, rest: Floats, *, repeated: bool) -> float:
    """Return how much of the judge's word makes the variance least; 0 where it tells nothing."""
    if len(rest) < 2 or len(judge) < 2:
        return 0.0
    pooled = float(np.concatenate([judge, rest]).var(ddof=1))
    single, mean = (float(judge.var(ddof=1)), float(rest.var(ddof=1))) if repeated else (pooled, pooled)
    spread = single + len(people) / len(rest) * mean
    together = float(((people - people.mean()) * (judge - judge.mean())).mean())
    return min(1.0, max(0.0, together / spread)) if spread > ROUNDING else 0.0


def _corrected(people: Floats, judge: Floats, rest: Floats, *, weight: float, level: float) -> Estimate:
    n = len(people)
    mean = float(people.mean() + weight * (rest.mean() - judge.mean()))
    variance = float(weight**2 * rest.var(ddof=1) / len(rest) + (people - weight * judge).var(ddof=1) / n)
    value = min(1.0, max(0.0, mean))
    if value in (0.0, 1.0):
        method, (low, high) = "PPI++ with the rule of three", rule_of_three(value, n=n, level=level)
    else:
        # Of few failures seen, or few successes, the judge's word cannot make more.
        most = n * 2.0 ** min(60, max(0, off_the_end(people) - FEW + 1))
        low, high = bounded_interval(value, variance=variance, freedom=n - 1, most=most, level=level)
        method = "PPI++ with Clopper-Pearson on an effective n"
    over = f"{n} labelled of {several(n + len(rest), 'judged item')}"
    return Estimate(value, low, high, n, named(f"{method} over {over}", level=level), "items")
