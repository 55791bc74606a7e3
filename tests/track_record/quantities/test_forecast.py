import numpy as np
import pytest
from scipy.stats import expon, norm

from mensura.scores import crps_histogram, crps_normal, crps_quantiles
from mensura.track_record.quantities.coverage import band_coverage, pit_histogram
from mensura.track_record.quantities.forecast import QuantityForecast, shares_of_revisions
from mensura.track_record.quantities.scoring import diagnose_quantities

FEW = np.array([0.01, 0.5, 0.99])


def said(values, levels, outcome, **others):
    return QuantityForecast("a", "q", "quantiles", np.asarray(values), np.asarray(levels), outcome, **others)


@pytest.mark.proof
def test_an_honest_forecaster_of_three_quantiles_is_not_accused():
    rng = np.random.default_rng(4)
    accused = 0
    for _ in range(40):
        found = diagnose_quantities([said(norm.ppf(FEW), FEW, y) for y in rng.normal(size=100)])
        accused += "do not fall evenly" in found.words
    # The words are spoken at 5 %.
    assert accused <= 4


def test_a_tight_forecaster_of_three_quantiles_is_accused():
    truths = np.random.default_rng(5).normal(size=100)
    found = diagnose_quantities([said(0.4 * norm.ppf(FEW), FEW, y) for y in truths])
    assert "do not fall evenly" in found.words
    assert found.pit.probability < 1e-6


def test_the_crps_of_few_quantiles_is_that_of_the_distribution():
    truths = norm.ppf((np.arange(2000) + 0.5) / 2000)
    found = np.array([said(norm.ppf(FEW), FEW, y).losses()["crps_loss"] for y in truths])
    np.testing.assert_allclose(found, crps_normal(mean=0, deviation=1, outcome=truths), atol=1e-12)
    # Twice the mean pinball loss, which was printed before, is .30.
    assert found.mean() == pytest.approx(1 / np.sqrt(np.pi), abs=1e-3)


def test_the_crps_of_uneven_quantiles_is_the_integral_over_what_is_drawn_through_them():
    values, levels = np.array([0.0, 1.0, 1.0, 4.0, 5.0]), np.array([0.1, 0.3, 0.6, 0.8, 0.8])
    z, x = norm.ppf(levels), np.linspace(-80, 80, 1_600_001)
    below = norm.cdf(np.where(x < 1, z[0] + x * (z[1] - z[0]), z[2] + (x - 1) * (z[3] - z[2]) / 3))
    # A level said twice: nothing lies between 4 and 5, and beyond the distribution has no slope left.
    drawn = np.where(x < 4, below, np.where(x < 5, 0.8, 1.0))
    for outcome in (-3.0, 0.5, 1.0, 2.0, 4.5, 9.0):
        brute = np.trapezoid((drawn - (x >= outcome)) ** 2, x)
        got = crps_quantiles(quantiles=[values], levels=levels, outcome=[outcome])[0]
        assert got == pytest.approx(brute, abs=1e-3)


@pytest.mark.parametrize("outside", [0, 299])
def test_bands_are_blamed_to_either_side(outside):
    truths = np.where(np.arange(300) < outside, 5.0, 0.0)
    found = band_coverage(low=np.full(300, -1.0), high=np.full(300, 1.0), claimed=0.5, outcome=truths)
    assert ("too wide" if outside == 0 else "too tight") in found.words
    assert found.probability < 1e-20


def test_the_interval_loss_of_a_lopsided_band_is_least_at_its_own_quantiles():
    truths = expon.ppf((np.arange(4000) + 0.5) / 4000)
    levels = np.array([0.05, 0.5, 0.7])

    def loss(values):
        return np.mean([said(values, levels, y).losses()["interval_loss"] for y in truths[::10]])

    honest = expon.ppf(levels)
    for move in ((-0.04, 0, 0), (0.1, 0, 0), (0, 0, -0.3), (0, 0, 0.4)):
        assert loss(honest) < loss(honest + move)


def test_a_cdf_with_closed_ends_is_the_same_distribution_as_bins():
    edges, masses = np.array([0.0, 2.0, 3.0, 7.0]), np.array([0.2, 0.5, 0.3])
    levels = np.array([0.0, 0.2, 0.7, 1.0])
    for outcome in (1.0, 2.5, 8.0):
        as_cdf, as_bins = (
            QuantityForecast("a", "q", form, edges, levels, outcome).losses()["crps_loss"]
            for form in ("quantiles", "bins")
        )
        assert as_cdf == as_bins == pytest.approx(float(crps_histogram(masses=masses, edges=edges, outcome=outcome)))


def test_an_atom_is_one_cell():
    # Half of all belief lies at zero: three equal quantiles, and truths that are zero half of the time.
    rng = np.random.default_rng(6)
    levels = np.array([0.1, 0.3, 0.5, 0.9])
    values = np.array([0.0, 0.0, 0.0, 2.0])
    truths = np.where(rng.random(200) < 0.5, 0.0, expon.rvs(scale=2 / np.log(5), size=200, random_state=rng))
    found = [said(values, levels, y) for y in truths]
    pit = pit_histogram([one.transform() for one in found], cells=[one.cells()[1] for one in found])
    assert pit.probability > 0.05


def test_each_revision_counts_for_the_time_it_stood_and_nothing_after_resolution():
    assert shares_of_revisions([10.0, 14.0], resolved=16.0, closes=20.0).tolist() == [0.4, 0.2]
    assert shares_of_revisions([float("nan")], resolved=16.0, closes=20.0).tolist() == [1.0]
    wide, narrow = (said(spread * norm.ppf(FEW), FEW, 0.3) for spread in (3.0, 1.0))
    both = [said(wide.values, FEW, 0.3, share=0.4), said(narrow.values, FEW, 0.3, share=0.2, first=False)]
    found = diagnose_quantities(both)
    expected = 0.4 * wide.losses()["crps_loss"] + 0.2 * narrow.losses()["crps_loss"]
    assert found.losses["crps_loss"].value == pytest.approx(expected)
    assert found.n == found.coverage.outside.n == found.pit.n == 1


def test_honesty_is_best_for_revised_quantities_that_resolve_early():
    # Waiting time for an event, hazard .1 a day, planned to end at day 10: known at once when it happens.
    rng = np.random.default_rng(7)
    truths = rng.exponential(10.0, size=400)
    levels, days = np.array([0.1, 0.5, 0.9]), np.arange(0.0, 10.0, 2.5)

    def loss(stretch):
        total = 0.0
        for truth in truths:
            known = min(truth, 10.0)
            times = days[days < known]
            shares = shares_of_revisions(times, resolved=known, closes=10.0)
            forecasts = [said(day + stretch * expon.ppf(levels, scale=10.0), levels, truth) for day in times]
            losses = [one.losses()["quantile_loss"] for one in forecasts]
            total += float(np.dot(shares, losses))
        return total

    honest = loss(1.0)
    assert honest < loss(0.6)
    assert honest < loss(1.6)
