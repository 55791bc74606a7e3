"""Rules of proportion: is a share shown to lie below a bound, and how many trials does that take?"""

from dataclasses import dataclass

from mensura.errors import BadData
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.proportion import proportion_estimate
from mensura.stats.wording import frequency, spoken

MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class ProportionPower(Finding):
    """The chance that a study shows a share to lie below a bound, by an exact one-sided binomial test.

    `critical` is the most successes that show it, -1 where not even none would.
    """

    n: int
    critical: int
    power: float
    proportion: float
    below: float
    alpha: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        what = f"a share below {self.below:g}"
        if self.critical < 0:
            return f"{self.n} trials are too few to show {what} at {self.alpha:g}, whatever comes out."
        return (
            f"With {self.n} trials, at most {self.critical} successes show {what}; where the true share is "
            f"{self.proportion:g}, that happens in about {round(100 * self.power)} of 100 studies (exact one-sided "
            f"binomial test at {self.alpha:g})."
        )


@dataclass(frozen=True, slots=True)
class ProportionRule(Finding):
    """A test of whether successes show a share below a bound: p-value, critical count, and power.

    `power` is that for the share in `power_at`, stated before the data; it is not computed from the data.
    """

    successes: int
    n: int
    share: Estimate
    below: float
    p: float
    alpha: float
    critical: int
    passed: bool
    power: float
    power_at: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        seen = f"{self.successes} of {self.n}, {spoken(self.share)}"
        chance = f"were it {self.below:g}, so few or fewer would come in {frequency(self.p)} such studies"
        power = (
            f"With {self.n} trials a true share of {self.power_at:g} is found below {self.below:g} in about "
            f"{round(100 * self.power)} of 100 studies."
        )
        if self.passed:
            return f"The share is shown to lie below {self.below:g} ({seen}; {chance})."
        return f"The share is not shown to lie below {self.below:g} ({seen}; {chance}). {power}"


def critical_count(n: int, *, below: float, alpha: float = 0.05) -> int:
    """Return the most successes of n that show a share below a bound; -1 where none would do.

    >>> critical_count(39, below=0.7), critical_count(8, below=0.7), critical_count(2, below=0.7)
    (22, 2, -1)
    """
    from scipy.special import bdtr

    _check(below, alpha)
    _count(n)
    low, high = -1, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bdtr(middle, n, below) <= alpha else (low, middle)
    return low


def proportion_test(
    successes: int, *, n: int, below: float = 0.7, power_at: float = 0.5, alpha: float = 0.05
) -> ProportionRule:
    """Test whether a share lies below a bound, exactly and one-sided, with the power the test had.

    The bound of 0.7 is that of 1950: an average interrogator will not have more than 70 per cent chance of making the
    right identification after five minutes [1]_. Trials must be independent.

    Parameters
    ----------
    successes, n : int
        Right identifications, and games.
    below : float
        The bound.
    power_at : float
        The true share for which power is given: what one hopes for, stated before the data.
    alpha : float
        Chance that a share of exactly `below` is called lower.

    References
    ----------
    .. [1] Turing (1950), Mind 59, 433-460.

    Examples
    --------
    >>> found = proportion_test(22, n=39)
    >>> found.passed, round(found.p, 6), round(found.power, 3)
    (True, 0.049984, 0.832)
    """
    from scipy.special import bdtr

    plan = proportion_power(power_at, below=below, n=n, alpha=alpha)
    share = proportion_estimate(successes, n=n, method="Clopper-Pearson")
    p = float(bdtr(successes, n, below))
    return ProportionRule(
        int(successes), int(n), share, below, p, alpha, plan.critical, p <= alpha, plan.power, power_at
    )


def proportion_power(proportion: float, *, below: float, n: int, alpha: float = 0.05) -> ProportionPower:
    """Return the chance that n trials show a share below a bound, where the true share is `proportion`.

    >>> round(proportion_power(0.5, below=0.7, n=10).power, 3)
    0.377
    """
    from scipy.special import bdtr

    _share(proportion)
    critical = critical_count(n, below=below, alpha=alpha)
    power = float(bdtr(critical, n, proportion)) if critical >= 0 else 0.0
    return ProportionPower(int(n), critical, power, float(proportion), float(below), alpha)


def proportion_sample_size(
    proportion: float, *, below: float, power: float = 0.8, alpha: float = 0.05
) -> ProportionPower:
    """Return the least number of trials that shows a share below a bound with the wanted power.

    Counts are whole numbers, so power does not grow with every trial: a few more than the least can have a little
    less. Check the number you will use with `proportion_power`.

    Parameters
    ----------
    proportion : float
        The true share, as one hopes or fears.
    below : float
        The bound it is to be shown below.
    power : float
        Wanted chance of showing it.
    alpha : float
        Chance that a share of exactly `below` is called lower.

    Examples
    --------
    >>> print(proportion_sample_size(0.5, below=0.7))  # doctest: +NORMALIZE_WHITESPACE
    With 39 trials, at most 22 successes show a share below 0.7; where the true share is 0.5, that happens in about 83
    of 100 studies (exact one-sided binomial test at 0.05).
    """
    import numpy as np
    from scipy.special import bdtr, ndtri

    _check(below, alpha)
    _share(proportion)
    if not proportion < below:
        raise BadData(f"A share can only be shown below a bound that it lies below; got {proportion} and {below}.")
    if not alpha < power < 1:
        raise BadData(f"The wanted power lies between the chance of a false alarm ({alpha:g}) and 1; got {power}.")
    spread = ndtri(1 - alpha) * (below * (1 - below)) ** 0.5 + ndtri(power) * (proportion * (1 - proportion)) ** 0.5
    rough = (spread / (below - proportion)) ** 2
    if rough > MOST:
        raise BadData(
            f"To tell {proportion:g} from {below:g} would take more than a million trials. State a lower share."
        )
    counts = np.arange(1, int(2 * rough) + 200)
    critical = np.array([critical_count(int(n), below=below, alpha=alpha) for n in counts])
    reached = np.flatnonzero(np.where(critical >= 0, bdtr(np.maximum(critical, 0), counts, proportion), 0.0) >= power)
    return proportion_power(proportion, below=below, n=int(counts[reached[0]]), alpha=alpha)


def _check(below: float, alpha: float) -> None:
    if not 0 < below < 1:
        raise BadData(f"The bound of a share lies between 0 and 1; got {below}.")
    if not 0 < alpha < 1:
        raise BadData(f"The chance of a false alarm lies between 0 and 1; got {alpha}.")


def _share(proportion: float) -> None:
    if not 0 <= proportion <= 1:
        raise BadData(f"A share lies between 0 and 1; got {proportion}.")


def _count(n: int) -> None:
    if n < 1:
        raise BadData(f"A rule needs at least one trial; got {n}.")
