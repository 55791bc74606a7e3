import numpy as np
import pytest
from scipy.special import fdtr
from scipy.stats import f_oneway, ncf
from statsmodels.stats.oneway import anova_oneway

from mensura.errors import BadData, UnknownName
from mensura.stats import factorial_anova, omega_squared, one_way_anova

STUDIES = 500


def test_one_way_agrees_with_scipy_and_statsmodels():
    rng = np.random.default_rng(1)
    groups = {"a": rng.normal(0, 1, 10), "b": rng.normal(1, 2, 14), "c": rng.normal(0, 1, 8)}
    found = one_way_anova(groups)
    classical = f_oneway(*groups.values())
    assert (found.f, found.p_equal) == pytest.approx((classical.statistic, classical.pvalue))
    assert found.p == pytest.approx(anova_oneway(list(groups.values()), use_var="unequal").pvalue)
    assert (found.freedom, found.residual_freedom, found.explained.n) == (2, 29, 32)


def test_groups_that_differ_are_ranked():
    found = one_way_anova({"low": [1, 2, 3, 2], "high": [8, 9, 9, 7]})
    assert found.sentence.startswith("The groups differ (high 8.25, low 2): groups explain ")


def test_groups_that_do_not_differ_are_not_called_equal():
    found = one_way_anova({"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]})
    assert found.sentence.startswith("The data do not show that the 2 groups differ:")
    assert found.explained.value == 0


def test_a_group_without_spread_leaves_the_classical_test():
    found = one_way_anova({"a": [1, 1, 1], "b": [2, 3, 4]})
    assert found.p == found.p_equal


def test_no_spread_at_all_is_refused():
    with pytest.raises(BadData, match="do not vary within any group"):
        one_way_anova({"a": [1, 1], "b": [2, 2]})


def test_bounds_are_the_noncentralities_that_put_f_at_the_tails():
    estimate = omega_squared(6.0, freedom=3, residual_freedom=40, n=44)
    for bound, tail in ((estimate.low, 0.975), (estimate.high, 0.025)):
        assert ncf.cdf(6.0, 3, 40, bound * 44 / (1 - bound)) == pytest.approx(tail, abs=1e-4)


def test_a_weak_f_may_mean_nothing_explained():
    estimate = omega_squared(0.02, freedom=3, residual_freedom=40, n=44)
    assert fdtr(3, 40, 0.02) < 0.025
    assert (estimate.value, estimate.low, estimate.high) == (0, 0, 0)


def crossed(rng, *, cells, each, effect):
    rows = {"score": [], "tool": [], "task or so": []}
    for i in range(cells[0]):
        for j in range(cells[1]):
            rows["score"].extend(rng.normal(effect * i, 1, size=each))
            rows["tool"].extend([f"t{i}"] * each)
            rows["task or so"].extend([j] * each)
    return rows


def test_one_factor_alone_agrees_with_one_way():
    rng = np.random.default_rng(2)
    data = crossed(rng, cells=(3, 1), each=9, effect=0.5)
    found = factorial_anova(data, outcome="score", factors=["tool"])
    groups = {t: [s for s, u in zip(data["score"], data["tool"], strict=True) if u == t] for t in ("t0", "t1", "t2")}
    expected = one_way_anova(groups)
    assert found.terms[0].f == pytest.approx(expected.f)
    assert found.terms[0].explained.low == pytest.approx(expected.explained.low)


def test_crossed_factors_and_their_interaction_are_terms():
    rng = np.random.default_rng(3)
    data = crossed(rng, cells=(2, 3), each=10, effect=1.5)
    data["score"][0] = np.nan
    found = factorial_anova(data, outcome="score", factors=["tool", "task or so"])
    assert [term.name for term in found.terms] == ["tool", "task or so", "tool and task or so together"]
    assert [term.freedom for term in found.terms] == [1, 2, 2]
    assert (found.n, found.dropped, found.terms[0].residual_freedom) == (59, 1, 53)
    assert found.sentence.startswith("tool makes a difference:")
    assert "The data do not show that task or so makes a difference" in found.sentence
    assert found.sentence.endswith("1 row with unknown values left out.")


def test_sums_of_squares_are_of_type_three():
    # Unbalanced, worked by hand as a comparison of unweighted cell means.
    data = {"y": [1.0, 2, 3, 6, 7, 4, 5, 9], "a": list("xxxxyyyy"), "b": list("pppqqppq")}
    data["a"] = ["x", "x", "x", "x", "y", "y", "y", "y"]
    data["b"] = ["p", "p", "p", "q", "q", "p", "p", "q"]
    cells = {("x", "p"): (2.0, 3), ("x", "q"): (6.0, 1), ("y", "p"): (4.5, 2), ("y", "q"): (8.0, 2)}
    within = 2.0 + 0 + 0.5 + 2.0
    contrast = (4.5 + 8.0) / 2 - (2.0 + 6.0) / 2
    weight = sum(1 / count for _, count in cells.values()) / 4
    expected = contrast**2 / weight / (within / 4)
    found = factorial_anova(data, outcome="y", factors=["a", "b"])
    assert found.terms[0].f == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tool": ["t"] * 4}, "has one value only"),
        ({"score": [1, 2, 3, 4]}, "at least one must occur twice"),
        ({"task": ["a", "b", "a", "a"]}, "never occur"),
        ({"score": [None] * 4}, "No row is complete"),
        ({"score": [1, 2, 3]}, "equally long"),
    ],
)
def test_designs_that_cannot_be_analysed_are_refused(change, message):
    data = {"score": [1, 2, 3, 4], "tool": ["s", "s", "t", "t"], "task": ["a", "b", "a", "b"]} | change
    with pytest.raises(BadData, match=message):
        factorial_anova(data, outcome="score", factors=["tool", "task"])


def test_unknown_columns_are_met_with_the_nearest_names():
    with pytest.raises(UnknownName, match="Did you mean score"):
        factorial_anova({"score": [1]}, outcome="scor", factors=["tool"])
    with pytest.raises(BadData, match="at least one factor"):
        factorial_anova({"score": [1]}, outcome="score", factors=[])


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "each", "spread"), [(2, 10, 1.0), (3, 15, 0.6), (5, 20, 0.3)])
def test_interval_of_the_share_explained_covers(groups, each, spread):
    rng = np.random.default_rng([4, groups])
    centres = spread * (np.arange(groups) - (groups - 1) / 2)
    truth = centres.var() / (centres.var() + 1)
    values = rng.normal(centres[:, None, None], 1, size=(groups, STUDIES, each))
    f = f_oneway(*values, axis=1).statistic
    n = groups * each
    estimates = [omega_squared(x, freedom=groups - 1, residual_freedom=n - groups, n=n) for x in f]
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97


def test_an_effect_too_large_to_invert_has_no_interval_rather_than_a_wrong_one():
    estimate = omega_squared(5e4, freedom=1, residual_freedom=512, n=640)
    assert estimate.value == pytest.approx(0.987, abs=1e-3)
    assert not estimate.has_interval
