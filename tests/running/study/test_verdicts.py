"""Verdicts: too little data is said as that, and what could not be tested is not called unsupported."""

from dataclasses import replace

import pytest

from mensura.dialogue import Score
from mensura.errors import UnknownName
from mensura.report.study import study_report
from mensura.running.plan import Plan, planned_addresses
from mensura.running.run import RunOptions, carry_out
from mensura.running.study import Hypothesis, analyse, conduct, make_study, progress_of
from mensura.running.study.analysis.cell import TakenCell
from mensura.running.study.conduct import CellState
from mensura.store.head import RunHead


def small_study(sessions, values, **more):
    plan = {
        **more,
        "name": "small",
        "test": "coin",
        "casts": {"first": f"constant:{values[0]}", "second": f"constant:{values[1]}"},
        "sessions": sessions,
        "seed": 1,
        "hypotheses": [{"name": "H1", "score": "quadratic_score", "compare": ["first", "second"]}],
    }
    return make_study(plan)


def test_a_hypothesis_that_could_not_be_tested_is_not_called_unsupported(store):
    small = small_study(1, (0.5, 0.9), generalise="sessions")
    conduct(small, store=store)
    (tested,) = analyse(small, store=store).planned
    assert tested.verdict == "not tested"
    assert not tested.supported


def test_too_little_data_is_said_with_how_much_would_be_needed(store):
    small = small_study(4, (0.5, 0.55))
    conduct(small, store=store)
    (tested,) = analyse(small, store=store).planned
    assert tested.verdict == "undecided"
    assert "Too little data to say which does better" in tested.sentence
    assert "would be needed to tell" in tested.sentence or "would about halve the interval" in tested.sentence


def test_a_word_that_means_no_expectation_is_never_supported(store, monkeypatch):
    study = small_study(6, (0.5, 0.9))
    odd = replace(study, hypotheses=(Hypothesis("H1", "quadratic_score", ("first", "second"), "bigger"),))
    with pytest.raises(UnknownName, match=r"'bigger'. There are greater, less, different"):
        conduct(odd, store=store)
    # An earlier release took it.
    monkeypatch.setitem(conduct.__globals__, "check_plan", lambda study: study)
    conduct(odd, store=store)
    analysis = analyse(odd, store=store)
    assert [one.verdict for one in analysis.planned] == ["not tested"]
    assert "'bigger' is not one of greater, less, different." in study_report(analysis, store=store).answer[0]


def go_on(store, study, sessions):
    """Take sessions of every cell of a study, more or fewer than its plan has."""
    for state in progress_of(study, store=store).cells:
        for head in state.runs:
            carry_out(
                head, planned_addresses(head, sessions), plan=Plan.of_run(head), store=store, options=RunOptions()
            )


def test_sessions_beyond_the_plan_are_a_deviation_and_the_first_of_them_decide(store):
    study = small_study(4, (0.5, 0.55))
    conduct(study, store=store)
    (before,) = analyse(study, store=store).planned
    go_on(store, study, 80)
    analysis = analyse(study, store=store)
    (after,) = analysis.planned
    assert (after.verdict, after.sentence) == ("undecided", before.sentence)
    assert after.with_excluded != after.sentence
    assert "first has 76 sessions beyond the 4 of the plan" in analysis.deviations[0]
    assert analysis.deviations[0] in analysis.told
    assert "beyond the 4 per cell of the plan × 152" in analysis.excluded
    assert all(cell["quadratic_score"].n == 4 for cell in analysis.scores.values())


def test_nothing_is_supported_before_the_planned_sessions_are_over(store):
    study = small_study(30, (0.5, 0.9))
    with pytest.MonkeyPatch.context() as patch:
        # The programs were interrupted after eight sessions.
        patch.setitem(conduct.__globals__, "planned_addresses", lambda head, many: planned_addresses(head, 8))
        conduct(study, store=store)
    analysis = analyse(study, store=store)
    (tested,) = analysis.planned
    assert tested.adjusted_p < 0.05
    assert (tested.verdict, tested.supported) == ("undecided", False)
    assert tested.sentence.startswith("The plan decides when all sessions are over: 8 of 30 of first, 8 of 30 of ")
    assert "Not finished yet: first, second." in analysis.notes
    conduct(study, store=store)
    assert [one.verdict for one in analyse(study, store=store).planned] == ["supported"]


def test_another_population_than_the_plan_s_is_a_deviation_and_decides_nothing(store):
    study = small_study(1, (0.5, 0.9), generalise="sessions")
    conduct(study, store=store)
    analysis = analyse(study, store=store, generalise="these-items")
    assert [one.verdict for one in analysis.planned] == ["not tested"]
    assert analysis.as_json()["deviations"] == ["The population: sessions, now these-items."]
    asked = [one for one in analysis.exploratory if one.name == "H1"]
    assert [(one.verdict, one.supported, one.planned) for one in asked] == [("not registered", False, False)]
    assert asked[0].difference.population == "these items"


def test_which_way_is_better_is_known_where_a_course_begins_with_another_test():
    runs = [
        RunHead(name, name, {}, {}, "", "", "", 1, True, "full", 0.0, details={"scores": [score.as_json()]})
        for name, score in (("asked", Score("predict", better="more")), ("driven", Score("time", better="less")))
    ]
    cell = TakenCell(CellState(None, runs, {}), {}, [])
    assert [cell.declared(name).better for name in ("predict", "time", "neither")] == ["more", "less", None]
