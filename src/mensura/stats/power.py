"""Power: how many observations a difference needs before one looks for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, isnan, nan, sqrt
from typing import Literal

import numpy as np

from mensura.errors import BadData
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats, Values, observed, pairs
from mensura.stats.intervals.spread import spread_estimate
from mensura.stats.wording import figure

Design = Literal["unpaired", "paired"]
LEAST_EFFECT = 1e-5
BEYOND = 2e4
"""The critical t above which scipy's noncentral t fails: two pairs at an alpha of 3e-5."""


@dataclass(frozen=True, slots=True)
class Power(Finding):
    """The chance that a study finds a difference that is really there, by a two-sided t test.

    `n` counts each group, or pairs; `sd` is that of the scores within a group, or of the differences of pairs.
    `pilot` is the estimate of sd where it came from pilot data, and `cautious_n` the n for its upper 80 % bound.
    """

    design: Design
    n: int
    power: float
    difference: float
    sd: float
    alpha: float
    pilot: Estimate | None = None
    cautious_n: int | None = None

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        what = "per group" if self.design == "unpaired" else "pairs"
        of = "" if self.design == "unpaired" else " of the differences"
        words = (
            f"With {self.n} {what} and a standard deviation{of} of {figure(self.sd)}, a true difference of "
            f"{figure(self.difference)} is found in about {round(100 * self.power)} of 100 studies "
            f"(two-sided t test at {self.alpha:g})."
        )
        if self.pilot is None or self.cautious_n is None:
            return words
        return (
            f"{words} The standard deviation is known only from {self.pilot.n} pilot values, 95 % interval "
            f"{self.pilot.bracket}: {self.cautious_n} {what} are the safer choice."
        )


def power_of_difference(
    difference: float, *, sd: float, n: int, design: Design = "unpaired", alpha: float = 0.05
) -> Power:
    """Return the power of a study with `n` per group (or `n` pairs) for a true difference.

    Parameters
    ----------
    difference : float
        The true difference of means.
    sd : float
        Standard deviation of scores within a group; for pairs, of their differences.
    n : int
        Observations per group, or pairs.
    design : {"unpaired", "paired"}
        Two groups, or the same items or people twice.
    alpha : float
        Chance of a false alarm, two-sided.

    Returns
    -------
    Power
        With a sentence.

    Examples
    --------
    >>> print(power_of_difference(0.027, sd=0.08, n=30))  # doctest: +NORMALIZE_WHITESPACE
    With 30 per group and a standard deviation of 0.08, a true difference of 0.027 is found in about 25 of 100 studies
    (two-sided t test at 0.05).
    """
    _check(difference=difference, sd=sd, alpha=alpha)
    if n < 2:
        raise BadData(f"A study has at least 2 {'per group' if design == 'unpaired' else 'pairs'}; got {n}.")
    power = _power(abs(difference) / sd, n=n, design=design, alpha=alpha)
    if isnan(power):
        counted = f"{n} {'per group' if design == 'unpaired' else 'pairs'}"
        raise BadData(
            f"The power cannot be computed for {counted} at an alpha of {alpha:g}: plan for more observations."
        )
    return Power(design, int(n), power, float(difference), float(sd), alpha)


def sample_size(
    difference: float, *, sd: float, power: float = 0.8, design: Design = "unpaired", alpha: float = 0.05
) -> Power:
    """Return the least n per group (or pairs) that finds a true difference with the wanted power.

    Parameters
    ----------
    difference : float
        The smallest true difference worth finding; stated, not taken from a pilot.
    sd : float
        Standard deviation of scores within a group; for pairs, of their differences.
    power : float
        Wanted chance of finding it.
    design : {"unpaired", "paired"}
        Two groups, or the same items or people twice.
    alpha : float
        Chance of a false alarm, two-sided.

    Returns
    -------
    Power
        Its n is what was asked for.

    Examples
    --------
    >>> sample_size(0.027, sd=0.08).n
    139
    """
    _check(difference=difference, sd=sd, alpha=alpha)
    _check_power(power, alpha=alpha)
    if _power(abs(difference) / sd, n=2, design=design, alpha=alpha) >= power:
        return power_of_difference(difference, sd=sd, n=2, design=design, alpha=alpha)
    if abs(difference) / sd < LEAST_EFFECT:
        raise BadData(
            f"A difference of {difference:g} with a standard deviation of {sd:g} is too small to plan for: it would "
            "need more than 100 billion observations. State a larger one."
        )
    n = ceil(_needed(abs(difference) / sd, power=power, design=design, alpha=alpha) - 1e-6)
    return power_of_difference(difference, sd=sd, n=n, design=design, alpha=alpha)


