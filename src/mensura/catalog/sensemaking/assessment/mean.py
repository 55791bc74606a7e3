"""Means with t intervals, without the second it takes to import scipy.stats."""

import numpy as np
from numpy.typing import NDArray

from mensura.stats.estimate import Estimate

NOTHING = Estimate(float("nan"), float("nan"), float("nan"), 0, "none")


def mean_estimate(values: NDArray[np.float64]) -> Estimate:
    """Mean with a t interval over subjects; no interval for fewer than two."""
    from scipy.special import stdtrit

    count = len(values)
    if count == 0:
        return NOTHING
    mean = float(values.mean())
    if count < 2:
        return Estimate(mean, float("nan"), float("nan"), count, "one subject", "people")
    error = float(values.std(ddof=1)) / np.sqrt(count) * float(stdtrit(count - 1, 0.975))
    return Estimate(mean, mean - error, mean + error, count, "t over subjects", "people")
