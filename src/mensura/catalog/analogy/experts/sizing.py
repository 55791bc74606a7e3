"""Sizing: how many items a panel needs before its agreement is known well enough, and what agreement is possible."""

from functools import cache
from math import sqrt

import numpy as np

from mensura.errors import BadParameter
from mensura.stats import krippendorff_alpha
from mensura.stats.intervals.sample import Floats

LEAST = 10
"""Items below which no interval of agreement is printed."""
GRID = (10, 15, 20, 30, 40, 60, 80, 120, 160, 240)
STUDIES = 20
SEED = 3


def simulated_ratings(
    rng: np.random.Generator, *, items: int, raters: int, share: float, points: int = 5, mean: float = 3.5
) -> Floats:
    """Return made ratings, raters by items: a normal quality of each item and a normal error, cut to the scale.

    `share` is the part of the variance that is the items' before ratings are rounded to points.
    """
    quality = rng.normal(0, sqrt(share), items)
    error = rng.normal(0, sqrt(1 - share), (raters, items))
    return np.clip(np.round(mean + 1.1 * (quality + error)), 1, points)


@cache
def alpha_of_share(share: float, *, points: int = 5, mean: float = 3.5) -> float:
    """Return Krippendorff's alpha (interval) of the made ratings in the long run, by a large simulation.

    Of the expected disagreement, twice the variance of all ratings, alpha is what is not between raters of one item.
    """
    table = simulated_ratings(
        np.random.default_rng(SEED), items=400_000, raters=2, share=share, points=points, mean=mean
    )
    return float(1 - np.mean((table[0] - table[1]) ** 2) / (2 * np.var(table)))


@cache
def share_of_alpha(alpha: float, *, points: int = 5, mean: float = 3.5) -> float:
    """Return the share of variance at which the made ratings have this alpha."""
    if not 0 <= alpha < 0.95:
        raise BadParameter(f"The agreement that is expected lies from 0 to .95; got {alpha:g}.")
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if alpha_of_share(middle, points=points, mean=mean) < alpha else (low, middle)
    return (low + high) / 2


def items_needed(*, raters: int, alpha: float, width: float) -> int | None:
    """Return the least number of items at which the interval of alpha is at most so wide on average, by simulation.

    None where even the largest number tried does not do.

    Parameters
    ----------
    raters
        How many rate each item.
    alpha
        The agreement that is expected.
    width
        How wide the interval may be, from its lower to its upper bound.
    """
    if raters < 2:
        raise BadParameter(f"Agreement needs two raters or more for each item; got {raters}.")
    if not 0 < width < 2:
        raise BadParameter(f"The width of the interval lies between 0 and 2; got {width:g}.")
    share = share_of_alpha(round(alpha, 3))
    rng = np.random.default_rng([SEED, raters])
    for items in GRID:
        widths = []
        for _ in range(STUDIES):
            table = simulated_ratings(rng, items=items, raters=raters, share=share)
            found = krippendorff_alpha(table, scale="interval", rng=rng, resamples=299).coefficient
            if found.has_interval:
                widths.append(found.high - found.low)
        if widths and np.mean(widths) <= width:
            return items
    return None
