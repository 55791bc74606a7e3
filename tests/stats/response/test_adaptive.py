"""An adaptive test needs few items, and its intervals cover."""

import time

import numpy as np
import pytest
from scipy.stats import binom

from mensura.errors import BadParameter
from mensura.stats.response.ability import ability_of
from mensura.stats.response.adaptive import BEST, Adaptive
from mensura.stats.response.curves import Curves, ItemCurve
from tests.stats.response.simulated import drawn_curves

CURVES = drawn_curves(300, np.random.default_rng(1))


def taken(ability, rng, *, precision, at_random=False):
    right = rng.random(300) < CURVES.right(ability)[:, 0]
    test = Adaptive.begin(CURVES, precision=precision)
    order = iter(rng.permutation(300).tolist())
    while not test.reason:
        item = next(order) if at_random else test.choose(rng)
        test = test.answered(item, right=bool(right[item]))
    return test


@pytest.mark.parametrize("persons", [40, pytest.param(2000, marks=pytest.mark.proof)])
def test_half_the_items_of_a_random_order_are_enough(persons):
    rng = np.random.default_rng(2)
    able = rng.normal(size=persons)
    chosen = [taken(one, rng, precision=0.3) for one in able]
    random = [taken(one, rng, precision=0.3, at_random=True) for one in able]
    assert all(one.reason == "precise" and one.sd <= 0.3 for one in chosen)
    assert np.mean([len(one.asked) for one in chosen]) <= 0.5 * np.mean([len(one.asked) for one in random])
    held = sum(not test.ability.excludes(one) for test, one in zip(chosen, able, strict=True))
    assert binom.ppf(0.0005, persons, 0.95) <= held <= binom.ppf(0.9995, persons, 0.95)


def test_no_item_is_shown_to_everyone():
    firsts = [Adaptive.begin(CURVES, precision=0.3).choose(np.random.default_rng(seed)) for seed in range(60)]
    assert len(set(firsts)) == BEST


def test_no_item_is_asked_twice_and_the_bank_ends():
    few = Curves(CURVES.a[:6], CURVES.b[:6], CURVES.c[:6])
    test, rng = Adaptive.begin(few, precision=0.01), np.random.default_rng(3)
    while (item := test.choose(rng)) is not None:
        test = test.answered(item, right=True)
    assert sorted(test.asked) == [0, 1, 2, 3, 4, 5]
    assert test.reason == "exhausted"


def test_its_ability_is_that_of_its_answers():
    curves = {str(i): ItemCurve("2pl", float(CURVES.a[i]), float(CURVES.b[i])) for i in range(3)}
    test = Adaptive.begin(Curves.of(curves.values()), precision=0.3)
    for item, right in ((2, True), (0, False), (1, None)):
        test = test.answered(item, right=right)
    assert str(test.ability) == str(ability_of({"2": 1, "0": 0}, curves))
    assert test.asked == (2, 0, 1)


def test_the_next_item_is_chosen_in_a_few_milliseconds():
    test, rng = Adaptive.begin(CURVES, precision=0.1), np.random.default_rng(4)
    begun = time.process_time()
    for _ in range(40):
        test = test.answered(test.choose(rng), right=bool(rng.random() < 0.5))
    assert (time.process_time() - begun) / 40 < 0.005


@pytest.mark.parametrize("precision", [0, -1, 1, 3])
def test_a_precision_that_is_none_is_refused(precision):
    with pytest.raises(BadParameter, match="between 0 and 1"):
        Adaptive.begin(CURVES, precision=precision)
