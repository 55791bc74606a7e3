import numpy as np
import pytest
from scipy.stats import binom, norm, poisson_binom

from mensura.errors import BadData
from mensura.stats import calibration_curve, consistency_band


def test_bins_hold_what_belongs_to_them():
    found = calibration_curve(forecast=[0.0, 0.05, 0.5, 0.55, 1.0], outcome=[0, 1, 1, 0, 1], bins=2)
    low, high = found.bins
    assert (low.edges, low.count, low.forecast) == ((0, 0.5), 2, pytest.approx(0.025))
    assert (high.edges, high.count, high.observed.value) == ((0.5, 1), 3, pytest.approx(2 / 3))
    assert low.observed.method == "Wilson"


def test_empty_bins_are_left_out_and_edges_may_be_given():
    found = calibration_curve(forecast=[0.1, 0.9], outcome=[0, 1], bins=[0, 0.2, 0.8, 1])
    assert [part.edges for part in found.bins] == [(0, 0.2), (0.8, 1)]


def test_the_band_is_that_of_the_exact_distribution():
    forecast = np.random.default_rng(1).random(40)
    exact = poisson_binom(forecast)
    assert consistency_band(forecast) == pytest.approx((exact.ppf(0.025) / 40, exact.ppf(0.975) / 40))
    assert consistency_band([0.3] * 50) == pytest.approx(tuple(binom.ppf([0.025, 0.975], 50, 0.3) / 50))


def test_the_band_of_many_forecasts_is_normal():
    low, high = consistency_band([0.3] * 5000)
    exact = binom.ppf([0.025, 0.975], 5000, 0.3) / 5000
    assert (low, high) == pytest.approx(tuple(exact), abs=0.0005)


def test_sure_forecasts_allow_nothing_else():
    assert consistency_band([1.0, 1.0, 1.0]) == (1, 1)
    found = calibration_curve(forecast=[1.0, 1.0, 0.0], outcome=[1, 0, 0], bins=2)
    assert not found.bins[-1].consistent
    assert np.isnan(found.p)


def test_right_forecasts_are_said_to_be_right():
    rng = np.random.default_rng(20)
    said = rng.random(2000)
    found = calibration_curve(forecast=said, outcome=rng.random(2000) < said, bins=5)
    assert found.sentence.startswith("The forecasts are neither too high nor too low on the whole (2000 forecasts):")
    assert found.p > 0.05
    assert found.bins[0].sentence.endswith("came true, as it should be.")


def test_forecasts_too_high_are_said_to_be_too_high():
    rng = np.random.default_rng(3)
    said = rng.random(1000)
    found = calibration_curve(forecast=said, outcome=np.append(rng.random(999) < said[:-1] ** 2, np.nan), bins=5)
    assert found.sentence.startswith("The forecasts are too high by 0.1")
    assert "(999 forecasts, 1 without outcome left out)" in found.sentence
    assert "of 5 bins lie outside their bands" in found.sentence
    assert found.p < 0.001
    off = next(part for part in found.bins if not part.consistent)
    assert off.sentence.endswith("which chance alone hardly explains.")


def test_forecasts_too_low_are_said_to_be_too_low():
    rng = np.random.default_rng(4)
    said = rng.random(1000)
    found = calibration_curve(forecast=said, outcome=rng.random(1000) < np.sqrt(said))
    assert found.sentence.startswith("The forecasts are too low by ")


def test_forecasts_that_are_too_extreme_are_found_by_their_tilt():
    rng = np.random.default_rng(7)
    said = rng.random(1000)
    found = calibration_curve(forecast=said, outcome=rng.random(1000) < 0.5 + 0.6 * (said - 0.5))
    assert found.excess.low < 0 < found.excess.high
    assert found.p < 0.001


def test_forecasts_all_the_same_have_no_tilt():
    found = calibration_curve(forecast=[0.3] * 100, outcome=[1] * 40 + [0] * 60)
    z = (40 - 30) / np.sqrt(100 * 0.21)
    assert found.p == pytest.approx(2 * norm.sf(z))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"outcome": [1]}, "one outcome for each forecast; got 1 and 2"),
        ({"outcome": [np.nan, np.nan]}, "No forecast has a known outcome"),
        ({"forecast": [0.2, 1.7]}, "got 1.7"),
        ({"outcome": [0, 2]}, "0 or 1"),
        ({"bins": [0, 0.5]}, "edges rising from 0 to 1"),
        ({"bins": 0}, "edges rising from 0 to 1"),
    ],
)
def test_what_is_no_record_of_forecasts_is_refused(options, message):
    with pytest.raises(BadData, match=message):
        calibration_curve(**{"forecast": [0.2, 0.7], "outcome": [0, 1]} | options)


@pytest.mark.slow
@pytest.mark.parametrize("count", [50, 200, 2000])
def test_right_forecasts_lie_in_their_band_at_the_nominal_rate(count):
    rng = np.random.default_rng([5, count])
    said = rng.uniform(0.2, 0.6, size=count)
    low, high = consistency_band(said)
    shares = np.array([(rng.random(count) < said).mean() for _ in range(4000)])
    # Shares come in steps, so the band holds a little more than it says.
    assert 0.94 <= np.mean((low <= shares) & (shares <= high)) <= 0.975


@pytest.mark.slow
def test_excess_covers_and_the_test_alarms_at_the_nominal_rate():
    rng = np.random.default_rng(6)
    covered, alarms = [], []
    for _ in range(2000):
        said = rng.beta(2, 5, size=80)
        found = calibration_curve(forecast=said, outcome=rng.random(80) < said)
        covered.append(found.excess.low <= 0 <= found.excess.high)
        alarms.append(found.p <= 0.05)
    assert 0.93 <= np.mean(covered) <= 0.97
    assert 0.03 <= np.mean(alarms) <= 0.07
