"""Combined proportions: a weighted sum of proportions that were each counted apart, such as a mean over kinds."""

from collections.abc import Sequence
from math import sqrt

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.intervals.sample import check_level

METHOD = "adjusted sum of proportions"


def combined_proportions(
    counts: Sequence[tuple[float, int]], *, weights: Sequence[float], shift: float = 0.0, level: float = 0.95
) -> Estimate:
    r"""Estimate :math:`s + \sum_k w_k p_k` of K independent proportions, with an interval inside what it can be.

    The interval is centred at proportions with 2/K successes and as many failures added [1]_, and its standard error is
    that of proportions with half a success and half a failure added, so that it is never zero-width. It covers 94 % or
    more from two trials each on; the usual interval of stratified counts covers far less with few trials.

    Parameters
    ----------
    counts : sequence of (float, int)
        Successes and trials of each proportion; at least one trial each. A trial may count as part of a success: no
        numbers from 0 to 1 spread more than successes and failures with the same mean, so it still covers.
    weights : sequence of float
        What each proportion counts; none is negative.
    shift : float
        What is added to the sum.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The sum itself, unadjusted; n counts all trials.

    References
    ----------
    .. [1] Price and Bonett (2004), Computational Statistics & Data Analysis 45, 449-456.

    Examples
    --------
    >>> print(combined_proportions([(20, 20), (5, 20)], weights=[0.5, 0.5]))
    0.62 [0.51, 0.72] (n=40, adjusted sum of proportions over 2 kinds of trials)
    """
    from scipy.special import ndtri

    check_level(level)
    if len(counts) != len(weights) or any(weight < 0 for weight in weights):
        raise BadData(f"Each of {len(counts)} proportions needs a weight of at least 0; got {list(weights)}.")
    if not counts:
        return without_interval(float("nan"), n=0, reason="no values")
    if wrong := [pair for pair in counts if not 0 <= pair[0] <= pair[1] or pair[1] < 1]:
        raise BadData(f"Successes lie between 0 and the number of trials, at least 1; got {wrong[0]}.")
    value, centre, variance, added = shift, shift, 0.0, 2 / len(counts)
    for (successes, trials), weight in zip(counts, weights, strict=True):
        value += weight * successes / trials
        centre += weight * (successes + added) / (trials + 2 * added)
        likely = (successes + 0.5) / (trials + 1)
        variance += weight**2 * likely * (1 - likely) / trials
    half = float(ndtri((1 + level) / 2)) * sqrt(variance)
    # Where all trials agree the adjusted centre may lie further from them than half the interval.
    low = min(value, max(shift, centre - half))
    high = max(value, min(shift + sum(weights), centre + half))
    method = named(f"{METHOD} over {len(counts)} kinds of trials", level=level)
    return Estimate(value, low, high, sum(trials for _, trials in counts), method)
