import numpy as np
import pytest

from mensura.track_record.calibration import resampling
from mensura.track_record.calibration.resampling import resampled_means


@pytest.mark.parametrize("rows", [40, 30_000, 250_000])
def test_intervals_have_the_width_of_the_normal_ones(rows):
    rng = np.random.default_rng(rows)
    values = rng.normal(2, 3, (rows, 2))
    for k, found in enumerate(resampled_means(values, rng=rng, draws=2000)):
        half = 1.96 * values[:, k].std(ddof=1) / np.sqrt(rows)
        assert found.value == pytest.approx(values[:, k].mean())
        assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.1)


def test_intervals_cover_the_mean_at_the_nominal_rate():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(600):
        (found,) = resampled_means(rng.normal(1, 1, (25, 1)), rng=rng, draws=500)
        hits += found.low <= 1 <= found.high
    assert hits / 600 == pytest.approx(0.95, abs=0.03)


def test_few_rows_get_a_t_interval_and_equal_ones_none():
    (few,) = resampled_means(np.array([[1.0], [2.0], [3.0]]), rng=np.random.default_rng(0))
    assert few.method == "t"
    (same,) = resampled_means(np.zeros((50, 1)), rng=np.random.default_rng(0))
    assert np.isnan(same.low)
    assert "equal" in same.method


@pytest.mark.parametrize("rows", [5, 50, 30_000])
def test_infinite_losses_stay_infinite_without_a_crash(rows):
    values = np.zeros((rows, 1))
    values[0] = -np.inf
    values[1] = 1
    (found,) = resampled_means(values, rng=np.random.default_rng(0))
    assert found.value == -np.inf
    assert np.isnan(found.low) or found.low == -np.inf


def test_the_same_seed_gives_the_same_interval_whatever_the_number_of_threads(monkeypatch):
    values = np.random.default_rng(0).normal(size=(5000, 1))
    (first,) = resampled_means(values, rng=np.random.default_rng(7))
    monkeypatch.setattr(resampling, "cpu_count", lambda: 5)
    (second,) = resampled_means(values, rng=np.random.default_rng(7))
    assert first == second
