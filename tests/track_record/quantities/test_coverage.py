import numpy as np
import pytest
from scipy import stats

from mensura.errors import BadData
from mensura.track_record.quantities.coverage import band_coverage, fit_form, pit_histogram


def test_tight_bands_are_seen_as_the_report_tells_of_students():
    # BookPage 11: about 40 % outside where 2 % should be; simulated by normals stated too narrow.
    rng = np.random.default_rng(0)
    truth = rng.normal(size=200)
    half = stats.norm.ppf(0.99) * 0.36
    found = band_coverage(low=np.full(200, -half), high=np.full(200, half), claimed=0.98, outcome=truth)
    assert found.outside.low < 0.4 < found.outside.high
    assert found.probability < 1e-6
    assert "2 % should lie outside" in found.words
    assert "too tight" in found.words


def test_honest_bands_are_not_blamed():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=300)
    half = stats.norm.ppf(0.99)
    found = band_coverage(low=np.full(300, -half), high=np.full(300, half), claimed=0.98, outcome=truth)
    assert "chance allows this" in found.words


def test_unresolved_quantities_are_left_out_and_all_unresolved_is_refused():
    found = band_coverage(low=[0, 0], high=[1, 1], claimed=0.9, outcome=[0.5, np.nan])
    assert found.outside.n == 1
    with pytest.raises(BadData, match="No quantity is resolved"):
        band_coverage(low=[0], high=[1], claimed=0.9, outcome=[np.nan])


def test_pit_of_honest_histograms_is_even_and_of_tight_ones_is_not():
    rng = np.random.default_rng(2)
    edges = np.linspace(-5, 5, 41)
    honest = np.diff(stats.norm.cdf(edges))
    tight = np.diff(stats.norm.cdf(edges, scale=0.4))
    truth = rng.normal(size=500)
    for masses, even in ((honest, True), (tight, False)):
        transforms = np.interp(truth, edges, np.cumsum([0, *masses]) / masses.sum())
        found = pit_histogram(transforms)
        assert found.n == 500
        assert (found.probability > 0.01) is even
        assert bool((found.counts <= found.high).all()) is even


@pytest.mark.parametrize("form", ["normal", "lognormal", "logistic"])
def test_a_form_is_recovered_from_its_own_bins(form):
    truth = {
        "normal": stats.norm(50, 12),
        "lognormal": stats.lognorm(0.5, scale=np.exp(3.8)),
        "logistic": stats.logistic(50, 6),
    }[form]
    edges = np.array([0.0, 20, 40, 60, 80, 200])
    masses = np.diff(truth.cdf(edges[1:-1]), prepend=0, append=1)
    fitted = fit_form(masses=masses, edges=edges, form=form)
    assert fitted.misfit < 1e-6
    found = {
        "normal": stats.norm(fitted.location, fitted.scale),
        "lognormal": stats.lognorm(fitted.scale, scale=np.exp(fitted.location)),
        "logistic": stats.logistic(fitted.location, fitted.scale),
    }[form]
    assert found.median() == pytest.approx(truth.median(), rel=1e-3)
    assert found.ppf(0.9) == pytest.approx(truth.ppf(0.9), rel=1e-3)


def test_a_wrong_form_shows_its_misfit():
    edges = np.array([0.0, 1, 2, 3, 4, 5])
    assert fit_form(masses=[0.05, 0.44, 0.02, 0.44, 0.05], edges=edges).misfit > 0.1
    with pytest.raises(BadData, match="log-normal quantity is positive"):
        fit_form(masses=[0.5, 0.25, 0.25], edges=[-2.0, -1.0, 1.0, 2.0], form="lognormal")
