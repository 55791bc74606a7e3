"""Nobody expects less loss by stating another distribution of a quantity than the one believed."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from mensura.scores import rule
from mensura.scores.crps import (
    crps_ensemble,
    crps_histogram,
    crps_logistic,
    crps_lognormal,
    crps_normal,
    crps_quantiles,
)
from mensura.scores.interval import interval_loss, quantile_loss, weighted_interval_loss
from mensura.scores.ranked import ranked_probability_loss
from mensura.track_record.quantities.forecast import QuantityForecast

DRAWS = (np.arange(4000) + 0.5) / 4000
"""Even levels, so that means over quantiles at them are expectations to three digits and without noise."""
places = st.floats(-2, 2)
spreads = st.floats(0.3, 3)

FAMILIES = {
    "normal": (stats.norm, lambda m, s, y: crps_normal(mean=m, deviation=s, outcome=y)),
    "logistic": (stats.logistic, lambda m, s, y: crps_logistic(location=m, scale=s, outcome=y)),
    "lognormal": (
        lambda m, s: stats.lognorm(s / 3, scale=np.exp(m)),
        lambda m, s, y: crps_lognormal(mean=m, deviation=s / 3, outcome=y),
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
@settings(deadline=None, max_examples=40)
@given(m=places, s=spreads, other_m=places, other_s=spreads)
def test_the_crps_of_each_form_is_least_at_what_is_believed(family, m, s, other_m, other_s):
    make, crps = FAMILIES[family]
    outcomes = make(m, s).ppf(DRAWS)
    honest, other = crps(m, s, outcomes).mean(), crps(other_m, other_s, outcomes).mean()
    assert honest <= other + 1e-3 * (1 + abs(other))


@st.composite
def masses(draw, count=5):
    weights = np.array(draw(st.lists(st.floats(0.01, 1), min_size=count, max_size=count)))
    return weights / weights.sum()


@settings(deadline=None, max_examples=40)
@given(belief=masses(), report=masses())
def test_histogram_crps_and_density_scores_are_best_at_what_is_believed(belief, report):
    edges = np.array([0.0, 1.0, 2.0, 4.0, 7.0, 8.0])
    levels = [np.concatenate([[0.0], np.cumsum(part)]) for part in (belief, report)]
    outcomes = np.interp(DRAWS, levels[0], edges)
    losses = [crps_histogram(masses=part, edges=edges, outcome=outcomes).mean() for part in (belief, report)]
    assert losses[0] <= losses[1] + 1e-3
    # Densities are flat within bins, so that one value in each stands for all of them.
    middles = (edges[:-1] + edges[1:]) / 2
    for name in ("logarithmic_score", "quadratic_score"):
        honest, other = (
            belief @ [QuantityForecast("a", "q", "bins", edges, part, y).losses()[name] for y in middles]
            for part in levels
        )
        assert honest >= other - 1e-9


@settings(deadline=None, max_examples=60)
@given(
    belief=st.lists(st.floats(-5, 5), min_size=6, max_size=6), report=st.lists(st.floats(-5, 5), min_size=6, max_size=6)
)
def test_ensemble_crps_is_least_for_the_ensemble_that_outcomes_are_drawn_from(belief, report):
    outcomes = np.array(belief)
    honest, other = (crps_ensemble(members=np.tile(part, (6, 1)), outcome=outcomes).mean() for part in (belief, report))
    assert honest <= other + 1e-12


@settings(deadline=None, max_examples=60)
@given(m=places, s=spreads, other_m=places, other_s=spreads, coverage=st.sampled_from([0.5, 0.8, 0.95]))
def test_interval_and_quantile_losses_are_least_at_the_quantiles_believed(m, s, other_m, other_s, coverage):
    outcomes = stats.norm(m, s).ppf(DRAWS)
    tail = (1 - coverage) / 2
    levels = np.array([tail, 0.5, 1 - tail])
    stated = [stats.norm(*part).ppf(levels) for part in ((m, s), (other_m, other_s))]

    def intervals(q):
        return interval_loss(low=q[0], high=q[2], coverage=coverage, outcome=outcomes).mean()

    def weighted(q):
        low, high = np.full((4000, 1), q[0]), np.full((4000, 1), q[2])
        return weighted_interval_loss(
            median=np.full(4000, q[1]), low=low, high=high, coverages=[coverage], outcome=outcomes
        ).mean()

    def pinball(q):
        return quantile_loss(forecast=q, level=levels, outcome=outcomes[:, np.newaxis]).mean()

    def quantiles(q):
        return crps_quantiles(quantiles=np.tile(q, (4000, 1)), levels=levels, outcome=outcomes).mean()

    for loss in (intervals, weighted, pinball, quantiles):
        assert loss(stated[0]) <= loss(stated[1]) + 1e-3 * (1 + loss(stated[1]))


@settings(deadline=None, max_examples=60)
@given(belief=masses(), report=masses())
def test_the_ranked_loss_is_least_at_what_is_believed(belief, report):
    losses = [
        ranked_probability_loss(forecast=np.tile(part, (5, 1)), outcome=np.arange(5)) for part in (belief, report)
    ]
    assert belief @ losses[0] <= belief @ losses[1] + 1e-12


@pytest.mark.parametrize("name", ["log", "quadratic", "spherical", "phi:u*(1-u)"])
@settings(deadline=None, max_examples=40)
@given(belief=masses(count=3), report=masses(count=3))
def test_normalised_rules_stay_proper(name, belief, report):
    assume(np.abs(belief - report).max() > 1e-6)
    scored = rule(name, normalised=True)
    assert scored.proper
    assert scored.expected(belief=belief, report=report) <= scored.gain(belief) + 1e-9
