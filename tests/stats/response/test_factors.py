"""Common factors are found where there are some, and only there."""

import numpy as np
import pytest
from sklearn.decomposition import FactorAnalysis as MaximumLikelihood

from mensura.errors import BadData
from mensura.stats.response.factors import factor_analysis, minimal_residuals

PATTERN = np.zeros((8, 2))
PATTERN[:4, 0], PATTERN[4:, 1] = [0.8, 0.7, 0.6, 0.5], [0.75, 0.7, 0.6, 0.55]
BETWEEN = np.array([[1, 0.4], [0.4, 1]])
NAMES = list("abcdefgh")


def scores(persons, seed):
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(persons, 2)) @ np.linalg.cholesky(BETWEEN).T
    unique = np.sqrt(1 - np.diag(PATTERN @ BETWEEN @ PATTERN.T))
    return factors @ PATTERN.T + rng.normal(size=(persons, 8)) * unique


def values(found):
    return np.array([[one.value for one in row] for row in found.loadings])


def test_loadings_and_correlations_are_recovered():
    found = factor_analysis(scores(2000, 1), names=NAMES, rng=np.random.default_rng(1), draws=20)
    assert values(found) == pytest.approx(PATTERN, abs=0.09)
    assert found.correlations[0][1] == pytest.approx(0.4, abs=0.08)
    assert found.sentence.startswith("2 common factors in 8 scores of 2000 persons")
    assert "factor 1 with a, b, c and d" in found.sentence
    assert found.loadings[0][0].low < 0.8 < found.loadings[0][0].high


def test_residuals_off_the_diagonal_vanish_for_exact_correlations():
    exact = PATTERN @ BETWEEN @ PATTERN.T
    np.fill_diagonal(exact, 1)
    loadings = minimal_residuals(exact, 2)
    rest = exact - loadings @ loadings.T
    assert np.abs(rest - np.diag(np.diag(rest))).max() < 1e-4


def test_what_is_explained_agrees_with_maximum_likelihood_of_another_program():
    data = scores(3000, 2)
    ours = values(factor_analysis(data, names=NAMES, rng=np.random.default_rng(1), rotation="varimax", draws=2))
    z = (data - data.mean(axis=0)) / data.std(axis=0)
    theirs = MaximumLikelihood(2, tol=1e-8, max_iter=3000).fit(z).components_.T
    # Whatever the rotation, the correlations that the factors explain are these.
    assert ours @ ours.T == pytest.approx(theirs @ theirs.T, abs=0.02)


def test_no_turn_has_a_higher_varimax():
    """Kaiser's criterion of evenly scaled rows, over all angles."""
    found = factor_analysis(scores(500, 6), names=NAMES, rng=np.random.default_rng(1), rotation="varimax", draws=2)
    even = values(found) / np.sqrt((values(found) ** 2).sum(axis=1, keepdims=True))

    def varimax(angle):
        turned = even @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return (turned**2).var(axis=0).sum()

    assert varimax(0) >= max(map(varimax, np.linspace(-0.8, 0.8, 401))) - 1e-9


@pytest.mark.proof
def test_intervals_of_loadings_cover():
    """The order of factors and the rotation add to the error, so the bounds are wider than chance alone gives."""
    hits = []
    for seed in range(100):
        found = factor_analysis(scores(400, 100 + seed), names=NAMES, rng=np.random.default_rng(seed), factors=2)
        loadings = found.loadings
        if abs(loadings[0][0].value) < abs(loadings[0][1].value):
            loadings = [row[::-1] for row in loadings]
        hits += [
            not one.excludes(t)
            for row, true in zip(loadings, PATTERN, strict=True)
            for one, t in zip(row, true, strict=True)
        ]
    assert 0.91 <= np.mean(hits) <= 0.98


def test_scores_without_anything_in_common_have_no_factor():
    rng = np.random.default_rng(3)
    found = factor_analysis(rng.normal(size=(300, 6)), names=NAMES[:6], rng=rng, draws=100)
    assert found.correlations == ()
    assert found.sentence.startswith("No common factor")


def test_missing_scores_leave_persons_out():
    data = scores(200, 4)
    data[:7, 0] = np.nan
    found = factor_analysis(data, names=NAMES, rng=np.random.default_rng(1), factors=1, draws=5)
    assert (found.persons, found.dropped) == (193, 7)


@pytest.mark.parametrize(
    ("data", "names", "words"),
    [
        (np.ones((50, 3)), "abc", "Constant scores"),
        (np.random.default_rng(1).normal(size=(20, 4)), "abcd", "20 such persons"),
        (np.random.default_rng(1).normal(size=(50, 4)), "abc", "4 scores and 3 names"),
    ],
)
def test_what_cannot_be_analysed_is_refused(data, names, words):
    with pytest.raises(BadData, match=words):
        factor_analysis(data, names=list(names), rng=np.random.default_rng(1))


def test_more_factors_than_scores_bear_are_refused():
    with pytest.raises(BadData, match="at most 3 factors"):
        factor_analysis(scores(100, 5), names=NAMES, rng=np.random.default_rng(1), factors=4)
