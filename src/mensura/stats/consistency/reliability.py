"""Reliability: whether the items of a scale hang together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats, check_level, table
from mensura.stats.wording import several, spoken

ACCEPTED = 0.7


@dataclass(frozen=True, slots=True)
class Reliability(Finding):
    """Cronbach's alpha of a scale.

    `with_rest` holds each item's correlation with the sum of the others, `without` alpha if the item is dropped.
    """

    alpha: Estimate
    items: int
    dropped: int
    with_rest: tuple[float, ...]
    without: tuple[float, ...]

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        left_out = f", {several(self.dropped, 'person')} with missing answers excluded" if self.dropped else ""
        left_out = left_out.replace("persons", "people")
        who = f"{self.items} items, {self.alpha.n} people{left_out}"
        if self.alpha.has_interval and self.alpha.low >= ACCEPTED:
            verdict = f"The items hang together well enough to be added up: Cronbach's alpha is {spoken(self.alpha)}"
        elif self.alpha.value >= ACCEPTED:
            verdict = (
                f"The items seem to hang together, but the data leave room for doubt: Cronbach's alpha is "
                f"{spoken(self.alpha)}"
            )
        else:
            verdict = (
                f"The items hang together less than is usually asked ({ACCEPTED}): Cronbach's alpha is "
                f"{spoken(self.alpha)}"
            )
        return f"{verdict} ({who})."


def cronbach_alpha(
    answers: ArrayLike, *, reverse: Sequence[int] = (), scale: tuple[float, float] | None = None, level: float = 0.95
) -> Reliability:
    r"""Estimate the reliability of a sum of items, :math:`\frac{k}{k-1}(1 - \sum s_i^2/s_{sum}^2)`.

    The interval is Feldt's [1]_: :math:`(1-\alpha)/(1-\hat\alpha)` is distributed as F with n - 1 and (n - 1)(k - 1)
    degrees of freedom, for normal answers with equal covariances.

    Parameters
    ----------
    answers : array_like
        A table of people by items; people with a missing answer are excluded and counted.
    reverse : sequence of int
        Columns of items worded the other way round, to be turned within `scale`.
    scale : (float, float), optional
        Least and greatest answer; needed for `reverse`.
    level : float
        Confidence level.

    Returns
    -------
    Reliability
        With a sentence.

    References
    ----------
    .. [1] Feldt, Woodruff and Salih (1987), Applied Psychological Measurement 11, 93-103.

    Examples
    --------
    >>> answers = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> print(cronbach_alpha(answers).alpha)
    0.91 [0.68, 0.99] (n=6, Feldt)
    """
    check_level(level)
    known, dropped = _complete(answers)
    known = _turned(known, reverse=reverse, scale=scale)
    people, items = known.shape
    if (np.ptp(known, axis=0) == 0).all() or known.sum(axis=1).var() == 0:
        raise BadData("Everybody has the same scores, so reliability cannot be estimated.")
    value = _alpha(known)
    from scipy.special import fdtri

    tail = (1 - level) / 2
    freedoms = (people - 1, (people - 1) * (items - 1))
    low, high = 1 - (1 - value) * fdtri(*freedoms, 1 - tail), 1 - (1 - value) * fdtri(*freedoms, tail)
    estimate = Estimate(value, float(low), float(high), people, named("Feldt", level=level))
    rest = [np.delete(known, i, axis=1) for i in range(items)]
    return Reliability(
        alpha=estimate,
        items=items,
        dropped=dropped,
        with_rest=tuple(_correlation(known[:, i], others.sum(axis=1)) for i, others in enumerate(rest)),
        without=tuple(_alpha(others) for others in rest),
    )


def _complete(answers: ArrayLike) -> tuple[Floats, int]:
    everything = table(answers, name="answers", rows="people", columns="items")
    known = everything[~np.isnan(everything).any(axis=1)]
    if known.shape[1] < 2 or len(known) < 2:
        raise BadData(
            f"Reliability needs two items and two people who answered them all; got {known.shape[1]} items and "
            f"{len(known)} such people."
        )
    return known, len(everything) - len(known)


def _turned(known: Floats, *, reverse: Sequence[int], scale: tuple[float, float] | None) -> Floats:
    if not reverse:
        return known
    if scale is None:
        raise BadData("To reverse items, give the lowest and highest answer, as in scale=(1, 7).")
    least, greatest = scale
    if known.min() < least or known.max() > greatest:
        raise BadData(f"Answers lie between {least} and {greatest} as scale says; got {known.min()} to {known.max()}.")
    if stray := [item for item in reverse if not 0 <= item < known.shape[1]]:
        raise BadData(f"Items to reverse are columns 0 to {known.shape[1] - 1}; got {stray}.")
    turned = known.copy()
    turned[:, list(reverse)] = least + greatest - turned[:, list(reverse)]
    return turned


def _alpha(known: Floats) -> float:
    items, total = known.shape[1], known.sum(axis=1).var(ddof=1)
    if items < 2 or total == 0:
        return float("nan")
    return float(items / (items - 1) * (1 - known.var(axis=0, ddof=1).sum() / total))


def _correlation(one: Floats, other: Floats) -> float:
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])
