"""Bootstrap intervals for any statistic, over values, rows or whole clusters."""

import warnings
from collections.abc import Callable, Sequence
from hashlib import sha256
from inspect import signature
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.intervals.sample import Floats, check_level, observed

LEAST = 10
Kind = Literal["BCa", "percentile"]
Indices = NDArray[np.int64]


def bootstrap_estimate(
    values: ArrayLike,
    *,
    statistic: Callable[..., Any] = np.mean,
    rng: Generator,
    kind: Kind = "BCa",
    resamples: int = 9999,
    level: float = 0.95,
) -> Estimate:
    r"""Estimate a statistic with a bootstrap interval.

    Both kinds are too short for small samples (the BCa interval of a normal mean covers 89 % at n = 10), so both are
    taken at the expanded level :math:`1 - 2\Phi(-t_{n-1}\sqrt{n/(n-1)})` [1]_. With fewer than 10 values not even
    that covers as it should: then there is no interval, and the method says so. Strongly skewed values
    (exponential, say) need about 15.

    Parameters
    ----------
    values : array_like
        Independent observations, NaN dropped; or a table, whose rows are resampled as they are.
    statistic : callable
        Maps a sample to a number; one that takes `axis` is called on many resamples at once.
    rng : numpy.random.Generator
        Where chance comes from; `record_generator` makes one that is the same for the same values.
    kind : {"BCa", "percentile"}
        Bias-corrected and accelerated [2]_, or plain percentiles, which do not know of skew: for exponential values
        they cover 91 to 94 %.
    resamples : int
        How many samples are drawn.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The statistic.

    References
    ----------
    .. [1] Hesterberg (2015), What teachers should know about the bootstrap, The American Statistician 69, 371-386.
    .. [2] Efron (1987), Journal of the American Statistical Association 82, 171-185.

    Examples
    --------
    >>> times = [3, 4, 4, 5, 5, 6, 7, 9, 12, 20, 31]
    >>> print(bootstrap_estimate(times, statistic=np.median, rng=np.random.default_rng(1), kind="percentile"))
    6.0 [4.0, 12.0] (n=11, percentile bootstrap of 9999 resamples)
    """
    rows = np.asarray(values, dtype=float)
    rows = observed(rows) if rows.ndim < 2 else rows
    if "axis" in _parameters(statistic) and rows.ndim == 1:

        def drawn(index: Indices, axis: int = -1) -> Any:
            return statistic(rows[index], axis=axis)
    else:

        def drawn(index: Indices) -> Any:  # type: ignore[misc]
            return statistic(rows[index])

    return resampled_estimate(
        drawn, units=len(rows), unit="values", rng=rng, kind=kind, resamples=resamples, level=level
    )


def clustered_bootstrap_estimate(
    clusters: Sequence[ArrayLike],
    *,
    statistic: Callable[[Floats], float] | None = None,
    rng: Generator,
    kind: Kind = "BCa",
    resamples: int = 9999,
    level: float = 0.95,
) -> Estimate:
    """Estimate a statistic of values that come in clusters, by resampling whole clusters.

    Answers to one scenario, or by one person, go together: taken as independent they would give too short an
    interval.

    Parameters
    ----------
    clusters : sequence of array_like
        The values of each cluster, NaN dropped; empty clusters do not count.
    statistic : callable, optional
        Maps all values of the drawn clusters together to a number; their mean unless given.
    rng : numpy.random.Generator
        Where chance comes from.
    kind, resamples, level
        As in `bootstrap_estimate`, of which the least of 10 and the expanded level count clusters here.

    Returns
    -------
    Estimate
        The statistic; n counts clusters.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> scenarios = [rng.normal(size=5) + rng.normal() for _ in range(20)]
    >>> print(clustered_bootstrap_estimate(scenarios, rng=rng))
    -0.21 [-0.67, 0.23] (n=20, BCa bootstrap of 9999 resamples of clusters)
    """
    known = [values for values in (observed(cluster) for cluster in clusters) if len(values)]
    if statistic is None:
        sums = np.array([values.sum() for values in known])
        counts = np.array([len(values) for values in known])

        def drawn(index: Indices, axis: int = -1) -> Any:
            return sums[index].sum(axis=axis) / counts[index].sum(axis=axis)
    else:

        def drawn(index: Indices) -> Any:  # type: ignore[misc]
            return statistic(np.concatenate([known[i] for i in index]))

    return resampled_estimate(
        drawn, units=len(known), unit="clusters", rng=rng, kind=kind, resamples=resamples, level=level
    )


