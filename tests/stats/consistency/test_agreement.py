import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from mensura.errors import BadData
from mensura.stats import cohen_kappa, krippendorff_alpha
from mensura.stats.consistency.agreement import _alphas, _counts
from tests.proofs import proofs

NONE = np.nan
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four observers, twelve units.
OBSERVED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
    [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
]


def rng(*key):
    return np.random.default_rng([31, *key])


@pytest.mark.parametrize(
    ("scale", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorffs_published_values_are_met(scale, published):
    found = krippendorff_alpha(OBSERVED, scale=scale, rng=rng(1), resamples=199)
    assert found.coefficient.value == pytest.approx(published, abs=0.0005)
    assert (found.raters, found.items, found.dropped) == (4, 11, 1)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
def test_resampled_alpha_is_that_of_the_package(scale):
    draws = rng(2)
    ratings = draws.integers(0, 5, size=(4, 25)).astype(float)
    ratings[draws.random(ratings.shape) < 0.2] = NONE
    ratings = ratings[:, (~np.isnan(ratings)).sum(axis=0) >= 2]
    values = np.unique(ratings[~np.isnan(ratings)])
    alphas = _alphas(_counts(ratings, values), values, scale=scale)
    for _ in range(5):
        index = draws.integers(ratings.shape[1], size=ratings.shape[1])
        expected = krippendorff.alpha(ratings[:, index], level_of_measurement=scale)
        assert alphas(index[None])[0] == pytest.approx(expected)


def test_few_items_give_no_interval():
    found = krippendorff_alpha([[1, 2, 3], [1, 2, 2]], scale="nominal", rng=rng(3))
    assert found.coefficient.method == "none: a bootstrap needs at least 10 items"
    assert "has no error estimate, as a bootstrap needs at least 10 items" in found.sentence


def test_ratings_without_steps_have_a_value_and_no_interval():
    # Not many more than too many: the package takes gigabytes for three hundred items.
    ratings = rng(3).normal(5, 1, size=(3, 140))
    found = krippendorff_alpha(ratings, scale="interval", rng=rng(1))
    assert found.coefficient.value == pytest.approx(krippendorff.alpha(ratings, level_of_measurement="interval"))
    assert not found.coefficient.has_interval
    assert "420 different ratings of 140 items are too many to resample" in found.sentence


def test_what_chance_cannot_tell_is_not_called_the_same():
    found = krippendorff_alpha([[-1, 1], [1, -1]], scale="ratio", rng=rng(1))
    assert np.isnan(found.coefficient.value)
    assert "by chance there would be no disagreement that can be computed" in found.sentence
    assert "all ratings are the same" not in found.sentence


def test_ratings_all_the_same_tell_nothing():
    found = krippendorff_alpha([[1, 1], [1, 1]], scale="nominal", rng=rng(4))
    assert np.isnan(found.coefficient.value)
    assert found.sentence == "Agreement cannot be told: all ratings are the same (2 raters, 2 items)."


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        (0.1, "The raters agree well enough to draw conclusions"),
        (1.0, "The raters agree more than by chance, but not well enough"),
        (50.0, "The raters are not shown to agree more than chance would have them"),
    ],
)
def test_the_verdict_weighs_the_interval(noise, words):
    draws = rng(5)
    ratings = draws.normal(size=(1, 60)) + noise * draws.normal(size=(3, 60))
    found = krippendorff_alpha(np.round(ratings, 1), scale="interval", rng=draws, resamples=999)
    assert found.sentence.startswith(words)


@pytest.mark.parametrize(
    ("ratings", "scale", "message"),
    [
        ([[1, 2], [2, 1]], "likert", "got 'likert'"),
        ([[1, NONE], [NONE, 1]], "nominal", "No item was rated by two"),
        (np.arange(12_000.0).reshape(2, 6000), "nominal", "too many; round them"),
    ],
)
def test_ratings_that_cannot_be_compared_are_refused(ratings, scale, message):
    with pytest.raises(BadData, match=message):
        krippendorff_alpha(ratings, scale=scale, rng=rng(6))


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_agrees_with_scikit_learn_and_statsmodels(weights):
    draws = rng(7)
    first = draws.integers(0, 4, size=60)
    second = np.where(draws.random(60) < 0.6, first, draws.integers(0, 4, size=60))
    found = cohen_kappa(first=first, second=second, rng=draws, weights=weights, resamples=199)
    learned = cohen_kappa_score(first, second, weights=None if weights == "none" else weights)
    table = np.zeros((4, 4))
    np.add.at(table, (first, second), 1)
    modelled = cohens_kappa(table, wt=None if weights == "none" else weights, return_results=False)
    assert found.coefficient.value == pytest.approx(learned)
    assert found.coefficient.value == pytest.approx(modelled)


def test_the_order_of_categories_weighs_disagreements():
    first = ["low", "mid", "high", "low"] * 5
    second = ["low", "mid", "mid", "mid"] * 5
    ordered = cohen_kappa(
        first=first, second=second, rng=rng(8), weights="linear", order=["low", "mid", "high"], resamples=199
    )
    codes = {"low": 0, "mid": 1, "high": 2}
    expected = cohen_kappa_score([codes[x] for x in first], [codes[x] for x in second], weights="linear")
    assert ordered.coefficient.value == pytest.approx(expected)
    assert ordered.name == "Cohen's kappa with linear weights"


def test_items_not_rated_by_both_are_left_out():
    found = cohen_kappa(first=["a", "b", None, "a"], second=["a", "a", "b", float("nan")], rng=rng(9))
    assert (found.items, found.dropped) == (2, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"second": ["a"]}, "got 2 and 1"),
        ({"weights": "cubic"}, "got 'cubic'"),
        ({"order": ["a"]}, r"lacks \['b'\]"),
        ({"first": [None, None]}, "No item was rated by two"),
    ],
)
def test_kappa_refuses_what_it_cannot_compare(options, message):
    with pytest.raises(BadData, match=message):
        cohen_kappa(**{"first": ["a", "b"], "second": ["b", "a"], "rng": rng(10)} | options)


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "items"), [*proofs(("nominal", 50)), ("ordinal", 20), *proofs(("interval", 20))])
def test_interval_of_alpha_covers(scale, items):
    draws = rng(11, items)

    def rate(items):
        ratings = draws.normal(size=(1, items)) + 0.7 * draws.normal(size=(3, items))
        return np.clip(np.round(3 + 1.2 * ratings), 1, 5)

    truth = krippendorff.alpha(rate(100_000), level_of_measurement=scale)
    found = [krippendorff_alpha(rate(items), scale=scale, rng=draws, resamples=499).coefficient for _ in range(1000)]
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in found]) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("weights", "items"), [*proofs(("none", 50)), ("quadratic", 25)])
@pytest.mark.proof
def test_interval_of_kappa_covers(weights, items):
    draws = rng(12, items)
    shares = np.array([[0.30, 0.08, 0.02], [0.08, 0.20, 0.07], [0.02, 0.03, 0.20]])
    apart = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    cost = (apart > 0) if weights == "none" else apart**2
    truth = 1 - (shares * cost).sum() / (np.outer(shares.sum(axis=1), shares.sum(axis=0)) * cost).sum()
    covered = []
    for _ in range(1000):
        cells = draws.choice(9, p=shares.ravel(), size=items)
        found = cohen_kappa(first=cells // 3, second=cells % 3, weights=weights, rng=draws, resamples=499)
        covered.append(found.coefficient.low <= truth <= found.coefficient.high)
    assert 0.93 <= np.mean(covered) <= 0.97
