"""Arms: courses that were trained in different ways, compared."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from mensura.stats.comparisons.paired import paired_difference
from mensura.stats.comparisons.two_sample import two_sample_difference
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Values
from mensura.stats.wording import spoken


@dataclass(frozen=True, slots=True)
class Transfer(Finding):
    """The effect of earlier training on something else on the score; `effect` is trained minus untrained."""

    trained: Estimate
    untrained: Estimate
    effect: Estimate

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        numbers = f"trained {self.trained.value:.3g}, untrained {self.untrained.value:.3g}"
        if not self.effect.has_interval:
            why = self.effect.method.removeprefix("none: ")
            return f"Whether training carries over cannot be told: {why} ({numbers})."
        if self.effect.excludes(0):
            verb = "helps" if self.effect.value > 0 else "harms"
            return f"Earlier training {verb}: the score differs by {spoken(self.effect)} ({numbers})."
        return (
            f"The data do not show that training carries over: the score differs by {spoken(self.effect)} ({numbers})."
        )


def transfer(*, trained: ArrayLike, untrained: ArrayLike, level: float = 0.95) -> Transfer:
    """Compare subjects who trained on something else before with other subjects who did not.

    Parameters
    ----------
    trained, untrained : array_like
        One score for each subject; the two groups are different subjects.
    level : float
        Confidence level.

    Returns
    -------
    Transfer
        With Welch's interval and a sentence.

    Examples
    --------
    >>> print(transfer(trained=[0.7, 0.8, 0.9, 0.8], untrained=[0.4, 0.5, 0.6, 0.5]))
    Earlier training helps: the score differs by 0.30 [0.16, 0.44] (trained 0.8, untrained 0.5).
    """
    found = two_sample_difference(first=trained, second=untrained, level=level)
    return Transfer(found.first, found.second, found.difference)


def branched_transfer(*, trained: Values, untrained: Values, level: float = 0.95) -> Transfer:
    """Compare the same subjects with and without training on something else, in branches of their courses.

    Parameters
    ----------
    trained, untrained : array_like or mapping
        For each subject its score in the branch after training and in the branch without.
    level : float
        Confidence level.

    Returns
    -------
    Transfer
        With t over the differences and a sentence.

    Examples
    --------
    >>> print(branched_transfer(trained=[0.7, 0.8, 0.9], untrained=[0.6, 0.8, 0.9]).effect)
    0.03 [-0.11, 0.18] (n=3, t)
    """
    found = paired_difference(first=trained, second=untrained, level=level)
    return Transfer(found.first, found.second, found.difference)
