"""Scores agree with scoringrules, scores and scikit-learn where they overlap."""

import numpy as np
import pytest

from mensura.scores import (
    brier_loss,
    crps_ensemble,
    crps_histogram,
    crps_logistic,
    crps_lognormal,
    crps_normal,
    interval_loss,
    log_loss,
    logarithmic_score,
    multicategory_brier_loss,
    quantile_loss,
    ranked_probability_loss,
    weighted_interval_loss,
)

TIGHT = {"rtol": 1e-12, "atol": 1e-12}


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture
def peer():
    found = pytest.importorskip("scoringrules", reason="scoringrules is not installed")
    # It would compile each of its scores anew in every process.
    found.backends.set_active("numpy")
    return found


def binary(rng, n=50_000):
    p = rng.random(n)
    return p, (rng.random(n) < p).astype(float)


def test_binary_scores_agree_with_scoringrules(rng, peer):
    p, y = binary(rng)
    np.testing.assert_allclose(brier_loss(forecast=p, outcome=y), peer.brier_score(y, p), **TIGHT)
    np.testing.assert_allclose(log_loss(forecast=p, outcome=y), peer.log_score(y, p), **TIGHT)


def test_binary_scores_agree_with_scikit_learn(rng):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    p, y = binary(rng)
    assert brier_loss(forecast=p, outcome=y).mean() == pytest.approx(metrics.brier_score_loss(y, p), abs=1e-12)
    assert log_loss(forecast=p, outcome=y).mean() == pytest.approx(metrics.log_loss(y, p), abs=1e-12)


def test_scores_over_alternatives_agree_with_scikit_learn(rng):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    p = rng.dirichlet(np.ones(4), size=5000)
    y = rng.integers(4, size=5000)
    mine = np.log(4) - logarithmic_score(forecast=p, outcome=y).mean()
    assert mine == pytest.approx(metrics.log_loss(y, p, labels=range(4)), abs=1e-12)


def test_brier_and_pinball_agree_with_scores(rng):
    scores = pytest.importorskip("scores", reason="scores is not installed")
    xarray = pytest.importorskip("xarray")
    p, y = binary(rng, 2000)
    theirs = scores.probability.brier_score(xarray.DataArray(p), xarray.DataArray(y)).item()
    assert brier_loss(forecast=p, outcome=y).mean() == pytest.approx(theirs, abs=1e-12)
    q, truth = rng.normal(size=(2, 2000))
    theirs = scores.continuous.quantile_score(xarray.DataArray(q), xarray.DataArray(truth), alpha=0.3).item()
    assert quantile_loss(forecast=q, level=0.3, outcome=truth).mean() == pytest.approx(theirs, abs=1e-12)


def test_ensemble_crps_agrees_with_scores(rng):
    scores = pytest.importorskip("scores", reason="scores is not installed")
    xarray = pytest.importorskip("xarray")
    members, y = rng.normal(size=(300, 7)), rng.normal(size=300)
    for fair, method in ((False, "ecdf"), (True, "fair")):
        theirs = scores.probability.crps_for_ensemble(
            xarray.DataArray(members, dims=["case", "member"]),
            xarray.DataArray(y, dims=["case"]),
            ensemble_member_dim="member",
            method=method,
        ).item()
        mine = crps_ensemble(members=members, outcome=y, fair=fair).mean()
        assert mine == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 10, 24, 25, 60])
def test_ensemble_crps_agrees_with_scoringrules(rng, peer, size):
    members, y = rng.normal(size=(400, size)), rng.normal(size=400)
    np.testing.assert_allclose(
        crps_ensemble(members=members, outcome=y), peer.crps_ensemble(y, members, estimator="nrg"), **TIGHT
    )
    if size > 1:
        fair = crps_ensemble(members=members, outcome=y, fair=True)
        np.testing.assert_allclose(fair, peer.crps_ensemble(y, members, estimator="fair"), **TIGHT)


def test_closed_forms_of_crps_agree_with_scoringrules(rng, peer):
    m, y = rng.normal(size=(2, 20_000))
    s = rng.uniform(0.1, 3, 20_000)
    np.testing.assert_allclose(crps_normal(mean=m, deviation=s, outcome=y), peer.crps_normal(y, m, s), **TIGHT)
    np.testing.assert_allclose(crps_logistic(location=m, scale=s, outcome=y), peer.crps_logistic(y, m, s), **TIGHT)
    z, s = np.exp(y), s / 3
    np.testing.assert_allclose(crps_lognormal(mean=m, deviation=s, outcome=z), peer.crps_lognormal(z, m, s), **TIGHT)


def test_normal_crps_agrees_with_properscoring(rng):
    peer = pytest.importorskip("properscoring", reason="properscoring is not installed")
    m, y = rng.normal(size=(2, 1000))
    np.testing.assert_allclose(crps_normal(mean=m, deviation=0.7, outcome=y), peer.crps_gaussian(y, m, 0.7), **TIGHT)


def test_interval_quantile_and_ranked_scores_agree_with_scoringrules(rng, peer):
    low, y = rng.normal(size=(2, 1000))
    high = low + rng.random(1000)
    np.testing.assert_allclose(
        interval_loss(low=low, high=high, coverage=0.8, outcome=y), peer.interval_score(y, low, high, 0.2), **TIGHT
    )
    np.testing.assert_allclose(
        quantile_loss(forecast=low, level=0.1, outcome=y), peer.quantile_score(y, low, 0.1), **TIGHT
    )
    lows = np.stack([low, low - 1], axis=-1)
    highs = np.stack([high, high + 1], axis=-1)
    mine = weighted_interval_loss(median=(low + high) / 2, low=lows, high=highs, coverages=[0.5, 0.9], outcome=y)
    # What theirs gives without being compiled is something else.
    theirs = peer.weighted_interval_score(y, (low + high) / 2, lows, highs, np.array([0.5, 0.1]), backend="numba")
    np.testing.assert_allclose(mine, theirs, **TIGHT)
    p = rng.dirichlet(np.ones(5), size=200)
    k = rng.integers(5, size=200)
    np.testing.assert_allclose(
        ranked_probability_loss(forecast=p, outcome=k), [peer.rps_score(b + 1, a) for a, b in zip(p, k, strict=True)]
    )


def test_histogram_crps_agrees_with_a_large_ensemble_and_with_direct_integration(rng):
    masses, edges = np.array([0.2, 0.5, 0.3]), np.array([0.0, 1.0, 3.0, 4.0])
    grid = np.linspace(-3, 7, 2_000_001)
    cdf = np.interp(grid, edges, np.concatenate([[0], np.cumsum(masses)]))
    for y in (-1.0, 0.0, 0.4, 2.5, 4.0, 5.5):
        direct = np.trapezoid((cdf - (grid >= y)) ** 2, grid)
        assert crps_histogram(masses=masses, edges=edges, outcome=y) == pytest.approx(direct, abs=1e-5)


def test_a_bin_without_width_is_an_atom():
    # All mass at 2: the CRPS is the distance, as for a point forecast.
    for y in (1.0, 2.0, 4.5):
        got = crps_histogram(masses=[0.0, 1.0, 0.0], edges=[0.0, 2.0, 2.0, 5.0], outcome=y)
        assert got == pytest.approx(abs(y - 2))


def test_brier_over_two_alternatives_is_twice_the_binary_loss(rng):
    p, y = binary(rng, 100)
    both = multicategory_brier_loss(forecast=np.stack([1 - p, p], axis=1), outcome=y)
    np.testing.assert_allclose(both, 2 * brier_loss(forecast=p, outcome=y), atol=1e-12)
