"""Pilot runs as what a study is planned by."""

import numpy as np
import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.running.results.pilot import plan_by_pilot, read_pilot
from mensura.running.run import run
from mensura.store import open_store


@pytest.fixture
def pilots(tmp_path):
    """Run two subjects of the coin test on the same coins, and one on others."""
    with open_store(tmp_path / "p.db") as store:
        same = [run("coin", who, store=store, sessions=8, seed=1).head.id for who in ("chance", "overconfident")]
        other = run("coin", "chance", store=store, sessions=8, seed=2).head.id
        yield store, *same, other


def test_the_spread_of_a_paired_plan_is_that_of_the_differences(pilots):
    store, first, second, _ = pilots
    pilot = read_pilot(first, second, store=store, score="quadratic_score")
    differences = [pilot.first[key] - pilot.second[key] for key in pilot.first]
    plan = plan_by_pilot(pilot, difference=0.1, design="paired")
    assert pilot.same_items
    assert plan.sd == pytest.approx(np.std(differences, ddof=1))
    assert plan.pilot.n == 8
    assert plan.cautious_n >= plan.n


def test_the_spread_of_two_groups_is_pooled(pilots):
    store, first, second, _ = pilots
    pilot = read_pilot(first, second, store=store, score="quadratic_score")
    variances = [np.var(list(side.values()), ddof=1) for side in (pilot.first, pilot.second)]
    assert plan_by_pilot(pilot, difference=0.1).sd == pytest.approx(np.sqrt(np.mean(variances)))


def test_runs_on_other_items_are_no_pairs(pilots):
    store, first, _, other = pilots
    pilot = read_pilot(first, other, store=store, score="quadratic_score")
    with pytest.raises(BadParameter, match="run both with the same --seed"):
        plan_by_pilot(pilot, difference=0.1, design="paired")


def test_a_score_must_be_named_where_there_are_several(pilots):
    store, first, second, _ = pilots
    with pytest.raises(BadParameter, match="Say which score to plan by: --score "):
        read_pilot(first, second, store=store)
    with pytest.raises(UnknownName, match="Did you mean quadratic_score"):
        read_pilot(first, second, store=store, score="quadratic")
