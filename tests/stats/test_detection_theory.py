from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, norm

from mensura.errors import BadData
from mensura.stats import detection_estimate


def covered(hit: float, false: float, *, n: int) -> tuple[float, float]:
    """Return the exact coverage of both intervals: every outcome weighted by its chance."""
    truth, middle = norm.ppf(hit) - norm.ppf(false), -(norm.ppf(hit) + norm.ppf(false)) / 2
    total = np.zeros(2)
    for hits, alarms in product(range(n + 1), repeat=2):
        chance = binom.pmf(hits, n, hit) * binom.pmf(alarms, n, false)
        if chance > 1e-9:
            found = detection_estimate(hits, signals=n, false_alarms=alarms, noises=n)
            total += chance * np.array([not found.dprime.excludes(truth), not found.criterion.excludes(middle)])
    return tuple(total)


@pytest.mark.parametrize(("hit", "false"), [(0.5, 0.5), (0.7, 0.4), (0.85, 0.2), (0.95, 0.1)])
def test_intervals_cover_exactly_computed(hit, false):
    assert all(0.93 <= share <= 0.985 for share in covered(hit, false, n=20))


def test_known_values_of_the_log_linear_correction():
    # Twenty of twenty and none of twenty: z(20.5 / 21) - z(0.5 / 21), after Hautus (1995).
    found = detection_estimate(20, signals=20, false_alarms=0, noises=20)
    assert found.dprime.value == pytest.approx(2 * norm.ppf(20.5 / 21))
    assert found.criterion.value == pytest.approx(0)
    assert "0 or 1 was seen" in found.dprime.note


def test_naming_the_kinds_the_other_way_round_turns_the_criterion_only():
    one = detection_estimate(30, signals=40, false_alarms=12, noises=50)
    other = detection_estimate(38, signals=50, false_alarms=10, noises=40)
    assert one.dprime.value == pytest.approx(other.dprime.value)
    assert (one.dprime.low, one.dprime.high) == pytest.approx((other.dprime.low, other.dprime.high))
    assert one.criterion.value == pytest.approx(-other.criterion.value)


def test_impossible_counts_are_refused():
    with pytest.raises(BadData, match="false alarms are among them; got 3 of 2"):
        detection_estimate(1, signals=2, false_alarms=3, noises=2)
