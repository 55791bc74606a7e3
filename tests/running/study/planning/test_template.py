"""Template: a plan that is started from a form reads as a plan."""

import pytest

from mensura.errors import BadParameter
from mensura.running.study.planning.template import PlanDraft, plan_text, read_conditions
from mensura.running.study.reading import read_plan


def test_a_template_reads_as_the_plan_that_was_asked_for():
    conditions = read_conditions("short: flips=3\nlong: flips=9")
    study = read_plan(plan_text(PlanDraft("coin", "mine", "Why?", conditions, n=15, expect="greater")))
    assert [cell.name for cell in study.cells()] == ["people in short", "people in long"]
    assert study.planned(study.casts[0]) == 15
    assert study.hypotheses[0].compare == ("short", "long")
    assert study.hypotheses[0].score == "logarithmic_score"


def test_a_test_without_conditions_has_no_hypothesis():
    assert read_plan(plan_text(PlanDraft("coin"))).hypotheses == ()


@pytest.mark.parametrize("text", ["short: flips", ": flips=3", "a: x=[", "a: x=1\na: x=2"])
def test_a_condition_that_cannot_be_read_is_refused(text):
    with pytest.raises(BadParameter, match="condition"):
        read_conditions(text)