def sample_size_from_pilot(
    *,
    first: Values,
    second: Values,
    difference: float,
    power: float = 0.8,
    design: Design = "unpaired",
    alpha: float = 0.05,
) -> Power:
    """Return the n for a stated difference, with the spread from pilot data.

    A pilot's spread is uncertain, and half of all pilots show too little of it; `cautious_n` therefore uses the upper
    bound of a one-sided 80 % interval of the standard deviation [1]_.

    Parameters
    ----------
    first, second : array_like or mapping
        Pilot scores of both conditions; for pairs, of the same items or people.
    difference : float
        The smallest true difference worth finding; the pilot's own difference is too uncertain to plan by.
    power, design, alpha
        As in `sample_size`.

    Returns
    -------
    Power
        With `pilot` and `cautious_n`.

    References
    ----------
    .. [1] Browne (1995), Statistics in Medicine 14, 1933-1940.

    Examples
    --------
    >>> plan = sample_size_from_pilot(first=[5, 7, 6, 8, 7], second=[4, 6, 7, 5, 6], difference=1.0)
    >>> plan.n, plan.cautious_n
    (22, 37)
    """
    if design == "paired":
        left, right, _ = pairs(first=first, second=second)
        differences = left - right
        freedom, count = len(differences) - 1, len(differences)
        squares = ((differences - differences.mean()) ** 2).sum() if count else 0.0
    else:
        sides = [_side(first), _side(second)]
        count = sum(len(side) for side in sides)
        freedom = count - 2
        squares = sum(((side - side.mean()) ** 2).sum() for side in sides if len(side))
    if freedom < 1 or squares <= 0:
        raise BadData(f"A pilot must show some spread: at least 3 values that differ; got {count}.")
    deviation = sqrt(float(squares) / freedom)
    plan = sample_size(difference, sd=deviation, power=power, design=design, alpha=alpha)
    pilot = spread_estimate(deviation, freedom=freedom, n=count)
    upper = spread_estimate(deviation, freedom=freedom, n=count, level=0.6).high
    cautious = sample_size(difference, sd=upper, power=power, design=design, alpha=alpha).n
    return Power(design, plan.n, plan.power, plan.difference, deviation, alpha, pilot, cautious)


def detectable_difference(
    *, sd: float, n: int, power: float = 0.8, design: Design = "unpaired", alpha: float = 0.05
) -> Power:
    """Return the least true difference that a study of this size finds with the wanted power.

    Parameters
    ----------
    sd : float
        Standard deviation of scores within a group; for pairs, of their differences.
    n : int
        Observations per group, or pairs.
    power, design, alpha
        As in `sample_size`.

    Returns
    -------
    Power
        Its difference is what was asked for.

    Examples
    --------
    >>> round(detectable_difference(sd=0.08, n=30).difference, 3)
    0.059
    """
    _check(difference=1.0, sd=sd, alpha=alpha)
    _check_power(power, alpha=alpha)
    from scipy.optimize import brentq

    def shortfall(effect: float) -> float:
        return power_of_difference(effect * sd, sd=sd, n=n, design=design, alpha=alpha).power - power

    upper = 1.0
    while shortfall(upper) < 0:
        upper *= 2
    effect = float(brentq(shortfall, 1e-9, upper, xtol=1e-10))
    return power_of_difference(effect * sd, sd=sd, n=n, design=design, alpha=alpha)


def _needed(effect: float, *, power: float, design: Design, alpha: float) -> float:
    """Return the n at which the power is the one that is wanted, as a real number; more than 2."""
    from scipy.optimize import brentq

    def shortfall(n: float) -> float:
        found = _power(effect, n=n, design=design, alpha=alpha)
        return -power if isnan(found) else found - power

    upper = 4.0
    while shortfall(upper) < 0:
        upper *= 2
    return float(brentq(shortfall, upper / 2, upper, rtol=1e-12))


def _power(effect: float, *, n: float, design: Design, alpha: float) -> float:
    """Return the power of the two-sided t test from the noncentral t distribution; NaN where that fails."""
    from scipy.special import nctdtr, stdtrit

    if design not in ("unpaired", "paired"):
        raise BadData(f"The design is unpaired or paired; got {design!r}.")
    freedom, shift = (2 * n - 2, effect * sqrt(n / 2)) if design == "unpaired" else (n - 1, effect * sqrt(n))
    # From the lower tail: 1 - alpha / 2 would lose the digits of a small alpha.
    critical = -stdtrit(freedom, alpha / 2)
    if critical > BEYOND:
        return nan
    missed = [nctdtr(freedom, shift, critical), nctdtr(freedom, shift, -critical)]
    # scipy gives NaN for some tails that lie beyond the sixth standard deviation; they are nothing.
    below, far_below = np.nan_to_num(missed, nan=0.0)
    return float(1 - below + far_below)


def _side(values: Values) -> Floats:
    return observed(list(values.values()) if isinstance(values, Mapping) else values, name="pilot scores")


def _check(*, difference: float, sd: float, alpha: float) -> None:
    if not (np.isfinite(difference) and difference != 0):
        raise BadData(f"The difference to find is a number other than 0; got {difference}.")
    if not (np.isfinite(sd) and sd > 0):
        raise BadData(f"The standard deviation is more than 0; got {sd}.")
    if not 0 < alpha < 1:
        raise BadData(f"The chance of a false alarm lies between 0 and 1; got {alpha}.")


def _check_power(power: float, *, alpha: float) -> None:
    if not alpha < power < 1:
        raise BadData(f"The wanted power lies between the chance of a false alarm ({alpha:g}) and 1; got {power}.")
