"""Proportions: how often something happens, with binomial intervals."""

from math import sqrt
from typing import Literal

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.intervals.sample import check_level


def proportion_estimate(
    successes: int, *, n: int, method: Literal["Wilson", "Clopper-Pearson"] = "Wilson", level: float = 0.95
) -> Estimate:
    r"""Estimate a proportion, never zero-width, not even at 0 or at n successes.

    Wilson's score interval [1]_ solves :math:`|p - \hat p| = z \sqrt{p(1-p)/n}`: averaged over proportions it
    covers at the nominal rate, for single ones it wavers around it, and within 1/n of 0 and 1 it can fall short.
    Clopper and Pearson's [2]_ never covers less than the nominal rate, and mostly more.

    Parameters
    ----------
    successes : int
        How often it happened.
    n : int
        How often it could have happened.
    method : {"Wilson", "Clopper-Pearson"}
        The interval.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The proportion; unknown where n is 0.

    References
    ----------
    .. [1] Wilson (1927), Journal of the American Statistical Association 22, 209-212; its merits: Brown, Cai and
       DasGupta (2001), Statistical Science 16, 101-133.
    .. [2] Clopper and Pearson (1934), Biometrika 26, 404-413.

    Examples
    --------
    >>> print(proportion_estimate(20, n=20))
    1.000 [0.839, 1.000] (n=20, Wilson)
    >>> print(proportion_estimate(81, n=263, method="Clopper-Pearson"))
    0.308 [0.253, 0.368] (n=263, Clopper-Pearson)
    """
    check_level(level)
    if n == 0:
        return without_interval(float("nan"), n=0, reason="no values")
    if not 0 <= successes <= n:
        raise BadData(f"Successes lie between 0 and n; got {successes} of {n}.")
    if method == "Wilson":
        low, high = _wilson(successes, n=n, level=level)
    elif method == "Clopper-Pearson":
        low, high = _clopper_pearson(successes, n=n, level=level)
    else:
        raise BadData(f"The interval of a proportion is by Wilson or by Clopper-Pearson; got {method!r}.")
    return Estimate(successes / n, low, high, int(n), named(method, level=level))


# scipy.stats.binomtest has both intervals, but importing it takes ten times as long as the rest of a small run.
def _wilson(successes: int, *, n: int, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    quantile, share = float(ndtri((1 + level) / 2)), successes / n
    centre = (share + quantile**2 / (2 * n)) / (1 + quantile**2 / n)
    half = quantile / (1 + quantile**2 / n) * sqrt(share * (1 - share) / n + quantile**2 / (4 * n**2))
    return 0.0 if successes == 0 else centre - half, 1.0 if successes == n else centre + half


def _clopper_pearson(successes: int, *, n: int, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return low, high
