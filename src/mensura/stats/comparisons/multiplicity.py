"""Multiplicity: many tests at once, with p-values adjusted for their number."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import numbers
from mensura.stats.wording import several


@dataclass(frozen=True, slots=True)
class Adjusted(Finding):
    """P-values of one family of tests, adjusted for its size; NaN where a test could not be made."""

    p: tuple[float, ...]
    adjusted: tuple[float, ...]
    method: Literal["Holm", "Benjamini-Hochberg"]
    level: float

    @property
    def kept(self) -> tuple[bool, ...]:
        """Return which differences are significant after the adjustment; never one whose test could not be made."""
        return tuple(bool(value <= self.level) for value in self.adjusted)

    @property
    def sentence(self) -> str:
        """Return how many differences are significant, and what that promises."""
        tests = sum(not np.isnan(value) for value in self.p)
        lost = len(self.p) - tests
        without = f"; {several(lost, 'test')} could not be made" if lost else ""
        if not self.p:
            return "No comparison was planned."
        if self.method == "Holm":
            promise = f"the chance that any of these is a false alarm is at most {self.level:g}"
        else:
            promise = f"at most a share of {self.level:g} of such findings is expected to be false"
        found = sum(self.kept)
        verb = "is" if found == 1 else "are"
        return f"{found} of {several(tests, 'difference')} {verb} significant after {self.method}{without}: {promise}."


def holm(p: ArrayLike, *, level: float = 0.05) -> Adjusted:
    """Adjust p-values so that the chance of any false alarm among them stays below the level.

    Parameters
    ----------
    p : array_like
        One p-value per test of the family; NaN where a test could not be made, and it does not count.
    level : float
        The chance of a false alarm that is accepted for the whole family.

    Returns
    -------
    Adjusted
        The adjusted values in the same order.

    References
    ----------
    .. [1] Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).kept
    (True, False, False)
    """
    return _adjusted(p, method="Holm", level=level)


def benjamini_hochberg(p: ArrayLike, *, level: float = 0.05) -> Adjusted:
    """Adjust p-values so that the expected share of false findings among the findings stays below the level.

    Parameters
    ----------
    p : array_like
        One p-value per test; NaN where a test could not be made, and it does not count.
    level : float
        The share of false findings that is accepted.

    Returns
    -------
    Adjusted
        The adjusted values in the same order.

    References
    ----------
    .. [1] Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57, 289-300.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).kept
    (True, True, True)
    """
    return _adjusted(p, method="Benjamini-Hochberg", level=level)


def _adjusted(p: ArrayLike, *, method: Literal["Holm", "Benjamini-Hochberg"], level: float) -> Adjusted:
    values = numbers(p, name="p-values")
    known = ~np.isnan(values)
    if ((values[known] < 0) | (values[known] > 1)).any():
        raise BadData(f"A p-value lies between 0 and 1; got {values[known].tolist()}.")
    adjusted = np.full(len(values), np.nan)
    order = np.argsort(np.where(known, values, 2))[: known.sum()]
    # Not by multipletests of statsmodels: it collects garbage at every call, and takes a second to import.
    rank = np.arange(1, len(order) + 1)
    if method == "Holm":
        raised = np.maximum.accumulate(values[order] * rank[::-1])
    else:
        raised = np.minimum.accumulate((values[order] / (rank / len(order)))[::-1])[::-1]
    adjusted[order] = raised.clip(max=1)
    return Adjusted(tuple(values.tolist()), tuple(adjusted.tolist()), method, level)
