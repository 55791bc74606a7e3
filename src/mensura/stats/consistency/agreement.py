"""Agreement between raters: Krippendorff's alpha and Cohen's kappa."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, without_interval
from mensura.stats.finding import Finding
from mensura.stats.intervals.bootstrap import resampled_estimate
from mensura.stats.intervals.sample import Floats, table
from mensura.stats.wording import several, spoken

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
Weights = Literal["none", "linear", "quadratic"]
LARGEST = 20_000_000
"""Numbers in an array: items by values by values are resampled up to this size, a sixth of a gigabyte."""


@dataclass(frozen=True, slots=True)
class Agreement(Finding):
    """How far raters agree beyond chance: 1 is perfect, 0 what chance gives."""

    coefficient: Estimate
    name: str
    raters: int
    items: int
    dropped: int

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        left_out = f"; {several(self.dropped, 'item')} with too few ratings left out" if self.dropped else ""
        over = f"({several(self.raters, 'rater')}, {several(self.items, 'item')}{left_out})"
        numbers = f"{self.name} is {spoken(self.coefficient)} {over}"
        why = self.coefficient.method.removeprefix("none: ")
        if np.isnan(self.coefficient.value):
            return f"Agreement cannot be told: {why} {over}."
        if not self.coefficient.has_interval:
            return f"The raters' agreement has no error estimate, as {why}: {numbers}."
        if self.coefficient.low <= 0:
            return f"The raters are not shown to agree more than chance would have them: {numbers}."
        if self.coefficient.low >= 0.667:
            return f"The raters agree well enough to draw conclusions: {numbers}."
        return f"The raters agree more than by chance, but not well enough to build on without care: {numbers}."


def krippendorff_alpha(
    ratings: ArrayLike, *, scale: Scale, rng: Generator, resamples: int = 4999, level: float = 0.95
) -> Agreement:
    """Estimate agreement among any number of raters, some ratings missing.

    The value is that of the krippendorff package; the interval is a BCa bootstrap over items. Its sentence takes
    0.667 as the least for tentative conclusions, as Krippendorff does [1]_.

    Parameters
    ----------
    ratings : array_like
        A table of raters by items, NaN where a rater did not rate; items with fewer than two ratings do not count.
    scale : {"nominal", "ordinal", "interval", "ratio"}
        What differences between ratings mean.
    rng : numpy.random.Generator
        Where resamples come from.
    resamples : int
        How many.
    level : float
        Confidence level.

    Returns
    -------
    Agreement
        With a sentence; the interval needs at least 10 items.

    References
    ----------
    .. [1] Krippendorff (2004), Content Analysis, chapter 11.

    Examples
    --------
    >>> n = float("nan")
    >>> ratings = [[n, n, n, n, n, 3, 4, 1, 2, 1, 1, 3, 3, n, 3],
    ...            [1, n, 2, 1, 3, 3, 4, 3, n, n, n, n, n, n, n],
    ...            [n, n, 2, 1, 3, 4, 4, n, 2, 1, 1, 3, 3, n, 4]]
    >>> found = krippendorff_alpha(ratings, scale="interval", rng=np.random.default_rng(1))
    >>> print(found.coefficient)
    0.81 [0.24, 1.00] (n=12, BCa bootstrap of 4999 resamples of items)
    """
    everything = table(ratings, name="ratings", rows="raters", columns="items")
    if scale not in ("nominal", "ordinal", "interval", "ratio"):
        raise BadData(f"The scale is nominal, ordinal, interval or ratio; got {scale!r}.")
    pairable = (~np.isnan(everything)).sum(axis=0) >= 2
    known = everything[:, pairable]
    items, dropped = known.shape[1], int((~pairable).sum())
    values = np.unique(known[~np.isnan(known)])
    coefficient = _undetermined(len(values), items)
    if coefficient is None:
        counts = _counts(known, values)
        value = _alpha_of_all(counts, values, scale=scale)
        if not np.isfinite(value):
            reason = "by chance there would be no disagreement that can be computed"
            coefficient = without_interval(float("nan"), n=items, reason=reason)
        elif items * len(values) ** 2 > LARGEST:
            reason = f"{len(values)} different ratings of {items} items are too many to resample; round them for one"
            coefficient = without_interval(value, n=items, reason=reason)
        else:
            alphas = _alphas(counts, values, scale=scale)
            drawn = resampled_estimate(alphas, units=items, unit="items", rng=rng, resamples=resamples, level=level)
            coefficient = Estimate(value, drawn.low, drawn.high, drawn.n, drawn.method)
    return Agreement(coefficient, f"Krippendorff's alpha ({scale})", len(everything), items, dropped)


def cohen_kappa(
    *,
    first: Sequence[object],
    second: Sequence[object],
    rng: Generator,
    weights: Weights = "none",
    order: Sequence[object] | None = None,
    resamples: int = 4999,
    level: float = 0.95,
) -> Agreement:
    r"""Estimate agreement of two raters who put the same items into categories.

    :math:`\kappa = 1 - \sum w_{ij} o_{ij}/\sum w_{ij} e_{ij}` [1]_, with disagreements weighing all the same, by their
    distance in the order of categories, or by its square. The interval is a BCa bootstrap over items; unweighted, with
    fewer than 50 items, it errs on the wide side (up to 98 %).

    Parameters
    ----------
    first, second : sequence
        The category each rater gave to each item; None or NaN where not rated, and the item does not count.
    rng : numpy.random.Generator
        Where resamples come from.
    weights : {"none", "linear", "quadratic"}
        How disagreements weigh.
    order : sequence, optional
        The categories in order; sorted unless given.
    resamples : int
        How many resamples.
    level : float
        Confidence level.

    Returns
    -------
    Agreement
        With a sentence; the interval needs at least 10 items.

    References
    ----------
    .. [1] Cohen (1968), Psychological Bulletin 70, 213-220.

    Examples
    --------
    >>> first = ["yes"] * 25 + ["no"] * 25
    >>> second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    >>> print(cohen_kappa(first=first, second=second, rng=np.random.default_rng(1)).coefficient)
    0.40 [0.12, 0.64] (n=50, BCa bootstrap of 4999 resamples of items)
    """
    if len(first) != len(second):
        raise BadData(f"Both raters must have rated the same items; got {len(first)} and {len(second)}.")
    if weights not in ("none", "linear", "quadratic"):
        raise BadData(f"The weights are none, linear or quadratic; got {weights!r}.")
    rated = [(a, b) for a, b in zip(first, second, strict=True) if not (_is_missing(a) or _is_missing(b))]
    categories = _categories(rated, order)
    place = {category: i for i, category in enumerate(categories)}
    codes = np.array([[place[a], place[b]] for a, b in rated], dtype=int).reshape(-1, 2)
    name = "Cohen's kappa" if weights == "none" else f"Cohen's kappa with {weights} weights"
    coefficient = _undetermined(len(np.unique(codes)), len(rated))
    if coefficient is None:
        kappas = _kappas(codes, _disagreement(len(categories), weights))
        coefficient = resampled_estimate(
            kappas, units=len(rated), unit="items", rng=rng, resamples=resamples, level=level
        )
    return Agreement(coefficient, name, 2, len(rated), len(first) - len(rated))


def _undetermined(distinct: int, items: int) -> Estimate | None:
    if items == 0:
        raise BadData("No item was rated by two raters.")
    return without_interval(float("nan"), n=items, reason="all ratings are the same") if distinct < 2 else None


def _counts(known: Floats, values: Floats) -> Floats:
    """Return how often each item was given each value: items by values."""
    if known.shape[1] * len(values) > LARGEST or len(values) ** 2 > LARGEST:
        raise BadData(f"There are {len(values)} different ratings of {known.shape[1]} items, too many; round them.")
    counts = np.zeros((known.shape[1], len(values)))
    for rater in known:
        counts += rater[:, None] == values
    return counts


def _alphas(counts: Floats, values: Floats, *, scale: Scale) -> Callable[..., Any]:
    """Return the function from drawn items to alpha, for many draws at once."""
    items, kinds = counts.shape
    together = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(kinds)
    together /= (counts.sum(axis=1) - 1)[:, None, None]
    flat = together.reshape(items, -1)

    def alphas(index: NDArray[np.int64], axis: int = -1) -> Any:
        seen = (_times_drawn(index, items) @ flat).reshape(-1, kinds, kinds)
        return _alpha(seen, values, scale=scale).reshape(index.shape[:-1])

    return alphas


def _alpha_of_all(counts: Floats, values: Floats, *, scale: Scale) -> float:
    """Return alpha over all items, without an array of items by values by values."""
    weights = 1 / (counts.sum(axis=1) - 1)
    seen = (counts.T * weights) @ counts - np.diag(weights @ counts)
    return float(_alpha(seen[None], values, scale=scale)[0])


def _alpha(seen: Floats, values: Floats, *, scale: Scale) -> Floats:
    """Return alpha of tables of which values were given to one item together."""
    margins = seen.sum(axis=2)
    with np.errstate(all="ignore"):
        distance = _distance(values, margins, scale=scale)
        observed = (seen * distance).sum(axis=(1, 2))
        expected = (margins[:, :, None] * margins[:, None, :] * distance).sum(axis=(1, 2))
        alpha = 1 - (margins.sum(axis=1) - 1) * observed / expected
    return np.where(expected > 0, alpha, np.nan)


def _distance(values: Floats, margins: Floats, *, scale: Scale) -> Floats:
    if scale == "nominal":
        return np.asarray(values[:, None] != values[None, :], dtype=float)[None]
    if scale == "ordinal":
        ranks = np.cumsum(margins, axis=1) - margins / 2
        return np.asarray((ranks[:, :, None] - ranks[:, None, :]) ** 2)
    apart = (values[:, None] - values[None, :])[None]
    if scale == "interval":
        return np.asarray(apart**2)
    total = (values[:, None] + values[None, :])[None]
    return np.asarray(np.divide(apart, total, out=np.zeros_like(apart), where=total != 0) ** 2)


def _kappas(codes: NDArray[np.int64], weights: Floats) -> Callable[..., Any]:
    items, kinds = len(codes), len(weights)
    cells = np.zeros((items, kinds * kinds))
    cells[np.arange(items), codes[:, 0] * kinds + codes[:, 1]] = 1

    def kappas(index: NDArray[np.int64], axis: int = -1) -> Any:
        seen = (_times_drawn(index, items) @ cells).reshape(-1, kinds, kinds) / index.shape[-1]
        expected = (seen.sum(axis=2)[:, :, None] * seen.sum(axis=1)[:, None, :] * weights).sum(axis=(1, 2))
        with np.errstate(invalid="ignore", divide="ignore"):
            kappa = 1 - (seen * weights).sum(axis=(1, 2)) / expected
        return np.where(expected > 0, kappa, np.nan).reshape(index.shape[:-1])

    return kappas


def _times_drawn(index: NDArray[np.int64], items: int) -> Floats:
    rows = index.reshape(-1, index.shape[-1])
    flat = rows + items * np.arange(len(rows))[:, None]
    return np.bincount(flat.ravel(), minlength=items * len(rows)).reshape(len(rows), items).astype(float)


def _disagreement(kinds: int, weights: Weights) -> Floats:
    apart = np.abs(np.arange(kinds)[:, None] - np.arange(kinds)[None, :]).astype(float)
    powers = {"none": 0.0, "linear": 1.0, "quadratic": 2.0}
    return np.where(apart > 0, apart ** powers[weights], 0.0)


def _categories(rated: list[tuple[object, object]], order: Sequence[object] | None) -> list[object]:
    seen = {category for pair in rated for category in pair}
    if order is None:
        return sorted(seen, key=lambda category: (isinstance(category, str), category))
    if stray := seen - set(order):
        raise BadData(f"The order must name every category; it lacks {sorted(map(str, stray))}.")
    return list(order)


def _is_missing(value: object) -> bool:
    return value is None or value != value
