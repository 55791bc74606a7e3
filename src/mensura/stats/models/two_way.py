"""Two-way tables: how much a mean over items and sessions would change with other items and other sessions."""

from dataclasses import dataclass

import numpy as np

from mensura.stats.intervals.sample import Floats
from mensura.stats.observations import Cells


@dataclass(frozen=True, slots=True)
class TwoWay:
    """The mean of a two-way table, and its variance over both rows and columns.

    `rows` and `columns` are their means; `across` is the part of the variance that comes from columns, `rest` the
    part of it that single cells would make alone.
    """

    mean: float
    variance: float
    freedom: float
    rows: Floats
    columns: Floats
    across: float
    rest: float


def two_way(cells: Cells) -> TwoWay:
    r"""Estimate the mean of a crossed table and its variance, with Satterthwaite's degrees of freedom.

    In a full table of I rows and J columns the variance is
    :math:`(MS_{rows} + MS_{columns} - MS_{rest})/(IJ)`, at least the larger of its first two parts. Where cells are
    missing every row still counts once, by the mean of its cells, and the variance is the two-way cluster-robust one
    [1]_: that of clusters of rows, plus that of clusters of columns, less that of single cells. Degrees of freedom
    are Satterthwaite's [2]_ over rows and columns.

    References
    ----------
    .. [1] Cameron, Gelbach and Miller (2011), Journal of Business and Economic Statistics 29, 238-249.
    .. [2] Satterthwaite (1946), Biometrics Bulletin 2, 110-114.

    Examples
    --------
    >>> from mensura.stats.observations import Observations
    >>> seen = Observations([1, 2, 3, 5], items=["a", "b", "a", "b"], sessions=["1", "1", "2", "2"])
    >>> found = two_way(seen.cells("items", "sessions"))
    >>> found.mean, round(found.variance, 3), round(found.freedom, 2)
    (2.75, 2.062, 1.54)
    """
    count, height, width = len(cells.values), int(cells.rows.max()) + 1, int(cells.columns.max()) + 1
    held = np.bincount(cells.rows), np.bincount(cells.columns)
    weights = 1 / held[0][cells.rows] / height
    mean = float((cells.values if count == height * width else cells.values * weights * count).mean())
    residuals = cells.values - mean
    rows, columns = _clusters(residuals, cells.rows), _clusters(residuals, cells.columns)
    along = _share(_clusters(weights * residuals, cells.rows))
    across = _share(_clusters(weights * residuals, cells.columns))
    if count == height * width:
        means = rows[cells.rows] / width + columns[cells.columns] / height
        rest = float(((residuals - means) ** 2).sum()) / max(1, (height - 1) * (width - 1)) / count
    else:
        rest = _share(weights * residuals)
    variance = max(along + across - rest, along, across)
    shares = along**2 / (height - 1) + across**2 / (width - 1)
    freedom = variance**2 / shares if shares > 0 else float(min(height, width) - 1)
    return TwoWay(mean, variance, freedom, mean + rows / held[0], mean + columns / held[1], across, rest)


def _clusters(residuals: Floats, codes: np.ndarray) -> Floats:
    return np.asarray(np.bincount(codes, weights=residuals), dtype=float)


def _share(sums: Floats) -> float:
    """Return the part of the variance of the mean that comes from these clusters."""
    return float((sums**2).sum()) * len(sums) / (len(sums) - 1)
