"""A dry run: the plan with programs in the place of people, and chance of its own."""

import pytest

from mensura.errors import BadParameter
from mensura.running.study import make_study
from mensura.running.study.planning.dry_run import dry_run, simulated_plan

PLAN = {
    "name": "coins",
    "test": "coin",
    "conditions": {"short": {"flips": 2}, "long": {"flips": 4}},
    "casts": {"people": "human", "told": "stated"},
    "hypotheses": [{"score": "quadratic_score", "compare": ["told", "people"], "expect": "greater"}],
    "sessions": 4,
    "seed": 3,
}


def test_people_are_replaced_marked_and_given_other_items():
    plan = simulated_plan(make_study(PLAN), people="overconfident", sessions=3)
    people, told = plan.casts
    assert (people.simulated, people.subjects) == (True, {"": "overconfident"})
    assert (told.simulated, told.subjects) == (False, {"": "stated"})
    assert (plan.seed, plan.stopping.most) == (None, 3)


def test_a_dry_run_is_analysed_by_the_plan():
    with dry_run(make_study(PLAN), sessions=3) as found:
        assert found.analysis.simulated
        assert [one.name for one in found.analysis.planned] == ["H1"]
        place = found.store.database.place.path
    assert not place.exists()


def test_a_study_of_programs_alone_has_no_dry_run():
    with pytest.raises(BadParameter, match="No cast of coins is human"):
        simulated_plan(make_study({**PLAN, "casts": {"people": "chance", "told": "stated"}}))
