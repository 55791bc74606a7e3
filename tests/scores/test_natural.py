import numpy as np
import pytest

from mensura.scores import natural


def test_choices_texts_and_actions_are_right_or_wrong():
    assert natural("choice", ["a", "b"], ["a", "a"])["accuracy"].tolist() == [1, 0]
    assert natural("action", [0, 2], [0, 1])["accuracy"].tolist() == [1, 0]
    assert natural("text", ["  Mont  blanc", "K2"], ["mont Blanc", "Elbrus"])["accuracy"].tolist() == [1, 0]


def test_numbers_and_ratings_are_measured_by_distance():
    assert natural("number", [3, 5.5], [4, 5.5])["absolute_error"].tolist() == [1, 0]
    assert natural("likert", [1], [7])["absolute_error"].tolist() == [6]


def test_distributions_may_have_different_alternatives_per_item():
    answers = [{"a": 0.5, "b": 0.3, "c": 0.2}, {"x": 0.25, "y": 0.75}, [0.1, 0.9]]
    scored = natural("distribution", answers, ["a", "y", 1])
    np.testing.assert_allclose(scored["logarithmic_score"], np.log([1.5, 1.5, 1.8]))
    assert scored["quadratic_score"][0] == pytest.approx(0.143333, abs=1e-6)


def test_a_flat_density_scores_zero_and_a_sharp_right_one_more():
    space = {"low": 0, "high": 100, "bins": 4}
    scored = natural("density", [[0.25] * 4, [0, 1, 0, 0]], [30.0, 30.0], spaces=[space, space])
    np.testing.assert_allclose(scored["logarithmic_score"], [0, np.log(4)])
    np.testing.assert_allclose(scored["quadratic_score"], [0, 3])
    assert scored["crps_loss"][1] < scored["crps_loss"][0]


def test_quantiles_are_scored_by_pinball_and_crps():
    space = {"low": 0, "high": 10, "levels": (0.25, 0.5, 0.75), "bins": None}
    scored = natural("density", [[2.5, 5, 7.5], [5, 5, 5]], [5.0, 5.0], spaces=[space, space])
    assert scored["quantile_loss"][0] == pytest.approx((0.25 * 2.5 + 0.25 * 2.5) / 3)
    assert scored["crps_loss"][0] == pytest.approx(10 / 12)
    assert scored["crps_loss"][1] < scored["crps_loss"][0]


def test_allocations_points_and_circles_have_distances():
    assert natural("allocation", [{"a": 60, "b": 40}], [{"a": 50, "b": 50}])["absolute_error"].tolist() == [10]
    assert natural("allocation", [[60, 40]], [[50, 50]])["absolute_error"].tolist() == [10]
    assert natural("point", [[0, 0]], [[3, 4]])["distance"].tolist() == [5]
    assert natural("circle", [[0, 0, 9]], [[3, 4, 1]])["distance"].tolist() == [5]


def test_no_answer_or_no_truth_is_unknown_not_wrong():
    scored = natural("probability", [0.5, None, 0.5], [1, 1, None])
    assert np.isnan(scored["logarithmic_score"]).tolist() == [False, True, True]
    assert np.isnan(natural("number", [None], [3])["absolute_error"]).all()


def test_kinds_without_a_natural_score_give_none():
    assert natural("file", ["x"], ["y"]) == {}
    assert natural("density", [[0.5, 0.5]], [1.0]) == {}
