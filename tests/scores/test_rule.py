import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mensura.errors import BadParameter, UnknownName
from mensura.scores import Rule, betting, betting_payoffs, house_payoffs, project, rule

PROPER = [
    "log",
    "quadratic",
    "spherical",
    "phi:1",
    "phi:u",
    "phi:u*(1-u)",
    "phi:sqrt(u)",
    "phi:exp(-u)",
    "phi:u**2",
    "phi:1+sin(9*u)**2",
    "phi:1/sqrt(u)",
]


@st.composite
def distributions(draw, smallest=0.0, count=None):
    n = count or draw(st.integers(2, 6))
    weights = np.array(draw(st.lists(st.floats(0, 1), min_size=n, max_size=n)))
    assume(weights.sum() > 1e-3)
    p = weights / weights.sum()
    return smallest + (1 - n * smallest) * p


@pytest.mark.parametrize("name", PROPER)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_honest_reporting_is_optimal(name, data):
    belief = data.draw(distributions())
    report = data.draw(distributions(count=len(belief)))
    scored = rule(name)
    honest, other = scored.gain(belief), scored.expected(belief=belief, report=report)
    assert scored.proper
    assert other <= honest + 1e-9


@given(data=st.data(), floor=st.sampled_from([0.001, 0.01, 0.05]))
def test_truncated_logarithm_stays_proper(data, floor):
    belief = data.draw(distributions())
    report = data.draw(distributions(count=len(belief)))
    truncated = rule("log", floor=floor)
    assert truncated.expected(belief=belief, report=report) <= truncated.gain(belief) + 1e-12


def test_a_floor_applied_at_zero_only_would_be_improper():
    # Notes on the source: with floor .01 a believer of .975 to .995 gains .002 to .010 by reporting 1.
    def naive(p):
        q = np.where(p == 0, 0.01, p)
        return np.log(2 * q)

    gains = []
    for p in (0.975, 0.995):
        belief = np.array([p, 1 - p])
        gains.append(belief @ naive(np.array([1.0, 0.0])) - belief @ naive(belief))
    assert min(gains) > 0.001


def test_absolute_prediction_is_named_improper_and_rewards_overstatement():
    absolute = rule("absolute")
    belief = [0.7, 0.3]
    assert not absolute.proper
    assert absolute.expected(belief=belief, report=[1.0, 0.0]) > absolute.gain(belief)
    assert absolute.expected(belief=belief, report=[1.0, 0.0]) == pytest.approx(abs(2 * 0.7 - 1))


@pytest.mark.parametrize("name", [*PROPER, "absolute"])
@pytest.mark.parametrize("n", [2, 3, 7])
def test_ignorance_pays_nothing_and_normalised_certainty_pays_one(name, n):
    scored = rule(name, normalised=True)
    assert scored.payoffs(np.full(n, 1 / n)) == pytest.approx(np.zeros(n), abs=1e-12)
    assert scored.payoffs(np.eye(n)[0])[0] == pytest.approx(1)


@settings(deadline=None, max_examples=60)
@given(weights=st.lists(st.floats(0.05, 5), min_size=3, max_size=3), data=st.data())
def test_any_positive_density_of_wagers_makes_a_proper_score(weights, data):
    belief = data.draw(distributions(smallest=1e-6, count=3))
    report = data.draw(distributions(smallest=1e-6, count=3))

    def density(u):
        return weights[0] + weights[1] * u + weights[2] * np.abs(u - 0.4)

    honest = belief @ betting_payoffs(belief, density=density)
    other = belief @ betting_payoffs(report, density=density)
    assert other <= honest + 1e-8


@pytest.mark.parametrize("n", [2, 3, 10])
@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_the_unadjusted_house_pays_ignorance(n, power):
    pay = house_payoffs(np.full(n, 1 / n), density=lambda u: u**power)
    assert (pay > 0).all()


def test_the_unadjusted_house_with_bets_at_zero_pays_without_limit():
    assert np.isposinf(house_payoffs([0.5, 0.5], density=lambda u: 1 + 0 * u)).all()


