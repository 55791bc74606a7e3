"""Tango's interval: the difference of two proportions on the same items."""

from math import sqrt

from mensura.stats.intervals.sample import check_level


def tango_interval(*, gains: int, losses: int, n: int, level: float = 0.95) -> tuple[float, float]:
    r"""Return the score interval of a difference of paired proportions.

    The difference :math:`\delta` is kept where :math:`|b - c - n\delta| \le z \sqrt{n(2 \hat q + \delta(1 -
    \delta))}`, with :math:`b` items right for the first only, :math:`c` for the second only, and :math:`\hat q` the
    share of the latter that is most likely given :math:`\delta` [1]_. It stays within -1 and 1 and is never of zero
    width.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908.

    Examples
    --------
    >>> low, high = tango_interval(gains=12, losses=2, n=50)
    >>> round(low, 3), round(high, 3)
    (0.061, 0.345)
    """
    from scipy.special import ndtri

    check_level(level)
    z = float(ndtri((1 + level) / 2))
    value = (gains - losses) / n

    def distance(delta: float) -> float:
        linear = (2 * n - gains + losses) * delta - gains - losses
        root = sqrt(max(0.0, linear**2 + 8 * n * losses * delta * (1 - delta)))
        share = max(0.0, (root - linear) / (4 * n))
        spread = n * (2 * share + delta * (1 - delta))
        return abs(gains - losses - n * delta) - z * sqrt(max(0.0, spread))

    return _edge(distance, inside=value, outside=-1.0), _edge(distance, inside=value, outside=1.0)


def _edge(distance, *, inside: float, outside: float) -> float:  # type: ignore[no-untyped-def]
    """Halve the way from a kept difference to the end of the scale until the edge is found."""
    if distance(outside) <= 0:
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if distance(middle) <= 0:
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2
