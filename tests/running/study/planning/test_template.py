"""Template: a plan that is started from a form reads as a plan."""

import json

import pytest

from mensura.errors import BadParameter
from mensura.running.study import Study
from mensura.running.study.planning.template import PlanDraft, plan_text, read_conditions, text_of
from mensura.running.study.reading import make_study, read_plan


def test_a_template_reads_as_the_plan_that_was_asked_for():
    conditions = read_conditions("short: flips=3\nlong: flips=9")
    study = read_plan(plan_text(PlanDraft("coin", "mine", "Why?", conditions, n=15, expect="greater")))
    assert [cell.name for cell in study.cells()] == ["people in short", "people in long"]
    assert study.planned(study.casts[0]) == 15
    assert study.hypotheses[0].compare == ("short", "long")
    assert study.hypotheses[0].score == "quadratic_score"


@pytest.mark.parametrize(("test", "score"), [("coin", "quadratic_score"), ("forecasting", "logarithmic_score")])
def test_a_template_without_a_score_takes_the_first_bounded_one(test, score):
    # One answer of 0 % for what happens makes the coin's logarithmic score minus infinity; forecasting has a floor.
    study = read_plan(plan_text(PlanDraft(test, conditions={"a": {}, "b": {}})))
    assert study.hypotheses[0].score == score


def test_a_template_takes_an_unbounded_score_where_it_is_asked_for():
    study = read_plan(plan_text(PlanDraft("coin", conditions={"a": {}, "b": {}}, score="logarithmic_score")))
    assert study.hypotheses[0].score == "logarithmic_score"


WHOLE = {
    "name": "whole: with a colon",
    "question": "Größer?",
    "tests": ["coin", "coin-v1"],
    "casts": {
        "people": "human",
        "told": {"subject": "stated", "simulated": True},
        "both": {"subject": "chance"},
    },
    "conditions": {"few": {"flips": 2}, "many": {"flips": 5}},
    "hypotheses": [{"name": "H1", "score": "quadratic_score", "compare": ["told", "both"], "expect": "greater"}],
    "exclude": [{"name": "slow", "when": "median_seconds > 9"}],
    "stop": {"most": 30, "width": 0.2, "score": "quadratic_score", "check_every": 5},
    "order": "random",
    "seed": 7,
    "chance": "own",
    "generalise": "people",
    "invitation": {"consent": "Yes?\n\n- one\n- two", "days": 3, "telemetry": "focus"},
    "recruiting": {"codes": {"finished": "A"}, "criteria": [{"key": "adult", "text": "18?"}]},
}
COURSE = {
    **{"name": "learning", "test": "coin", "casts": {"told": "stated"}, "sessions": 3},
    "phases": [{"name": "before", "sessions": 2}, {"name": "after", "learn": False, "parameters": {"flips": 3}}],
}
LOOKS = {
    **{"name": "looks", "test": "coin", "casts": {"a": "stated", "b": "chance"}, "factors": {"flips": [2]}},
    "hypotheses": [{"score": "quadratic_score", "compare": ["a", "b"]}],
    "stop": {"most": 20, "looks": [10, 20], "method": "pocock"},
}


@pytest.mark.parametrize("plan", [WHOLE, COURSE, LOOKS, {"name": "s", "test": "coin", "casts": {"a": "chance"}}])
def test_a_stored_plan_is_written_so_that_the_same_plan_is_read(plan):
    study = make_study(plan)
    assert read_plan(text_of(study)).hash == study.hash
    stored = text_of(Study.read(json.loads(json.dumps(study.as_json()))))
    assert stored == text_of(study)
    assert "[]" not in stored
    assert "{}" not in stored


def test_a_test_without_conditions_has_no_hypothesis():
    assert read_plan(plan_text(PlanDraft("coin"))).hypotheses == ()


@pytest.mark.parametrize("text", ["short: flips", ": flips=3", "a: x=[", "a: x=1\na: x=2"])
def test_a_condition_that_cannot_be_read_is_refused(text):
    with pytest.raises(BadParameter, match="condition"):
        read_conditions(text)
