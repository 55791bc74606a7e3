"""Two calibrations are put onto one scale by anchors that hold, and not where they fail."""

import numpy as np
import pytest
from scipy.stats import binom

from mensura.stats.response.calibration import calibrate
from mensura.stats.response.curves import Curves
from mensura.stats.response.linking import link_scales
from tests.stats.response.simulated import simulated

NAMES = ("machines", "people")


def linked(seed, *, moved=None, items=15, model="2pl", mean=0.7, sd=1.3):
    people = simulated(400, items, seed=seed)
    machines = simulated(400, items, seed=seed + 5000, mean=mean, sd=sd, curves=moved or people.curves)
    made = (calibrate(one.matrix, model=model) for one in (machines, people))
    return link_scales(*made, names=NAMES)


@pytest.mark.parametrize("sets", [6, pytest.param(200, marks=pytest.mark.proof)])
def test_mean_and_spread_of_a_group_are_covered(sets):
    found = [linked(600 + seed) for seed in range(sets)]
    held = [one for one in found if one.slope is not None]
    assert len(held) >= binom.ppf(0.0005, sets, 0.97)
    for name, truth in (("slope", 1.3), ("shift", 0.7)):
        hits = sum(not getattr(one, name).excludes(truth) for one in held)
        assert hits >= binom.ppf(0.0005, len(held), 0.93), name
    assert sum(bool(one.removed) for one in found) <= binom.ppf(0.9995, sets, 0.06)


def test_items_that_moved_are_taken_out_of_the_anchors():
    people = simulated(400, 15, seed=71)
    curves = people.curves
    moved = Curves(curves.a, curves.b + np.where(np.arange(15) == 4, 1.5, 0), curves.c)
    found = linked(71, moved=moved)
    assert set(found.removed) == {"item5"}
    assert not found.shift.excludes(0.7)
    assert "without item5" in found.sentence


def test_no_scale_is_printed_where_the_anchors_fail():
    curves = simulated(400, 15, seed=72).curves
    scrambled = Curves(curves.a, np.random.default_rng(1).permutation(curves.b), curves.c)
    found = linked(72, moved=scrambled)
    assert found.slope is None
    assert found.shift is None
    assert found.sentence.startswith("No common scale of machines and people: only ")


def test_one_slope_is_linked_too():
    people = simulated(400, 12, seed=73)
    rasch = Curves(np.full(12, 1.2), people.curves.b, people.curves.c)
    first, second = (
        calibrate(simulated(500, 12, seed=seed, mean=mean, curves=rasch).matrix, model="rasch")
        for seed, mean in ((74, 0.5), (75, 0.0))
    )
    found = link_scales(first, second, names=NAMES)
    assert not found.shift.excludes(0.5)
    assert not found.slope.excludes(1.0)


def test_too_few_shared_items_make_no_scale():
    first = calibrate(simulated(150, 4, seed=76).matrix)
    second = calibrate(simulated(150, 4, seed=77).matrix)
    other = {f"other{name}": curve for name, curve in second.items.items()}
    from dataclasses import replace

    found = link_scales(first, replace(second, items=other), names=NAMES)
    assert "they share 0 calibrated items" in found.sentence
