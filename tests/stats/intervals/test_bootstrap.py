import numpy as np
import pytest
from scipy import stats

from mensura.errors import BadData
from mensura.stats import bootstrap_estimate, clustered_bootstrap_estimate, record_generator
from tests.proofs import proofs

STUDIES = 500


def rng(*key):
    return np.random.default_rng([7, *key])


def test_large_samples_agree_with_scipy():
    values = rng(1).exponential(size=400)
    estimate = bootstrap_estimate(values, rng=rng(2))
    expected = stats.bootstrap((values,), np.mean, rng=rng(3)).confidence_interval
    assert estimate.value == values.mean()
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high), abs=0.01)


def test_the_interval_from_one_record_is_the_same_twice():
    values = rng(4).normal(size=30)
    once = bootstrap_estimate(values, rng=record_generator(values))
    assert once == bootstrap_estimate(values, rng=record_generator(values))
    assert record_generator(values).random() != record_generator(values[:-1]).random()


def test_few_values_get_no_interval():
    estimate = bootstrap_estimate([1, 2, 3], rng=rng(5))
    assert (estimate.value, estimate.n) == (2, 3)
    assert estimate.method == "none: a bootstrap needs at least 10 values"
    assert bootstrap_estimate([], rng=rng(5)).method == "none: no values"


def test_equal_values_claim_no_zero_width():
    assert bootstrap_estimate([2.0] * 12, rng=rng(6)).method == "none: all 12 values give the same"


def test_a_statistic_of_rows_resamples_rows():
    table = rng(7).multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], size=200)
    estimate = bootstrap_estimate(
        table, statistic=lambda rows: np.corrcoef(rows.T)[0, 1], rng=rng(8), resamples=999, level=0.9
    )
    assert estimate.low < 0.8 < estimate.high
    assert estimate.method == "BCa bootstrap of 999 resamples, 90 %"


def test_a_statistic_without_a_signature_is_called_sample_by_sample():
    estimate = bootstrap_estimate(np.arange(20), statistic=max, rng=rng(9), resamples=199, kind="percentile")
    assert (estimate.value, estimate.high) == (19, 19)


def test_a_statistic_that_is_often_undefined_gets_no_interval():
    values = np.r_[np.zeros(19), 1.0]
    estimate = bootstrap_estimate(
        values, statistic=lambda x: x.mean() if x.any() else np.nan, rng=rng(10), resamples=999
    )
    assert estimate.value == 0.05
    assert estimate.method.startswith("none: undefined in ")


def test_a_statistic_undefined_without_one_value_gets_no_interval():
    values = np.arange(20.0)
    estimate = bootstrap_estimate(
        values, statistic=lambda x: x.mean() if len(x) == 20 else np.nan, rng=rng(11), resamples=199
    )
    assert estimate.method == "none: undefined without one of the values"


def test_an_unknown_kind_is_refused():
    with pytest.raises(BadData, match="got 'basic'"):
        bootstrap_estimate(range(20), rng=rng(12), kind="basic")


def test_clusters_are_resampled_whole():
    clusters = [np.full(50, value) for value in rng(13).normal(size=20)]
    whole = clustered_bootstrap_estimate(clusters, rng=rng(14))
    apart = bootstrap_estimate(np.concatenate(clusters), rng=rng(14))
    assert whole.n == 20
    assert whole.method == "BCa bootstrap of 9999 resamples of clusters"
    assert whole.high - whole.low > 4 * (apart.high - apart.low)


def test_a_statistic_of_clusters_sees_all_their_values():
    clusters = [[1, 2, np.nan], [3], []] + [[5, 6]] * 9
    median = clustered_bootstrap_estimate(clusters, statistic=np.median, rng=rng(15), resamples=199)
    mean = clustered_bootstrap_estimate(clusters, statistic=np.mean, rng=rng(16), resamples=2999)
    assert (median.value, median.n) == (5, 11)
    quick = clustered_bootstrap_estimate(clusters, rng=rng(16), resamples=2999)
    assert (mean.low, mean.high) == pytest.approx((quick.low, quick.high), abs=0.1)


def draw(kind, n):
    if kind == "normal":
        return rng(20, n).normal(size=(STUDIES, n)), 0.0
    return rng(21, n).exponential(size=(STUDIES, n)), 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "n", "method"),
    [
        *proofs(("normal", 10, "BCa"), ("normal", 30, "percentile")),
        ("exponential", 20, "percentile"),
        ("exponential", 60, "BCa"),
    ],
)
def test_interval_covers_the_mean(kind, n, method):
    values, truth = draw(kind, n)
    # Percentiles do not know of skew and cover one or two hundredths less.
    least = 0.91 if (kind, method) == ("exponential", "percentile") else 0.93
    chance = rng(22, n)
    estimates = [bootstrap_estimate(study, rng=chance, kind=method, resamples=999) for study in values]
    assert least <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [10, *proofs(40)])
def test_clustered_interval_covers_where_clusters_differ_in_level_and_size(clusters):
    draws, chance, covered = rng(23, clusters), rng(24, clusters), []
    for _ in range(STUDIES):
        sizes = draws.integers(5, 16, size=clusters)
        study = [draws.normal(size=size) + draws.normal() for size in sizes]
        estimate = clustered_bootstrap_estimate(study, rng=chance, resamples=999)
        covered.append(estimate.low <= 0 <= estimate.high)
    assert 0.93 <= np.mean(covered) <= 0.97
