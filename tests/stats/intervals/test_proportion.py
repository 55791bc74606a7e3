import numpy as np
import pytest
from scipy.stats import binom, binomtest

from mensura.errors import BadData
from mensura.stats import proportion_estimate


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (1, 10), (7, 7), (13, 40), (900, 1000)])
@pytest.mark.parametrize(("method", "name"), [("Wilson", "wilson"), ("Clopper-Pearson", "exact")])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_interval_agrees_with_scipy(successes, n, method, name, level):
    estimate = proportion_estimate(successes, n=n, method=method, level=level)
    expected = binomtest(successes, n).proportion_ci(confidence_level=level, method=name)
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert estimate.value == successes / n


def test_newcombes_published_examples_are_met():
    # Newcombe (1998), Statistics in Medicine 17, 857-872, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, n), bounds in published.items():
        estimate = proportion_estimate(successes, n=n)
        assert (round(estimate.low, 4), round(estimate.high, 4)) == bounds


def test_nothing_observed_is_unknown():
    estimate = proportion_estimate(0, n=0)
    assert np.isnan(estimate.value)
    assert estimate.n == 0


def test_more_successes_than_tries_are_refused():
    with pytest.raises(BadData, match="got 6 of 5"):
        proportion_estimate(6, n=5)


def test_an_unknown_method_is_refused():
    with pytest.raises(BadData, match="got 'Wald'"):
        proportion_estimate(3, n=5, method="Wald")


def coverage(*, n: int, method: str, shares: np.ndarray) -> np.ndarray:
    """The exact chance that the interval covers each share: no simulation is needed."""
    successes = np.arange(n + 1)
    estimates = [proportion_estimate(int(k), n=n, method=method) for k in successes]
    low, high = np.array([e.low for e in estimates]), np.array([e.high for e in estimates])
    covered = (low[:, None] <= shares) & (shares <= high[:, None])
    return (binom.pmf(successes[:, None], n, shares) * covered).sum(axis=0)


@pytest.mark.parametrize("n", [5, 10, 20, 50, 200])
def test_wilson_covers_at_the_nominal_rate_on_average(n):
    covered = coverage(n=n, method="Wilson", shares=np.linspace(0.0005, 0.9995, 1999))
    assert 0.94 < covered.mean() < 0.97
    assert covered.min() > 0.82


@pytest.mark.parametrize("n", [5, 10, 20, 50, 200])
def test_clopper_pearson_never_covers_less_than_it_says(n):
    assert coverage(n=n, method="Clopper-Pearson", shares=np.linspace(0.0005, 0.9995, 1999)).min() >= 0.95
