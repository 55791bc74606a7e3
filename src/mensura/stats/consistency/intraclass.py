"""Intraclass correlation: how far raters give the same items the same numbers."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.consistency.agreement import Agreement
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.intervals.sample import Floats, check_level, table

Kind = Literal["one-way", "agreement", "consistency"]


def intraclass_correlation(
    ratings: ArrayLike, *, kind: Kind = "agreement", averaged: bool = False, level: float = 0.95
) -> Agreement:
    """Estimate the share of the variance of numerical ratings that is due to the items.

    ==============  ============================================================  ====================
    kind            raters                                                        Shrout and Fleiss
    ==============  ============================================================  ====================
    one-way         others for each item                                          ICC(1,1), ICC(1,k)
    agreement       the same for all items, a sample of raters; a strict rater     ICC(2,1), ICC(2,k)
                    disagrees with a mild one
    consistency     the same for all items, and only they matter; a strict and a   ICC(3,1), ICC(3,k)
                    mild one may agree
    ==============  ============================================================  ====================

    Intervals are from the distribution of F, for "agreement" by Satterthwaite's approximation [2]_.

    Parameters
    ----------
    ratings : array_like
        A table of raters by items; items not rated by all are left out and counted.
    kind : {"one-way", "agreement", "consistency"}
        What counts as disagreement.
    averaged : bool
        Whether the correlation is that of the mean of all raters, rather than of one.
    level : float
        Confidence level.

    Returns
    -------
    Agreement
        With a sentence.

    References
    ----------
    .. [1] Shrout and Fleiss (1979), Psychological Bulletin 86, 420-428.
    .. [2] McGraw and Wong (1996), Psychological Methods 1, 30-46.

    Examples
    --------
    >>> ratings = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> print(intraclass_correlation(ratings).coefficient)
    0.29 [0.02, 0.76] (n=6, F)
    """
    check_level(level)
    everything = table(ratings, name="ratings", rows="raters", columns="items")
    known = everything[:, ~np.isnan(everything).any(axis=0)]
    raters, items = known.shape
    if raters < 2 or items < 2:
        raise BadData(f"Intraclass correlation needs two raters and two items rated by all; got {raters} and {items}.")
    if np.ptp(known) == 0:
        raise BadData("All ratings are the same, so agreement cannot be estimated.")
    if np.ptp(known, axis=1).max() == 0:
        raise BadData("Every rater gave all items the same rating, so agreement cannot be estimated.")
    squares = _mean_squares(known)
    functions = {"one-way": _one_way, "agreement": _agreement, "consistency": _consistency}
    if kind not in functions:
        raise BadData(f"The kind is one-way, agreement or consistency; got {kind!r}.")
    whose = f"mean of {raters} raters" if averaged else "single rater"
    name = f"The intraclass correlation ({kind}, {whose})"
    if (squares.residual if kind == "consistency" else squares.within) <= 1e-12 * squares.items:
        perfect = without_interval(1.0, n=items, reason="the raters never differ")
        return Agreement(perfect, name, raters, items, everything.shape[1] - items)
    try:
        single = np.array(functions[kind](squares, raters=raters, items=items, tail=(1 - level) / 2))
    except ZeroDivisionError:
        raise BadData("The ratings are too few and too regular for an intraclass correlation.") from None
    value, low, high = raters * single / (1 + (raters - 1) * single) if averaged else single
    estimate = Estimate(float(value), float(low), float(high), items, named("F", level=level))
    return Agreement(estimate, name, raters, items, everything.shape[1] - items)


@dataclass(frozen=True, slots=True)
class _MeanSquares:
    items: float
    raters: float
    residual: float
    within: float


def _mean_squares(known: Floats) -> _MeanSquares:
    raters, items = known.shape
    grand = known.mean()
    by_item, by_rater = known.mean(axis=0), known.mean(axis=1)
    residual = ((known - by_item[None, :] - by_rater[:, None] + grand) ** 2).sum() / ((items - 1) * (raters - 1))
    return _MeanSquares(
        items=float(raters * ((by_item - grand) ** 2).sum() / (items - 1)),
        raters=float(items * ((by_rater - grand) ** 2).sum() / (raters - 1)),
        residual=float(residual),
        within=float(((known - by_item[None, :]) ** 2).sum() / (items * (raters - 1))),
    )


def _one_way(squares: _MeanSquares, *, raters: int, items: int, tail: float) -> tuple[float, float, float]:
    ratio = squares.items / squares.within
    return _from_ratio(ratio, raters=raters, freedoms=(items - 1, items * (raters - 1)), tail=tail)


def _consistency(squares: _MeanSquares, *, raters: int, items: int, tail: float) -> tuple[float, float, float]:
    ratio = squares.items / squares.residual
    return _from_ratio(ratio, raters=raters, freedoms=(items - 1, (items - 1) * (raters - 1)), tail=tail)


def _from_ratio(ratio: float, *, raters: int, freedoms: tuple[int, int], tail: float) -> tuple[float, float, float]:
    from scipy.special import fdtri

    low, high = ratio / fdtri(*freedoms, 1 - tail), ratio / fdtri(*freedoms, tail)
    value, low, high = ((f - 1) / (f + raters - 1) for f in (ratio, low, high))
    return value, float(low), float(high)


def _agreement(squares: _MeanSquares, *, raters: int, items: int, tail: float) -> tuple[float, float, float]:
    from scipy.special import fdtri

    between, columns, error, n, k = squares.items, squares.raters, squares.residual, items, raters
    value = (between - error) / (between + (k - 1) * error + k * (columns - error) / n)
    a, b = k * value / (n * (1 - value)), 1 + k * value * (n - 1) / (n * (1 - value))
    freedom = (a * columns + b * error) ** 2 / ((a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1)))
    upper, lower = fdtri(n - 1, freedom, 1 - tail), fdtri(freedom, n - 1, 1 - tail)
    mixed = k * columns + (k * n - k - n) * error
    low = n * (between - upper * error) / (upper * mixed + n * between)
    high = n * (lower * between - error) / (mixed + n * lower * between)
    return float(value), float(low), float(high)