@given(p=st.floats(0.05, 0.9), first=st.floats(0, 1), second=st.floats(0, 1))
def test_only_the_logarithm_ignores_how_the_rest_is_divided(p, first, second):
    assume(abs(first - second) > 0.01 and abs(first + second - 1) > 0.01)
    reports = np.array([[p, (1 - p) * share, (1 - p) * (1 - share)] for share in (first, second)])
    log = rule("log").payoffs(reports)[:, 0]
    assert log[0] == pytest.approx(log[1])
    for name in ("quadratic", "spherical", "phi:u*(1-u)"):
        pay = rule(name).payoffs(reports)[:, 0]
        assert abs(pay[0] - pay[1]) > 1e-9


def test_for_two_alternatives_every_rule_depends_on_the_realised_probability_alone():
    for name in PROPER:
        pay = rule(name).payoffs([[0.3, 0.7], [0.7, 0.3]])
        assert pay[0, 0] == pytest.approx(pay[1, 1])


@given(data=st.data())
def test_the_best_total_logarithmic_score_is_the_maximum_likelihood_forecaster(data):
    forecasters, occasions = data.draw(st.integers(2, 4)), data.draw(st.integers(1, 8))
    reports = np.array(
        [[data.draw(distributions(smallest=1e-3, count=3)) for _ in range(occasions)] for _ in range(forecasters)]
    )
    outcomes = np.array(data.draw(st.lists(st.integers(0, 2), min_size=occasions, max_size=occasions)))
    totals = rule("log").score(forecast=reports, outcome=outcomes).sum(axis=1)
    likelihoods = np.prod([[reports[f, j, outcomes[j]] for j in range(occasions)] for f in range(forecasters)], axis=1)
    assert likelihoods[totals.argmax()] == pytest.approx(likelihoods.max())


def test_expected_gain_of_the_logarithm_is_the_reduction_of_entropy():
    belief = np.array([0.6, 0.3, 0.1])
    assert rule("log").gain(belief) == pytest.approx(np.log(3) + (belief * np.log(belief)).sum())


def test_proper_rules_reward_solid_information_more_than_absolute_prediction():
    # Figure 7: both proper curves lie below the straight one, and the logarithm is steepest at certainty.
    p = np.linspace(0.51, 0.99, 49)
    beliefs = np.stack([p, 1 - p], axis=1)
    absolute = 2 * p - 1
    quadratic = rule("quadratic", normalised=True).gain(beliefs)
    log = rule("log", normalised=True).gain(beliefs)
    assert (log < quadratic).all()
    assert (quadratic < absolute).all()
    assert np.diff(log)[-1] > np.diff(quadratic)[-1] > np.diff(absolute)[-1]


@given(data=st.data(), floor=st.floats(0.0001, 0.1))
def test_projection_is_the_best_distribution_above_the_floor_in_the_reports_own_eyes(data, floor):
    report = data.draw(distributions())
    projected = project(report, floor=floor)
    assert projected.sum() == pytest.approx(1)
    assert projected.min() >= floor
    rival = data.draw(distributions(smallest=floor, count=len(report)))
    assert report @ np.log(rival) <= report @ np.log(projected) + 1e-12


def test_projection_of_two_alternatives_clips_both_ends():
    np.testing.assert_allclose(project([[1.0, 0.0], [0.5, 0.5]], floor=0.01), [[0.99, 0.01], [0.5, 0.5]])


def test_a_floor_above_one_nth_is_refused():
    with pytest.raises(BadParameter, match="lies from 0 to 1/3"):
        project([0.2, 0.3, 0.5], floor=0.4)


def test_zero_given_to_what_happened_is_the_rules_own_answer():
    assert rule("log").score(forecast=[0.0, 1.0], outcome=0) == -np.inf
    assert rule("log", floor=0.01).score(forecast=[0.0, 1.0], outcome=0) == pytest.approx(np.log(0.02))
    assert rule("phi:1+u").score(forecast=[0.0, 1.0], outcome=0) == -np.inf
    assert np.isfinite(rule("phi:u*(1-u)").score(forecast=[0.0, 1.0], outcome=0))


