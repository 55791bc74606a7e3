import numpy as np
import pytest
from scipy.stats import chi2

from mensura.stats import sd_estimate


def test_interval_is_that_of_chi_squared():
    values = np.random.default_rng(1).normal(size=15)
    estimate = sd_estimate(values)
    s = values.std(ddof=1)
    assert estimate.low == pytest.approx(s * np.sqrt(14 / chi2.ppf(0.975, 14)))
    assert estimate.high == pytest.approx(s * np.sqrt(14 / chi2.ppf(0.025, 14)))


def test_too_few_or_equal_values_have_no_interval():
    assert np.isnan(sd_estimate([1]).value)
    assert sd_estimate([2, 2, 2]).method == "none: all 3 values are equal"


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 10, 50])
def test_interval_covers_for_normal_values(n):
    rng = np.random.default_rng([2, n])
    estimates = [sd_estimate(rng.normal(0, 2, size=n)) for _ in range(1000)]
    assert 0.93 <= np.mean([e.low <= 2 <= e.high for e in estimates]) <= 0.97
