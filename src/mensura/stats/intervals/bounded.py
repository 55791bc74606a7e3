"""Intervals of means that have two bounds: inside them by construction, and never of zero width."""

from mensura.stats.intervals.sample import Floats, check_level

FEW = 5
UNSEEN = 2.0
UNSEEN_DIFFERENCE = 0.25
SEEN = 0.7
ROUNDING = 1e-9
TINY = 1e-300


def bounded_interval(
    mean: float,
    *,
    variance: float,
    freedom: float,
    least: float = 0.0,
    most: float = float("inf"),
    level: float = 0.95,
) -> tuple[float, float]:
    r"""Return the interval of a mean on a scale from 0 to 1, by Clopper and Pearson on an effective n.

    A score from 0 to 1 varies at most as much as a binary one with the same mean. So the mean :math:`m` with the
    variance :math:`v` is as good as that of :math:`n_e = m(1 - m)/v` binary answers, and gets their exact interval
    [1]_, with :math:`n_e` reduced by :math:`(z/t)^2` because the variance is itself estimated [2]_ [3]_.

    Parameters
    ----------
    mean : float
        The mean, from 0 to 1.
    variance : float
        Its estimated variance, for the population it generalises to.
    freedom : float
        Degrees of freedom of the variance; infinite where it is known.
    least : float
        The number of units: as none varies more than a binary one, the mean is worth at least that many answers.
    most : float
        The largest effective n that may be believed.
    level : float
        Confidence level.

    Returns
    -------
    tuple of float
        Both bounds.

    References
    ----------
    .. [1] Clopper and Pearson (1934), Biometrika 26, 404-413.
    .. [2] Korn and Graubard (1998), Survey Methodology 24, 193-201.
    .. [3] Franco, Little, Louis and Slud (2019), Journal of Survey Statistics and Methodology 7, 334-364.

    Examples
    --------
    >>> low, high = bounded_interval(0.8, variance=0.8 * 0.2 / 50, freedom=float("inf"))
    >>> round(low, 3), round(high, 3)
    (0.663, 0.9)
    """
    from scipy.special import betaincinv, ndtri, stdtrit

    check_level(level)
    tail = (1 - level) / 2
    believed = min(mean * (1 - mean) / variance, most) if variance > 0 else most
    # An infinite freedom leaves t as z; scipy's stdtrit knows that.
    effective = max(least, min(believed, 1e12) * (float(ndtri(tail)) / float(stdtrit(freedom, tail))) ** 2)
    right, wrong = mean * effective, (1 - mean) * effective
    low = float(betaincinv(right, wrong + 1, tail)) if right > 0 else 0.0
    high = float(betaincinv(right + 1, wrong, 1 - tail)) if wrong > 0 else 1.0
    # Where a bound is too near 0 for a number, scipy gives the least that there is.
    return min(low if low > TINY else 0.0, mean), max(high, mean)


def rule_of_three(mean: float, *, n: int, level: float = 0.95) -> tuple[float, float]:
    r"""Return the interval where all n values are the same: any other value was rarer than n of them could show.

    If a share :math:`q` of the population had another value, all n would be alike with probability
    :math:`(1 - q)^n`; so :math:`1 - q \ge (\alpha/2)^{1/n}`, and the mean is at worst that share of what was seen. At
    0 and 1 this is Clopper and Pearson's interval.

    References
    ----------
    .. [1] Hanley and Lippman-Hand (1983), Journal of the American Medical Association 249, 1743-1745.

    Examples
    --------
    >>> low, high = rule_of_three(1.0, n=20)
    >>> round(low, 3), high
    (0.832, 1.0)
    """
    check_level(level)
    kept = ((1 - level) / 2) ** (1 / n)
    return mean * kept, 1 - (1 - mean) * kept


def cautious_variance(mean: float, *, variance: float, n: int, unseen: float = UNSEEN) -> float:
    r"""Add to the variance of a mean from 0 to 1 what so few values cannot show.

    A few skewed values often show too little of their spread. The estimate :math:`v` is therefore mixed with the
    largest variance that such a mean can have, :math:`(1 - w) v + w\, m(1 - m)/n` with :math:`w = 2/n^2`: much at 5
    values, nothing at 50, and nothing for binary ones, whose variance already is the largest. By simulation it lifts
    the coverage of 5 skewed values from 90 to 95 %. Differences of exchangeable subjects are symmetric and need less,
    an eighth of it: their false claims stay below 5 % without, and intervals several times wider would hide plain
    differences.
    """
    weight = min(1.0, unseen / n**2)
    return (1 - weight) * variance + weight * mean * (1 - mean) / n


def cautious_freedom(units: Floats, *, freedom: float) -> float:
    r"""Take degrees of freedom away from a variance that rests on a few values far from the others.

    The variance of independent values is known as well as :math:`2n/(\kappa - 1)` degrees of freedom would have it,
    with their kurtosis :math:`\kappa`: n for normal values, far fewer where a few of 50 items fail. Seven tenths of it
    are taken, as samples show too little of their kurtosis. By simulation it lifts the coverage of 50 items, of which
    few are hard, from 91 to 94 %.

    >>> import numpy as np
    >>> round(cautious_freedom(np.array([1.0] * 49 + [0.2]), freedom=49), 2)
    1.49
    >>> cautious_freedom(np.linspace(0, 1, 50), freedom=49)
    49.0
    """
    centred = (units - units.mean()) ** 2
    spread = float(centred.mean())
    if len(units) < FEW or spread < 1e-18:
        return float(freedom)
    excess = float((centred**2).mean()) / spread**2 - 1
    return float(min(freedom, max(1.0, SEEN * 2 * len(units) / max(excess, 1e-9))))


def off_the_end(units: Floats) -> int:
    """Return how many values lie off the end that the most values lie on.

    >>> import numpy as np
    >>> off_the_end(np.array([1, 1, 1, 0.5]))
    1
    """
    return int(min((units < 1 - ROUNDING).sum(), (units > ROUNDING).sum()))
