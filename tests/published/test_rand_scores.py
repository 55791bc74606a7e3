"""Brown and Shuford (1973), RAND R-1185, sections II and IV: scores of probabilities."""

import numpy as np
import pytest

from mensura.scores import house_payoffs, rule

REPORT = [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("name", "payoffs"),
    [
        ("log", [0.405465, -0.105361, -0.510826]),
        ("quadratic", [0.143333, -0.056667, -0.156667]),
        ("phi:u*(1-u)", [0.090185, -0.029815, -0.104815]),
    ],
)
def test_page_7_payoffs_of_three_alternatives(name, payoffs):
    np.testing.assert_allclose(rule(name).payoffs(REPORT), payoffs, atol=5e-7)


def test_page_6_the_unadjusted_house_pays_ignorance():
    assert (house_payoffs([0.5, 0.5], density=lambda u: u) > 0).all()


def test_page_8_expected_profit_is_log_n_less_entropy():
    p = np.array(REPORT)
    assert rule("log").gain(p) == pytest.approx(np.log(3) + (p * np.log(p)).sum())


def test_page_10_the_two_forms_of_the_quadratic_payoff_agree():
    p, n = np.array(REPORT), 3
    second = [(n - 1) / (2 * n) - ((np.eye(n)[i] - p) ** 2).sum() / 2 for i in range(n)]
    np.testing.assert_allclose(rule("quadratic").payoffs(p), second)


@pytest.mark.parametrize("name", ["log", "quadratic"])
def test_figure_6_normalised_scores_are_one_at_certainty_and_zero_at_one_half(name):
    scored = rule(name, normalised=True)
    assert scored.payoffs([1.0, 0.0])[0] == pytest.approx(1)
    assert scored.payoffs([0.5, 0.5])[0] == pytest.approx(0)


def test_figure_7_absolute_prediction_expects_the_distance_from_one_half():
    for p in (0.5, 0.6, 0.9, 1.0):
        best = max(
            rule("absolute").expected(belief=[p, 1 - p], report=[q, 1 - q]) for q in np.linspace(0, 1, 101).tolist()
        )
        assert best == pytest.approx(2 * abs(p - 0.5))


def test_page_9_zero_read_as_one_hundredth_bounds_the_penalty():
    assert rule("log").payoffs([1.0, 0.0])[1] == -np.inf
    assert rule("log", floor=0.01).payoffs([1.0, 0.0])[1] == pytest.approx(np.log(2 * 0.01))


def test_erratum_a_floor_at_zero_only_would_pay_for_overstating():
    # Page 9 reads zero as one hundredth. If nothing else changes, a near-certain believer does better to say 1.
    def expects(belief, report):
        return belief @ np.log(2 * np.where(np.array(report) == 0, 0.01, report))

    beliefs = [np.array([p, 1 - p]) for p in np.linspace(0.975, 0.995, 41)]
    gains = [expects(belief, [1.0, 0.0]) - expects(belief, belief) for belief in beliefs]
    assert (min(gains), max(gains)) == (pytest.approx(0.002, abs=5e-4), pytest.approx(0.010, abs=5e-4))
    truncated = rule("log", floor=0.01)
    for belief in beliefs:
        assert truncated.expected(belief=belief, report=[1.0, 0.0]) <= truncated.gain(belief) + 1e-12
