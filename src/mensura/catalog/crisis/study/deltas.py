"""Deltas: what learning gives, what the tools give without it, and what share of the whole is learning's."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mensura.stats import Estimate, TwoSampleDifference, two_sample_difference, without_interval


@dataclass(frozen=True)
class Deltas:
    """The three differences of the source's Table 6, each with its interval, and learning's share of the whole."""

    learning: TwoSampleDifference
    """With learning less without."""
    overall: TwoSampleDifference
    """With learning less conventional tools."""
    nonlearning: TwoSampleDifference
    """Without learning less conventional tools."""
    share: Estimate
    """Learning delta over overall delta."""


def deltas(*, cots: Sequence[float], without: Sequence[float], learning: Sequence[float]) -> Deltas:
    """Compare three groups of participants as the source's section 5.2 does.

    Examples
    --------
    >>> found = deltas(cots=[0.5, 0.52, 0.48, 0.5], without=[0.53, 0.55, 0.51, 0.53], learning=[0.62, 0.64, 0.6, 0.66])
    >>> print(found.share)
    0.77 [0.49, 1.06] (n=12, Fieller for three groups)
    """
    return Deltas(
        two_sample_difference(first=learning, second=without, names=("with learning", "without learning")),
        two_sample_difference(first=learning, second=cots, names=("with learning", "conventional tools")),
        two_sample_difference(first=without, second=cots, names=("without learning", "conventional tools")),
        learning_share(cots=cots, without=without, learning=learning),
    )


def learning_share(
    *, cots: Sequence[float], without: Sequence[float], learning: Sequence[float], level: float = 0.95
) -> Estimate:
    r"""Estimate the share of the overall gain that is due to learning, by Fieller's theorem.

    With group means :math:`L, N, C` the share is :math:`(L-N)/(L-C)`. Numerator and denominator have the group L in
    common, so their covariance is its squared standard error. The interval holds every :math:`\rho` for which
    :math:`(L-N) - \rho (L-C)` does not differ from 0; where the overall gain itself may be 0 there are no bounds.
    Degrees of freedom are those of the smallest group, which errs on the safe side.
    """
    groups = [np.asarray(group, dtype=float) for group in (learning, without, cots)]
    groups = [group[np.isfinite(group)] for group in groups]
    n = int(sum(group.size for group in groups))
    if min(group.size for group in groups) < 3:
        return without_interval(float("nan"), n=n, reason="each group needs at least three values")
    from scipy.special import stdtrit

    with_learning, without_learning, conventional = (float(group.mean()) for group in groups)
    errors = [float(group.var(ddof=1) / group.size) for group in groups]
    above, below = with_learning - without_learning, with_learning - conventional
    value = above / below if below else float("nan")
    t = float(stdtrit(min(group.size for group in groups) - 1, (1 + level) / 2)) ** 2
    square = below**2 - t * (errors[0] + errors[2])
    if square <= 0:
        return without_interval(value, n=n, reason="the overall difference may be zero")
    middle = above * below - t * errors[0]
    root = float(np.sqrt(max(middle**2 - square * (above**2 - t * (errors[0] + errors[1])), 0.0)))
    return Estimate(value, (middle - root) / square, (middle + root) / square, n, "Fieller for three groups")
