"""Resampling: bootstrap intervals of means over questions, fast enough for millions of them."""

from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np
from numpy.random import Generator

from mensura.scores.alternatives import Floats
from mensura.stats import Estimate, mean_estimate, without_interval

FEWEST = 10
MOST = 100_000
"""Beyond so many questions neighbours are resampled in groups, which leaves the variance of the mean as it is."""
MANY = 20_000
"""Beyond so many questions each gets a Poisson weight in each resample, which needs no random access to memory."""


def resampled_means(values: Floats, *, rng: Generator, draws: int = 1000) -> list[Estimate]:
    """Estimate the mean of each column with a percentile bootstrap over rows.

    All columns share their resamples. Percentiles are taken at the level expanded for small samples, as in
    `mensura.stats.bootstrap_estimate`; with fewer than ten rows a t interval is given instead, and says so.

    Parameters
    ----------
    values : ndarray
        One row per question, one column per score.
    rng : numpy.random.Generator
        Where chance comes from.
    draws : int
        How many resamples.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> print(resampled_means(rng.normal(size=(50, 1)), rng=rng)[0])
    -0.0361 [-0.294, 0.231] (n=50, bootstrap of 1000 resamples)
    """
    rows = len(values)
    if rows < FEWEST:
        return [_few(column) for column in values.T]
    groups = -(-rows // MOST)
    means = _draw(values, groups=groups, rng=rng, draws=draws)
    level = 100 * _expanded(rows)
    kind = "bootstrap" if rows <= MANY else "Poisson bootstrap"
    of = f" of groups of {groups}" if groups > 1 else ""
    # Interpolating between infinite resamples would give NaN, so whole ones are taken.
    low, high = (np.percentile(means, at, axis=0, method="nearest") for at in (level, 100 - level))
    method = f"{kind} of {draws} resamples{of}"
    return [_estimate(values[:, k], float(low[k]), float(high[k]), method) for k in range(values.shape[1])]


def _estimate(column: Floats, low: float, high: float, method: str) -> Estimate:
    if np.ptp(column) == 0:
        return without_interval(float(column[0]), n=len(column), reason=f"all {len(column)} values are equal")
    return Estimate(float(column.mean()), low, high, len(column), method)


def _few(column: Floats) -> Estimate:
    if np.isinf(column).any():
        return Estimate(float(column.mean()), float("nan"), float("nan"), len(column), "none: the mean is infinite")
    return mean_estimate(column)


def _expanded(rows: int) -> float:
    from scipy.special import ndtr, stdtrit

    return float(ndtr(-np.sqrt(rows / (rows - 1)) * stdtrit(rows - 1, 0.975)))


def _draw(values: Floats, *, groups: int, rng: Generator, draws: int) -> Floats:
    from mensura.track_record.calibration._resampling import multinomial_means, poisson_means, poisson_table

    seeds = rng.integers(1, 2**63, size=draws, dtype=np.uint64)
    starts = np.arange(0, len(values), groups)
    sums = np.ascontiguousarray(np.add.reduceat(values, starts).T)
    counts = np.diff(np.append(starts, len(values))).astype(float)
    workers = min(cpu_count() or 1, 8)

    def part(some: np.ndarray) -> Floats:
        if len(values) <= MANY:
            return np.asarray(multinomial_means(sums, some))
        return np.asarray(poisson_means(sums, counts, some, poisson_table()))

    if len(values) * draws < 2_000_000:
        return part(seeds)
    with ThreadPoolExecutor(workers) as pool:
        return np.concatenate(list(pool.map(part, np.array_split(seeds, workers))))
