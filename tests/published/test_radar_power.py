"""RADAR Test (Steinfeld et al. 2006, CMU-CS-06-125): what its sample sizes can show.

Table 6 prints means of .507 (COTS, n = 29), .534 (no learning, n = 34) and .633 (with learning, n = 32), and p < .088
for the difference without learning. Section 5.2 concludes that about 30 per cell are adequate in future.
"""

import numpy as np
import pytest

from mensura.stats import detectable_difference, power_of_difference, sample_size, two_sample_difference


@pytest.mark.parametrize(("difference", "power"), [(0.027, 0.25), (0.05, 0.66), (0.099, 0.997)])
def test_thirty_per_cell_find_only_the_large_differences_of_section_5_2(difference, power):
    found = power_of_difference(difference, sd=0.08, n=30)
    assert found.power == pytest.approx(power, abs=0.005 if power < 0.9 else 0.0005)


def test_the_nonlearning_delta_of_table_6_needs_139_per_cell():
    plan = sample_size(0.534 - 0.507, sd=0.08)
    assert plan.n == 139
    assert plan.power >= 0.8 > power_of_difference(0.027, sd=0.08, n=138).power


def test_thirty_per_cell_detect_about_six_hundredths():
    assert detectable_difference(sd=0.08, n=30).difference == pytest.approx(0.0589, abs=0.0001)


@pytest.mark.parametrize(("sd", "p"), [(0.062, 0.088), (0.078, 2 * 0.088)])
def test_the_spread_implied_by_the_p_value_of_table_6_lies_between_062_and_078(sd, p):
    # Read as two-sided, p = .088 implies a standard deviation of .062; read as one-sided, .078.
    found = two_sample_difference(first=sample(0.534, sd, 34), second=sample(0.507, sd, 29))
    assert found.p == pytest.approx(p, abs=0.005)


def test_the_learning_delta_is_significant_for_either_spread():
    for sd in (0.062, 0.078):
        found = two_sample_difference(first=sample(0.633, sd, 32), second=sample(0.534, sd, 34))
        assert found.difference.value == pytest.approx(0.099)
        assert found.p < 0.0001


def sample(mean, sd, n):
    """A sample with exactly this mean and standard deviation."""
    values = np.linspace(-1, 1, n)
    return mean + sd * (values - values.mean()) / values.std(ddof=1)
