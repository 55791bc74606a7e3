"""Equivalence: showing that two things differ by less than matters."""

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.comparisons.paired import paired_difference
from mensura.stats.comparisons.two_sample import two_sample_difference
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Values, check_names
from mensura.stats.wording import figure, spoken


@dataclass(frozen=True, slots=True)
class Equivalence(Finding):
    """A test of whether two things differ by less than a margin stated beforehand.

    Two one-sided tests at 5 % [1]_ are the same as asking that the 90 % interval of the difference lie within the
    margin on both sides.

    References
    ----------
    .. [1] Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.
    """

    names: tuple[str, str]
    difference: Estimate
    margin: float

    @property
    def equivalent(self) -> bool:
        """Return whether the interval is known and lies within the margin."""
        return (
            self.difference.has_interval and -self.margin < self.difference.low and self.difference.high < self.margin
        )

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        first, second = self.names
        if not self.difference.has_interval:
            return f"Whether {first} and {second} are alike cannot be told: there is no error estimate."
        numbers = f"the difference is {spoken(self.difference)} (90 % interval, n = {self.difference.n})"
        if self.equivalent:
            return f"{first} and {second} are alike within {figure(self.margin)}: {numbers}."
        return f"It is not shown that {first} and {second} are alike within {figure(self.margin)}: {numbers}."


def paired_equivalence(
    *, first: Values, second: Values, margin: float, names: Sequence[str] = ("A", "B")
) -> Equivalence:
    """Ask whether two subjects differ by less than a margin on the same items.

    Parameters
    ----------
    first, second : array_like or mapping
        Scores of the same items.
    margin : float
        The smallest difference that matters, stated before looking.
    names : sequence of str
        What to call the two.

    Returns
    -------
    Equivalence
        The difference with its 90 % interval, and a sentence.

    Examples
    --------
    >>> print(paired_equivalence(first=[5, 6, 7, 8], second=[5.1, 5.9, 7.1, 7.9], margin=0.5))
    A and B are alike within 0.5: the difference is 0.00 [-0.14, 0.14] (90 % interval, n = 4).
    """
    found = paired_difference(first=first, second=second, level=0.9)
    return Equivalence(check_names(names), found.difference, _checked(margin))


def two_sample_equivalence(
    *, first: ArrayLike, second: ArrayLike, margin: float, names: Sequence[str] = ("A", "B")
) -> Equivalence:
    """Ask whether two independent groups differ by less than a margin.

    Parameters
    ----------
    first, second : array_like
        Independent observations.
    margin : float
        The smallest difference that matters, stated before looking.
    names : sequence of str
        What to call the two.

    Returns
    -------
    Equivalence
        The difference with its 90 % interval, and a sentence.

    Examples
    --------
    >>> two_sample_equivalence(first=[5, 6, 7, 8], second=[5, 6, 8, 7], margin=0.5).equivalent
    False
    """
    found = two_sample_difference(first=first, second=second, level=0.9)
    return Equivalence(check_names(names), found.difference, _checked(margin))


def _checked(margin: float) -> float:
    if not margin > 0:
        raise BadData(f"The margin is the smallest difference that matters, more than 0; got {margin}.")
    return float(margin)
