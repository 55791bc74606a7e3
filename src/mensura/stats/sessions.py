"""Runs: what many sessions together say of a score."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.mean import mean_estimate, number_estimate, skewed_mean_estimate
from mensura.stats.proportion import proportion_estimate
from mensura.stats.sample import Floats, is_binary, is_constant, observed


def summarise(sessions: Sequence[ArrayLike], *, proportion: bool = False, level: float = 0.95) -> Estimate:
    """Estimate a run's score from what each of its sessions scored.

    Answers of one session share their subject and their world, so the session is the unit: each session counts
    once, by the mean of its scored items, whatever their number, and the interval is over session means. Only
    where there is a single session are its items the units, taken as independent, and the method says so.

    ====================================  =========================================================================
    sessions                              interval
    ====================================  =========================================================================
    several, numbers                      t over session means, corrected for skew from 5 sessions on [1]_
    several, a proportion                 Wilson's with the effective n that the spread of session means shows and
                                          t in place of z: the t interval covers badly near 0 and 1 [2]_
    several, each wholly 0 or wholly 1    Wilson's over sessions
    several 0/1 with equal means          Wilson's over all items, taken as independent
    one                                   t corrected for skew, or Wilson's, over its items
    one with one value; all values equal  none, and the method says why
    ====================================  =========================================================================

    Parameters
    ----------
    sessions : sequence of array_like
        Per session its items' scores, NaN where unscored, or one number. Sessions with nothing scored do not count.
    proportion : bool
        Whether items are right or wrong, 1 or 0, and can be nothing else. It must be said: numbers that merely
        happen to be 0 or 1 so far are no proportion.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The mean; n counts sessions, or items where there is one session.

    References
    ----------
    .. [1] Hall (1992), Journal of the Royal Statistical Society B 54, 221-228; see `skewed_mean_estimate`.
    .. [2] Franco, Little, Louis and Slud (2019), Journal of Survey Statistics and Methodology 7, 334-364.

    Examples
    --------
    >>> print(summarise([[1, 0, 1, 1], [1, 1, float("nan"), 1], [0, 1, 0, 1]], proportion=True))
    0.75 [0.189, 0.975] (n=3, Wilson with t over 3 session means)
    >>> print(summarise([0.6, 0.7, 0.65, 0.8]))
    0.688 [0.552, 0.823] (n=4, t over 4 session means)
    >>> print(summarise([[1, 0, 1, 1]], proportion=True))
    0.75 [0.301, 0.954] (n=4, Wilson over 4 items of one session, taken as independent)
    >>> print(summarise([0.8]))
    0.8 (n=1: no error estimate)
    """
    scored = [items for items in (observed(session, name="scores of a session") for session in sessions) if len(items)]
    if not scored:
        return without_interval(float("nan"), n=0, reason="no session was scored")
    pooled = np.concatenate(scored)
    if proportion and not is_binary(pooled):
        raise BadData(f"Items of a proportion are 0 or 1; got {pooled[(pooled != 0) & (pooled != 1)][0]:g}.")
    if len(scored) == 1:
        estimate = skewed_mean_estimate(pooled, level=level) if proportion else number_estimate(pooled, level=level)
        return _said(estimate, f"over {len(pooled)} items of one session, taken as independent")
    means = np.array([items.mean() for items in scored])
    if proportion and is_binary(means):
        return _said(mean_estimate(means, level=level), f"over {len(means)} sessions")
    if proportion:
        return _binary_sessions(means, pooled=pooled, level=level)
    if is_constant(means):
        return without_interval(float(means[0]), n=len(means), reason=f"all {len(means)} session means are equal")
    return _said(number_estimate(means, level=level), f"over {len(means)} session means")


def _binary_sessions(means: Floats, *, pooled: Floats, level: float) -> Estimate:
    if is_constant(means):
        estimate = proportion_estimate(int(pooled.sum()), n=len(pooled), level=level)
        within = f"over {len(pooled)} items taken as independent, as all {len(means)} session means are equal"
        return replace(_said(estimate, within), value=float(means[0]), n=len(means))
    from scipy.special import stdtrit

    sessions, mean = len(means), float(means.mean())
    effective = mean * (1 - mean) / (means.var(ddof=1) / sessions)
    quantile = float(stdtrit(sessions - 1, (1 + level) / 2))
    pull = quantile**2 / effective
    centre = (mean + pull / 2) / (1 + pull)
    half = quantile / (1 + pull) * np.sqrt(mean * (1 - mean) / effective + pull / (4 * effective))
    method = named(f"Wilson with t over {sessions} session means", level=level)
    return Estimate(mean, float(centre - half), float(centre + half), sessions, method)


def _said(estimate: Estimate, over: str) -> Estimate:
    """Put what the interval is over into its method, before the level."""
    if not estimate.has_interval:
        return estimate
    method, comma, level = estimate.method.partition(", ")
    return replace(estimate, method=f"{method} {over}{comma}{level}")
