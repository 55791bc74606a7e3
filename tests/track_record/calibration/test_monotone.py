import numpy as np
import pytest

from mensura.scores import rule
from mensura.track_record.calibration.discrimination import discriminate
from mensura.track_record.calibration.monotone import correct_monotone, decompose, fit_monotone
from mensura.track_record.calibration.murphy import murphy
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.calibration.validity import validity


@pytest.fixture
def sheet():
    rng = np.random.default_rng(7)
    true = rng.random(3000)
    return Sheet.binary(np.round(np.clip(0.5 + 1.4 * (true - 0.5), 0, 1), 2), (rng.random(3000) < true).astype(float))


def test_isotonic_curve_agrees_with_scikit_learn(sheet):
    isotonic = pytest.importorskip("sklearn.isotonic", reason="scikit-learn is not installed")
    points = sheet.points()
    theirs = isotonic.IsotonicRegression().fit(points.stated, points.happened).predict(points.stated)
    np.testing.assert_allclose(fit_monotone(points)(points.stated), theirs, atol=1e-12)


def test_decomposition_adds_up_and_parts_are_not_negative(sheet):
    parts = decompose(sheet.points())
    assert parts.miscalibration - parts.discrimination + parts.uncertainty == pytest.approx(parts.loss)
    assert parts.miscalibration > 0.005
    assert parts.discrimination > 0


def test_the_log_safe_form_is_monotone_and_never_certain():
    curve = fit_monotone(Sheet.binary([0.1, 0.2, 0.7, 0.9], [0, 0, 1, 1]).points())
    assert set(curve.frequencies) == {0.0, 1.0}
    safe = curve.safe()
    assert 0 < safe.frequencies.min() < safe.frequencies.max() < 1
    assert (np.diff(safe(np.linspace(0, 1, 101))) >= 0).all()


def test_monotone_correction_keeps_sums_and_does_not_lose_quadratic_score(sheet):
    fixed = correct_monotone(sheet, fit_monotone(sheet.points()))
    assert fixed.sheet.scores(rule("quadratic")).sum() > sheet.scores(rule("quadratic")).sum()
    rng = np.random.default_rng(1)
    p = rng.dirichlet(np.ones(4), size=300)
    three = Sheet.alternatives(p, rng.integers(4, size=300))
    after = correct_monotone(three, fit_monotone(three.points())).sheet.blocks[0].probabilities
    np.testing.assert_allclose(after.sum(axis=1), 1)


def test_bins_hide_what_murphy_calls_within(sheet):
    parts = murphy(sheet.points(), edges=np.linspace(0, 1, 6))
    total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert total == pytest.approx(parts.loss)
    assert abs(parts.within) > 1e-6


def test_validity_counts_every_point_and_bands_hold_a_realist():
    rng = np.random.default_rng(3)
    inside = []
    for _ in range(200):
        p = rng.random(500)
        graph = validity(Sheet.binary(p, (rng.random(500) < p).astype(float)).points())
        assert graph.count.sum() == 500
        inside.append(np.mean((graph.frequency >= graph.band_low) & (graph.frequency <= graph.band_high)))
    assert 0.94 < np.mean(inside) < 0.99


def test_few_levels_are_bins_of_their_own():
    graph = validity(Sheet.binary([0.2, 0.2, 0.75], [0, 1, 1]).points())
    assert graph.stated.tolist() == [0.2, 0.75]
    assert graph.count.tolist() == [2, 1]


def test_roc_area_agrees_with_scikit_learn(sheet):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    points = sheet.points()
    found = discriminate(points)
    assert found.area.value == pytest.approx(metrics.roc_auc_score(points.happened, points.stated), abs=1e-12)
    assert found.area.low < found.area.value < found.area.high
    assert found.happened.sum() == pytest.approx(1)
    assert found.separation > 0


def test_roc_interval_covers_at_about_the_nominal_rate():
    from scipy.stats import norm

    rng = np.random.default_rng(5)
    truth, hits = norm.cdf(1 / np.sqrt(2)), 0
    for _ in range(400):
        yes, no = norm.cdf(rng.normal(1, 1, 40)), norm.cdf(rng.normal(0, 1, 40))
        area = discriminate(Sheet.binary(np.concatenate([yes, no]), np.repeat([1, 0], 40)).points()).area
        hits += area.low <= truth <= area.high
    assert hits / 400 == pytest.approx(0.95, abs=0.03)


def test_one_sided_outcomes_leave_discrimination_unknown():
    found = discriminate(Sheet.binary([0.2, 0.9], [1, 1]).points())
    assert np.isnan(found.area.value)
    assert np.isnan(found.separation)


def test_revisions_do_not_narrow_the_interval_of_the_area():
    rng = np.random.default_rng(8)
    p = rng.random(60)
    y = (rng.random(60) < p).astype(float)
    once = discriminate(Sheet.binary(p, y).points()).area
    often = discriminate(
        Sheet.binary(np.repeat(p, 9), np.repeat(y, 9), question=np.repeat(np.arange(60), 9)).points()
    ).area
    assert often.n == once.n == 60
    assert (often.low, often.high) == (pytest.approx(once.low), pytest.approx(once.high))
