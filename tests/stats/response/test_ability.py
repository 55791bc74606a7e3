"""Abilities come with intervals that cover them, over persons of the norm population."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom, norm

from mensura.errors import BadData
from mensura.stats.estimate import Estimate
from mensura.stats.response.ability import abilities, ability_of, share_below
from mensura.stats.response.curves import Curves, ItemCurve
from tests.stats.response.simulated import simulated


def test_an_ability_is_the_mean_of_its_posterior():
    """By adaptive quadrature, which has no grid."""
    curves = [ItemCurve("3pl", 1.4, -0.5, 0.2), ItemCurve("2pl", 0.8, 0.3), ItemCurve("2pl", 1.1, 1.0)]
    answers = {"a": 1, "b": 0, "c": 1}

    def joint(theta):
        made = norm.pdf(theta)
        for one, right in zip(curves, answers.values(), strict=True):
            p = one.c + (1 - one.c) / (1 + np.exp(-one.a * (theta - one.b)))
            made *= p if right else 1 - p
        return made

    total = quad(joint, -8, 8)[0]
    mean = quad(lambda t: t * joint(t), -8, 8)[0] / total
    found = ability_of(answers, dict(zip(answers, curves, strict=True)))
    assert found.value == pytest.approx(mean, abs=1e-4)
    assert quad(joint, -8, found.low)[0] / total == pytest.approx(0.025, abs=1e-4)
    assert quad(joint, -8, found.high)[0] / total == pytest.approx(0.975, abs=1e-4)


@pytest.mark.parametrize("items", [5, 40])
def test_intervals_cover_the_abilities_of_the_norm_population(items):
    data = simulated(3000, items, seed=11)
    low, high = abilities(data.matrix.right, data.curves).interval
    held = int(((low <= data.ability) & (data.ability <= high)).sum())
    assert binom.ppf(0.0005, 3000, 0.95) <= held <= binom.ppf(0.9995, 3000, 0.95)


def test_one_more_right_answer_never_lowers_an_ability():
    curves = Curves.of([ItemCurve("2pl", 1.0, 0.0), ItemCurve("3pl", 1.5, 0.5, 0.2), ItemCurve("2pl", 0.7, -1.0)])
    patterns = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]], dtype=float)
    assert (np.diff(abilities(patterns, curves).value) > 0).all()


def test_a_reason_is_given_where_there_is_no_ability():
    curve = ItemCurve("2pl", 1.0, 0.0)
    assert "mensura calibrate" in ability_of({"a": 1}, {"b": curve})
    assert ability_of({}, {"b": curve}) == "No item was answered."
    assert isinstance(ability_of({"a": 1, "b": None}, {"a": curve.as_json()}), Estimate)
    assert "None of the answered" in ability_of({"a": None}, {"a": curve})


def test_a_share_of_the_norm_lies_below():
    assert share_below(0) == 0.5


@pytest.mark.parametrize("wrong", [{"a": "steep", "b": 0}, {"a": 1, "b": None}, {"a": 1, "b": 0, "c": 1}, {"a": True}])
def test_a_calibration_that_is_none_is_refused(wrong):
    with pytest.raises(BadData, match="A calibration"):
        ItemCurve.read(wrong)


def test_a_calibration_is_read_as_it_is_written():
    one = ItemCurve("3pl", 1.2, -0.4, 0.2, 0.1, 0.2, 0.05, 300, "300 persons")
    assert ItemCurve.read(one.as_json()) == one
    assert one.estimate("c").low == pytest.approx(0.102, abs=1e-3)
    assert ItemCurve("2pl", 1, 0).estimate("a").method == "none: no standard error"
