"""An item that is harder for one group is told from a group that is less able."""

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.contingency_tables import StratifiedTable

from mensura.errors import BadData
from mensura.stats.response.calibration import calibrate
from mensura.stats.response.curves import Curves
from mensura.stats.response.functioning import group_functioning, mantel_haenszel
from mensura.stats.response.responses import response_matrix
from tests.stats.response.simulated import simulated


def compared(first, second):
    matrix = response_matrix(np.vstack([first.matrix.right, second.matrix.right]))
    rows = range(len(first.matrix.right))
    return group_functioning(matrix, calibrate(matrix), first=rows, names=("people", "machines"))


def two_groups(seed, *, machines, mean=1.0, harder=(), missing=0.0, persons=250):
    people = simulated(persons, 20, seed=seed, missing=missing)
    curves = people.curves
    moved = Curves(curves.a, curves.b + np.isin(np.arange(20), harder), curves.c)
    return compared(people, simulated(machines, 20, seed=seed + 10_000, mean=mean, curves=moved, missing=missing))


@pytest.mark.parametrize(
    ("machines", "sets"),
    [(250, 4), (8, 5), *(pytest.param(many, 300, marks=pytest.mark.proof) for many in (250, 30, 8))],
)
def test_abler_groups_are_no_false_alarms(machines, sets):
    """Machines lie a standard deviation above people and no item differs: any finding after Holm is one too many."""
    single, any_of_them = [], []
    for seed in range(sets):
        found = two_groups(400 + seed, machines=machines).items.values()
        single += [one.p < 0.05 for one in found if one.p == one.p]
        any_of_them.append(any(one.differs for one in found))
    assert sum(single) <= binom.ppf(0.9995, len(single), 0.06)
    assert sum(any_of_them) <= binom.ppf(0.9995, sets, 0.05)


def test_items_that_differ_are_found_and_taken_from_the_anchors():
    curves = simulated(300, 20, seed=50).curves
    # What both groups are near, and what tells them apart best.
    central = np.argsort(-curves.information([0.5])[:, 0])[:2]
    found = two_groups(50, machines=250, harder=central, missing=0.05, persons=300)
    one, other = (f"item{place + 1}" for place in sorted(central))
    assert {name for name, item in found.items.items() if item.differs} == {one, other}
    assert set(found.anchors) == set(found.items) - {one, other}
    assert found.items[one].logits.low > 0
    assert found.items[one].odds_ratio.low > 1
    assert found.means[1] - found.means[0] == pytest.approx(1, abs=0.3)
    assert f"{one} easier for people and {other} easier for people" in found.sentence


def test_no_finding_is_no_proof():
    assert "that does not prove that there is none" in two_groups(51, machines=20, mean=0).sentence


def test_a_handful_is_too_few():
    with pytest.raises(BadData, match="machines has 4 persons"):
        two_groups(52, machines=4)


def test_mantel_haenszel_is_that_of_another_program():
    data = simulated(400, 6, seed=53)
    group = np.arange(400) < 180
    anchors = np.ones(6, dtype=bool)
    found = mantel_haenszel(data.matrix.right, group, item=2, anchors=anchors)
    sums, answer = data.matrix.right.sum(axis=1), data.matrix.right[:, 2] == 1
    tables = [
        [
            [(at & group & answer).sum(), (at & group & ~answer).sum()],
            [(at & ~group & answer).sum(), (at & ~group & ~answer).sum()],
        ]
        for at in (sums == s for s in range(1, 6))
    ]
    theirs = StratifiedTable([np.array(one) for one in tables])
    assert found.value == pytest.approx(theirs.oddsratio_pooled)
    assert (found.low, found.high) == pytest.approx(theirs.oddsratio_pooled_confint())


def test_sums_that_only_one_group_has_give_no_ratio():
    right = np.array([[1.0, 1], [1, 1], [0, 0]])
    assert np.isnan(mantel_haenszel(right, np.array([True, True, False]), item=0, anchors=np.ones(2, bool)).value)


def test_an_item_that_one_group_never_met_is_unknown():
    people = simulated(150, 6, seed=54)
    right = simulated(20, 6, seed=55, curves=people.curves).matrix.right.copy()
    right[:, 0] = np.nan
    matrix = response_matrix(np.vstack([people.matrix.right, right]))
    found = group_functioning(matrix, calibrate(matrix), first=range(150), names=("people", "machines"))
    assert np.isnan(found.items["item1"].p)
    assert not found.items["item1"].differs