def test_named_densities_agree_with_closed_forms():
    report = np.array([0.62, 0.37999, 1e-5])
    for closed, numeric in ((1.0, lambda u: 1 + 0 * u), (2.0, lambda u: u)):
        name = "log" if closed == 1.0 else "quadratic"
        np.testing.assert_allclose(betting_payoffs(report, density=numeric), rule(name).payoffs(report), atol=1e-10)


def test_a_density_with_a_corner_is_integrated_to_ten_digits():
    report = np.array([0.5, 0.3, 0.2])
    pay = betting_payoffs(report, density=lambda u: np.where(u < 0.4, 1.0, 0.0))
    won = np.log(np.minimum(report, 0.4) * 3)
    staked = (np.minimum(report, 0.4) - 1 / 3).sum()
    np.testing.assert_allclose(pay, won - staked, atol=1e-9)


def test_a_density_that_grows_towards_zero_pays_by_what_happened():
    # φ = 1/√u: ∫φ/u = 2√n − 2/√p and ∫φ = 2√p − 2/√n.
    report = np.array([[0.5, 0.3, 0.2], [0.98, 0.01, 0.01], [0.999998, 1e-6, 1e-6]])
    closed = 4 * np.sqrt(3) - 2 / np.sqrt(report) - 2 * np.sqrt(report).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(rule("phi:1/sqrt(u)").payoffs(report), closed, rtol=1e-10)
    sure = rule("phi:1/sqrt(u)").payoffs([1.0, 0.0])
    assert sure[0] == pytest.approx(4 * np.sqrt(2) - 4)
    assert sure[1] == -np.inf


@pytest.mark.parametrize("name", ["phi:1/u", "phi:1/u**2", "phi:u**-3", "phi:exp(1/u)"])
def test_a_density_whose_wagers_have_no_finite_sum_is_refused(name):
    with pytest.raises(BadParameter, match=r"finite integral from 0 to 1.*1/sqrt\(u\) is allowed, 1/u is not"):
        rule(name).payoffs([0.5, 0.3, 0.2])


@pytest.mark.parametrize(
    "name", ["phi:open('x')", "phi:u.real", "phi:", "phi:(lambda: 1)()", "phi:True", "phi:u if u else 1"]
)
def test_what_is_no_formula_is_refused(name):
    with pytest.raises(BadParameter, match="is not a formula in u"):
        rule(name)


def test_a_negative_density_is_refused_with_its_value():
    with pytest.raises(BadParameter, match="never negative"):
        rule("phi:u-1/2").payoffs([0.2, 0.8])


def test_an_unknown_rule_suggests_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean quadratic"):
        rule("quadratc")


def test_a_floor_for_another_rule_is_refused():
    with pytest.raises(BadParameter, match="floor belongs to the logarithmic rule"):
        rule("quadratic", floor=0.01)


def test_a_users_own_rule_works_like_the_named_ones():
    mine = Rule("mine", lambda forecast: np.asarray(forecast, dtype=float) * 0)
    assert mine.score(forecast=[[0.5, 0.5]], outcome=[1])[0] == 0


def test_formulas_know_pi_and_signs():
    plain, signed = rule("phi:1+u").payoffs([0.3, 0.7]), rule("phi:+1-(-u)*pi/pi").payoffs([0.3, 0.7])
    np.testing.assert_allclose(plain, signed, atol=1e-12)


@pytest.mark.parametrize("limit", ["MOST", "HALVINGS"])
def test_a_wild_density_ends_and_is_roughly_right(monkeypatch, limit):
    monkeypatch.setattr(betting, limit, 8)
    wild = betting_payoffs([0.3, 0.7], density=lambda u: 1 + np.sin(3e4 * u))
    np.testing.assert_allclose(wild, rule("log").payoffs([0.3, 0.7]), atol=0.1)