def record_generator(*values: ArrayLike) -> Generator:
    """Make a generator from the values themselves, so that the interval from one record is the same twice.

    >>> bool(record_generator([1, 2]).random() == record_generator([1, 2]).random())
    True
    """
    digest = sha256()
    for part in values:
        array = np.ascontiguousarray(np.asarray(part, dtype=float))
        digest.update(repr(array.shape).encode() + array.tobytes())
    return np.random.default_rng(int.from_bytes(digest.digest()))


def resampled_estimate(
    drawn: Callable[..., Any],
    *,
    units: int,
    unit: str,
    rng: Generator,
    kind: Kind = "BCa",
    resamples: int = 9999,
    level: float = 0.95,
) -> Estimate:
    """Estimate what `drawn` makes of the drawn units, given as an array of their numbers.

    Where `drawn` takes `axis` it is handed many resamples at once, one per row. The rest is as in
    `bootstrap_estimate`, which stands on this.
    """
    check_level(level)
    if kind not in ("BCa", "percentile"):
        raise BadData(f"The bootstrap is of kind BCa or percentile; got {kind!r}.")
    if units == 0:
        return without_interval(float("nan"), n=0, reason=f"no {unit}")
    value = float(drawn(np.arange(units)))
    if units < LEAST:
        return without_interval(value, n=units, reason=f"a bootstrap needs at least {LEAST} {unit}")
    distribution = _distribution(drawn, units=units, rng=rng, resamples=resamples)
    undefined = np.isnan(distribution)
    if undefined.mean() > 0.01:
        return without_interval(value, n=units, reason=f"undefined in {undefined.sum()} of {resamples} resamples")
    if np.ptp(distribution[~undefined]) <= 1e-12 * abs(value):
        return without_interval(value, n=units, reason=f"all {units} {unit} give the same")
    low, high = _bounds(drawn, distribution[~undefined], units=units, kind=kind, level=level)
    of = "" if unit == "values" else f" of {unit}"
    if np.isnan(low) or np.isnan(high):
        return without_interval(value, n=units, reason=f"undefined without one of the {unit}")
    method = f"{kind} bootstrap of {resamples} resamples{of}"
    return Estimate(value, low, high, units, named(method, level=level))


def _distribution(drawn: Callable[..., Any], *, units: int, rng: Generator, resamples: int) -> Floats:
    if "axis" not in _parameters(drawn):
        return np.array([drawn(rng.integers(units, size=units)) for _ in range(resamples)], dtype=float)
    # Blocks keep the drawn samples within some tens of megabytes however many values there are.
    block = max(1, 2_000_000 // units)
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    return np.concatenate([drawn(rng.integers(units, size=(size, units)), axis=-1) for size in sizes])


def _bounds(
    drawn: Callable[..., Any], distribution: Floats, *, units: int, kind: Kind, level: float
) -> tuple[float, float]:
    from scipy.special import ndtr, stdtrit
    from scipy.stats import bootstrap

    expanded = 1 - 2 * ndtr(-np.sqrt(units / (units - 1)) * stdtrit(units - 1, (1 + level) / 2))
    given = _Drawn(distribution)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = bootstrap(
            (np.arange(units),),
            drawn,
            n_resamples=0,
            bootstrap_result=given,
            vectorized="axis" in _parameters(drawn),
            confidence_level=expanded,
            method=kind,
            batch=max(1, 2_000_000 // units),
        ).confidence_interval
    return float(result.low), float(result.high)


class _Drawn:
    """The part of an earlier bootstrap that scipy needs: its distribution."""

    def __init__(self, distribution: Floats) -> None:
        self.bootstrap_distribution = distribution


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        return list(signature(function).parameters)
    except ValueError:
        return []
