"""Detection theory: how well two kinds are told apart, and which way a judge leans."""

from dataclasses import dataclass
from math import sqrt

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import check_level
from mensura.stats.wording import spoken

METHOD = "Jeffreys limits of both rates, combined (MOVER)"
EXTREME = "A rate of 0 or 1 was seen; how far it lies out comes from the correction, half an answer added to each cell."


@dataclass(frozen=True, slots=True)
class Detection(Finding):
    """How well signals are told from noise (d') and where the line is drawn (criterion).

    d' is 0 where they are not told apart. The criterion is 0 for a judge who leans neither way, above 0 for one who
    seldom says "signal", below 0 for one who often does. Rates are as observed; d' and criterion use corrected ones.
    """

    hits: int
    signals: int
    false_alarms: int
    noises: int
    dprime: Estimate
    criterion: Estimate

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        rates = f"{self.hits} of {self.signals} hits, {self.false_alarms} of {self.noises} false alarms"
        return f"d' {spoken(self.dprime)}, criterion {spoken(self.criterion)} ({rates})."


def detection_estimate(
    hits: int,
    *,
    signals: int,
    false_alarms: int,
    noises: int,
    level: float = 0.95,
    population: str = "",
) -> Detection:
    r"""Estimate d' and criterion of the equal-variance model from hits and false alarms.

    :math:`d' = z(H) - z(F)` and :math:`c = -\frac12 (z(H) + z(F))`, where H and F are the rates with half an answer
    added to each of the four cells (the log-linear correction [1]_), always, not only where a rate is 0 or 1. Limits
    of each rate are Jeffreys' [2]_, taken through z and combined by the method of variance estimates recovery [3]_.
    Trials must be independent: of one judge, or one game per judge. Coverage is shown in
    tests/stats/test_detection_theory.py.

    Parameters
    ----------
    hits, signals : int
        How often "signal" was said of a signal, and how many signals there were.
    false_alarms, noises : int
        How often "signal" was said of noise, and how many noises there were.
    level : float
        Confidence level.
    population : str
        What the interval speaks of.

    References
    ----------
    .. [1] Hautus (1995), Behavior Research Methods, Instruments, & Computers 27, 46-51.
    .. [2] Brown, Cai and DasGupta (2001), Statistical Science 16, 101-133.
    .. [3] Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    >>> found = detection_estimate(40, signals=50, false_alarms=10, noises=50)
    >>> print(found.dprime)  # doctest: +ELLIPSIS
    1.64 [1.12, 2.23] (n=100, ...)
    >>> round(found.criterion.value, 6)
    0.0
    """
    check_level(level)
    hit, hit_low, hit_high = _deviate(hits, n=signals, level=level, what="hits")
    false, false_low, false_high = _deviate(false_alarms, n=noises, level=level, what="false alarms")
    n, method = signals + noises, named(METHOD, level=level)
    note = EXTREME if hits in (0, signals) or false_alarms in (0, noises) else ""
    down = sqrt((hit - hit_low) ** 2 + (false_high - false) ** 2)
    up = sqrt((hit_high - hit) ** 2 + (false - false_low) ** 2)
    dprime = Estimate(hit - false, hit - false - down, hit - false + up, n, method, population, note)
    middle = -(hit + false) / 2
    below = sqrt((hit_high - hit) ** 2 + (false_high - false) ** 2) / 2
    above = sqrt((hit - hit_low) ** 2 + (false - false_low) ** 2) / 2
    criterion = Estimate(middle, middle - below, middle + above, n, method, population, note)
    return Detection(int(hits), int(signals), int(false_alarms), int(noises), dprime, criterion)


def _deviate(successes: int, *, n: int, level: float, what: str) -> tuple[float, float, float]:
    """Return z of the corrected rate and of Jeffreys' limits of it."""
    from scipy.special import betaincinv, ndtri

    if n < 1 or not 0 <= successes <= n:
        raise BadData(f"There is at least one trial of each kind, and {what} are among them; got {successes} of {n}.")
    tail = (1 - level) / 2
    low, high = betaincinv(successes + 0.5, n - successes + 0.5, [tail, 1 - tail])
    # The corrected rate is the mean of the posterior that the limits are quantiles of, so it lies between them.
    return float(ndtri((successes + 0.5) / (n + 1))), float(ndtri(low)), float(ndtri(high))
