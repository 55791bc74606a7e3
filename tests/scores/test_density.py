import numpy as np
import pytest
from scipy import stats

from mensura.scores import (
    crps_quantiles,
    histogram_density,
    logarithmic_density_score,
    normal_density,
    quadratic_density_score,
    quantile_loss,
)


def expected(score, truth, grid):
    """Expected score of a report under a true density on a grid."""
    return np.trapezoid(score * truth, grid)


@pytest.mark.parametrize("kind", ["logarithmic", "quadratic"])
def test_the_true_density_is_the_best_report(kind):
    grid = np.linspace(-12, 12, 20_001)
    truth = stats.norm.pdf(grid, 0.3, 1.2)

    def value(mean, deviation):
        at, square = normal_density(mean=mean, deviation=deviation, outcome=grid)
        if kind == "logarithmic":
            return expected(logarithmic_density_score(at_outcome=at), truth, grid)
        return expected(quadratic_density_score(at_outcome=at, square_integral=square), truth, grid)

    honest = value(0.3, 1.2)
    for mean, deviation in ((0.3, 0.8), (0.3, 2.0), (0.0, 1.2), (0.6, 1.3)):
        assert value(mean, deviation) < honest


def test_the_true_histogram_is_the_best_histogram():
    edges = np.array([0.0, 1.0, 3.0, 4.0])
    truth = np.array([0.2, 0.5, 0.3])
    middles = np.array([0.5, 2.0, 3.5])

    def value(masses):
        at, square = histogram_density(masses=np.tile(masses, (3, 1)), edges=edges, outcome=middles)
        return truth @ quadratic_density_score(at_outcome=at, square_integral=square)

    for rival in ([0.3, 0.4, 0.3], [0.2, 0.45, 0.35], [0.0, 1.0, 0.0]):
        assert value(rival) < value(truth)


def test_normal_density_integrates_as_stated():
    grid = np.linspace(-20, 20, 40_001)
    at, square = normal_density(mean=1.0, deviation=1.7, outcome=grid)
    assert np.trapezoid(at, grid) == pytest.approx(1)
    assert np.trapezoid(at**2, grid) == pytest.approx(float(square))


def test_the_upper_edge_belongs_to_the_last_bin_and_outside_is_zero():
    at, _ = histogram_density(masses=[0.25, 0.75], edges=[0, 1, 2], outcome=[2.0, 2.5])
    assert at.tolist() == [0.75, 0.0]


def test_a_stated_quantile_is_best_at_its_level():
    truth = stats.norm(2, 3)
    y = truth.ppf((np.arange(20_000) + 0.5) / 20_000)
    honest = quantile_loss(forecast=truth.ppf(0.9), level=0.9, outcome=y).mean()
    for shift in (-1, -0.3, 0.3, 1):
        assert quantile_loss(forecast=truth.ppf(0.9) + shift, level=0.9, outcome=y).mean() > honest


def test_many_quantiles_approach_the_normal_crps():
    from mensura.scores import crps_normal

    levels = (np.arange(2000) + 0.5) / 2000
    quantiles = stats.norm.ppf(levels)[None, :]
    got = crps_quantiles(quantiles=quantiles, levels=levels, outcome=[0.4])[0]
    assert got == pytest.approx(float(crps_normal(mean=0, deviation=1, outcome=0.4)), abs=1e-4)
