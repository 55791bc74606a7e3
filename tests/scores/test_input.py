"""What is no probability is refused with its value; what is unknown stays unknown."""

import numpy as np
import pytest

from mensura.errors import BadParameter
from mensura.scores import (
    brier_loss,
    crps_ensemble,
    crps_histogram,
    crps_normal,
    histogram_density,
    interval_loss,
    log_loss,
    logarithmic_density_score,
    logarithmic_score,
    quadratic_score,
    quantile_loss,
    ranked_probability_loss,
)


@pytest.mark.parametrize("score", [brier_loss, log_loss])
def test_a_probability_above_one_is_refused_with_place_and_value(score):
    with pytest.raises(BadParameter, match=r"got 1\.7 at 1"):
        score(forecast=[0.5, 1.7], outcome=[0, 1])


@pytest.mark.parametrize("value", [-0.5, 0.5, 2])
def test_an_outcome_that_is_neither_zero_nor_one_is_refused(value):
    with pytest.raises(BadParameter, match="An outcome is 0, 1 or NaN"):
        brier_loss(forecast=[0.5, 0.5], outcome=[0, value])


def test_the_place_of_a_wrong_value_is_found_in_a_late_block():
    p = np.full(40_000, 0.5)
    p[39_999] = 3
    with pytest.raises(BadParameter, match="counted from element 32768"):
        brier_loss(forecast=p, outcome=np.zeros(40_000))


@pytest.mark.parametrize("score", [brier_loss, log_loss])
def test_unknown_outcomes_and_forecasts_stay_unknown(score):
    result = score(forecast=[0.5, np.nan, 0.5], outcome=[np.nan, 1, 1])
    assert np.isnan(result).tolist() == [True, True, False]


def test_forecasts_broadcast_against_outcomes():
    assert brier_loss(forecast=0.5, outcome=[0, 1, 1]).tolist() == [0.25, 0.25, 0.25]
    assert brier_loss(forecast=[[0.5], [1.0]], outcome=[[1, 0], [1, 0]]).shape == (2, 2)


def test_an_unknown_alternative_gives_nan_and_a_missing_one_is_refused():
    reports = [[0.2, 0.8], [0.2, 0.8]]
    assert np.isnan(quadratic_score(forecast=reports, outcome=[np.nan, 1])).tolist() == [True, False]
    assert np.isnan(ranked_probability_loss(forecast=reports, outcome=[-1, 1])).tolist() == [True, False]
    with pytest.raises(BadParameter, match="0 to 1; got 2"):
        quadratic_score(forecast=reports, outcome=[2, 1])
    with pytest.raises(BadParameter, match=r"got 0\.5"):
        quadratic_score(forecast=reports, outcome=[0.5, 1])


def test_sums_off_one_and_single_alternatives_are_refused():
    with pytest.raises(BadParameter, match=r"those at 1 sum to 1\.2"):
        logarithmic_score(forecast=[[0.5, 0.5], [0.5, 0.7]], outcome=[0, 0])
    with pytest.raises(BadParameter, match="two or more alternatives"):
        logarithmic_score(forecast=[[1.0]], outcome=[0])
    with pytest.raises(BadParameter, match=r"got -0\.1"):
        logarithmic_score(forecast=[[-0.1, 1.1]], outcome=[0])


def test_spreads_levels_and_intervals_must_make_sense():
    with pytest.raises(BadParameter, match="spread of a distribution is positive"):
        crps_normal(mean=0, deviation=0, outcome=1)
    with pytest.raises(BadParameter, match="level of a quantile"):
        quantile_loss(forecast=1, level=1.0, outcome=1)
    with pytest.raises(BadParameter, match="coverage of an interval"):
        interval_loss(low=0, high=1, coverage=1, outcome=0)
    with pytest.raises(BadParameter, match="upper end"):
        interval_loss(low=1, high=0, coverage=0.5, outcome=0)
    with pytest.raises(BadParameter, match="two members"):
        crps_ensemble(members=[[1.0]], outcome=[1.0], fair=True)
    with pytest.raises(BadParameter, match="edges that do not decrease"):
        crps_histogram(masses=[0.5, 0.5], edges=[0, 2, 1], outcome=1)
    with pytest.raises(BadParameter, match="edges that increase"):
        histogram_density(masses=[0.5, 0.5], edges=[0, 1, 1], outcome=1)
    with pytest.raises(BadParameter, match="never negative"):
        logarithmic_density_score(at_outcome=[-1.0])


def test_unknown_quantities_stay_unknown():
    assert np.isnan(crps_normal(mean=0, deviation=1, outcome=np.nan))
    assert np.isnan(crps_ensemble(members=[[1.0, 2.0]], outcome=[np.nan]))[0]
    assert np.isnan(quantile_loss(forecast=1.0, level=0.5, outcome=np.nan))
    assert np.isnan(histogram_density(masses=[0.5, 0.5], edges=[0, 1, 2], outcome=np.nan)[0])
    assert np.isnan(crps_histogram(masses=[0.5, 0.5], edges=[0, 1, 2], outcome=np.nan))
