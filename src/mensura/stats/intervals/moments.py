"""Moments: a mean with its variance for a named population, before any interval is made of them."""

from dataclasses import dataclass, replace
from math import inf, nan

import numpy as np

from mensura.errors import BadData
from mensura.stats.intervals.sample import Floats, is_constant
from mensura.stats.models.two_way import two_way
from mensura.stats.observations import Observations
from mensura.stats.population import CROSSED, THESE_ITEMS, counted, factor_of, needs_items, unit_of
from mensura.stats.scale import Scale

ANSWERS_EACH = 5


@dataclass(frozen=True, slots=True)
class Moments:
    """A mean with its variance for the population it generalises to.

    `units` are what was averaged, of a crossed population the factor with more levels; `n` counts the units of the
    population, of a crossed one the smaller count; `most` is how many binary answers it can be worth at the most,
    infinite for other numbers; `over` says what was averaged in words. A freedom of 0 means that the variance cannot
    be known, an infinite one that it is an upper bound that needed no estimate.
    """

    mean: float
    variance: float
    freedom: float
    units: Floats
    n: int
    unit: str
    over: str
    most: float = inf

    @property
    def is_constant(self) -> bool:
        """Return whether nothing varies that could show an error."""
        return is_constant(self.units) or self.variance == 0

    @property
    def is_plain(self) -> bool:
        """Return whether the mean is that of independent units, so that their skewness is its own."""
        return self.n == len(self.units) and self.freedom == self.n - 1


def moments_of(observations: Observations, *, population: str, scale: Scale, apart: bool = True) -> Moments:
    r"""Return the mean of scores, with its variance and degrees of freedom for a population.

    ==================================  ==========================================================  ================
    population                          variance                                                    freedom
    ==================================  ==========================================================  ================
    items                               :math:`s^2` (item means) :math:`/I`                         :math:`I - 1`
    sessions, courses, people           :math:`s^2` (unit means) :math:`/n`                         :math:`n - 1`
    items and sessions, people and      see `two_way`                                               Satterthwaite
    items
    these items, each asked apart       :math:`\sum s_i^2/(I^2 J)` from 5 answers to each on, and   Satterthwaite,
                                        below :math:`m(1 - m)/(IJ)`, which is never too small [1]_  or infinite
    these items, in conversations       :math:`s^2` (session means) :math:`/J`: answers of one      :math:`J - 1`
                                        session may vary together
    ==================================  ==========================================================  ================

    References
    ----------
    .. [1] Hoeffding (1956), Annals of Mathematical Statistics 27, 713-721.
    """
    unit = unit_of(population)
    if not observations.has_items and needs_items(population):
        raise BadData(f"These scores are one number per session: they cannot generalise to {population}.")
    most = float(len(observations)) if scale.binary else inf
    if len(observations) == 0:
        return nothing(unit)
    if population == THESE_ITEMS and not apart and observations.count("sessions") > 1:
        return replace(of_units(observations.means("sessions"), unit="session"), most=most)
    if population == THESE_ITEMS:
        return _these_items(observations, scale=scale)
    if population in CROSSED:
        return replace(_crossed(observations, population=population), most=most)
    return replace(of_units(observations.means(factor_of(population)), unit=unit), most=most)


def nothing(unit: str) -> Moments:
    """Return the moments of no values at all."""
    return Moments(nan, nan, 0.0, np.empty(0), 0, unit, counted(0, unit))


def of_units(units: Floats, *, unit: str) -> Moments:
    """Return the mean of independent units with its variance.

    >>> of_units(np.array([1.0, 2, 3]), unit="item").variance
    0.3333333333333333
    """
    n = len(units)
    variance = float(units.var(ddof=1)) / n if n > 1 else nan
    return Moments(float(units.mean()), variance, float(n - 1), units, n, unit, counted(n, unit))


def _crossed(observations: Observations, *, population: str) -> Moments:
    factor, unit = factor_of(population), unit_of(population)
    items, units = observations.count("items"), observations.count(factor)
    n, over = min(items, units), f"{counted(items, 'item')} and {counted(units, unit)}"
    smaller = unit if units <= items else "item"
    cells = observations.cells("items", factor)
    if n == 1:
        mean = float(cells.values.mean())
        return Moments(mean, nan, 0.0, np.array([mean]), 1, smaller, over)
    found = two_way(cells)
    more = found.rows if items >= units else found.columns
    return Moments(found.mean, found.variance, found.freedom, more, n, smaller, over)


def _these_items(observations: Observations, *, scale: Scale) -> Moments:
    codes, held = observations.codes("items"), observations.answers("items")
    means = observations.means("items")
    items, n, mean = len(held), len(observations), float(means.mean())
    over = f"{counted(n, 'answer')} to {counted(items, 'item')}"
    unseen = 0.0
    if scale.is_bounded:
        if held.min() < ANSWERS_EACH:
            share = scale.share(mean)
            worth = float(items * held.min())
            upper = share * (1 - share) / worth * scale.width**2
            return Moments(mean, upper, inf, observations.values, n, "answer", over, worth)
        # One answer more that was unlike the others would add this much.
        unseen = float(((1 / held) ** 2).max()) / items**2 * scale.width**2
    elif held.min() < 2:
        return Moments(mean, nan, 0.0, observations.values, n, "answer", over)
    squares = np.bincount(codes, weights=(observations.values - means[codes]) ** 2, minlength=items)
    parts = squares / (held - 1) / held
    total, fourth = float(parts.sum()), float((parts**2 / (held - 1)).sum())
    freedom = total**2 / fourth if fourth > 0 else float((held - 1).sum())
    return Moments(mean, total / items**2 + unseen, freedom, observations.values, n, "answer", over)
