"""Pairing: the units that two subjects share, and the moments of their differences."""

from dataclasses import dataclass, replace
from math import inf, nan

import numpy as np

from mensura.stats.intervals.bounded import FEW
from mensura.stats.intervals.moments import Moments, nothing, of_units
from mensura.stats.intervals.sample import Floats
from mensura.stats.models.two_way import two_way
from mensura.stats.observations import Factor, Observations
from mensura.stats.population import CROSSED, PEOPLE_AND_ITEMS, counted, factor_of, unit_of
from mensura.stats.scale import Scale

UNSEEN_CHANGES = 2


@dataclass(frozen=True, slots=True)
class Pairs:
    """The scores of two subjects on the units that both met, and how many units only one of them met."""

    first: Observations
    second: Observations
    factor: Factor
    unmatched: int

    @property
    def left(self) -> Floats:
        """The unit means of the first."""
        return self.first.means(self.factor)

    @property
    def right(self) -> Floats:
        """The unit means of the second."""
        return self.second.means(self.factor)


def pair(first: Observations, second: Observations, *, population: str) -> Pairs:
    """Pair by item, where the population has items, or else by session or course.

    >>> one, other = Observations([1, 0], items=["a", "b"]), Observations([1, 1], items=["b", "c"])
    >>> found = pair(one, other, population="items")
    >>> found.left, found.right, found.unmatched
    (array([0.]), array([1.]), 2)
    """
    factor: Factor = "items" if population in CROSSED else factor_of(population)
    ours, theirs = set(first.names(factor)), set(second.names(factor))
    shared = sorted(ours & theirs)
    return Pairs(first.only(factor, shared), second.only(factor, shared), factor, len(ours ^ theirs))


def paired_moments(pairs: Pairs, *, population: str, scale: Scale) -> Moments:
    r"""Return the mean difference of paired units, with its variance for the population.

    Units of one kind: :math:`s^2(d)/n`. Items crossed with sessions, which are different ones for the two:
    :math:`s^2(d)/I` over items, plus for each side what its sessions add, the variance of session means over their
    number less what single answers already add; Satterthwaite's degrees of freedom. The same people on the same
    items: `two_way` over the differences of cells.
    """
    differences, unit = pairs.left - pairs.right, unit_of(population)
    if len(differences) == 0:
        return nothing("item" if population in CROSSED else unit)
    if population not in CROSSED:
        return _cautious(of_units(differences, unit=unit), scale=scale)
    factor = factor_of(population)
    shared = set(pairs.first.names(factor)) & set(pairs.second.names(factor))
    if population == PEOPLE_AND_ITEMS and len(shared) > 1:
        return _same_people(pairs, shared=sorted(shared), factor=factor)
    return _crossed(pairs, differences, factor=factor, unit=unit)


def _cautious(moments: Moments, *, scale: Scale) -> Moments:
    """Where nearly all pairs are alike, allow for two more that differ as far as they can."""
    if not scale.is_bounded or moments.n < FEW or int((moments.units != 0).sum()) >= FEW:
        return moments
    return replace(moments, variance=moments.variance + UNSEEN_CHANGES * (scale.width / moments.n) ** 2)


def _crossed(pairs: Pairs, differences: Floats, *, factor: Factor, unit: str) -> Moments:
    items, sides = len(differences), (pairs.first, pairs.second)
    counts = [side.count(factor) for side in sides]
    over = f"the same {counted(items, 'item')}, {counts[0]} and {counted(counts[1], unit)}"
    n = min(items, *counts)
    smaller = unit if min(counts) <= items else "item"
    mean = float(differences.mean())
    if n == 1:
        return Moments(mean, nan, 0.0, np.array([mean]), 1, smaller, over)
    variance = float(differences.var(ddof=1)) / items
    fourth = variance**2 / (items - 1)
    for side, count in zip(sides, counts, strict=True):
        found = two_way(side.cells("items", factor))
        variance += max(0.0, found.across - found.rest)
        fourth += found.across**2 / (count - 1)
    freedom = variance**2 / fourth if fourth > 0 else float(n - 1)
    return Moments(mean, variance, freedom, differences, n, smaller, over)


def _same_people(pairs: Pairs, *, shared: list[str], factor: Factor) -> Moments:
    left = pairs.first.only(factor, shared).table("items", factor)
    right = pairs.second.only(factor, shared).table("items", factor)
    differences = left - right
    at = np.argwhere(~np.isnan(differences))
    together = Observations(differences[~np.isnan(differences)], items=at[:, 0], sessions=at[:, 1])  # type: ignore[arg-type]
    items, people = together.count("items"), together.count("sessions")
    over = f"the same {counted(items, 'item')} and {counted(people, 'person')}"
    n, smaller = min(items, people), "person" if people <= items else "item"
    if n < 2:
        mean = float(together.values.mean()) if len(together) else nan
        return Moments(mean, nan, 0.0, together.values[:1], n, smaller, over)
    found = two_way(together.cells("items", "sessions"))
    more = found.rows if items >= people else found.columns
    return Moments(found.mean, found.variance, found.freedom, more, n, smaller, over, inf)
