"""Studies: planned before the data, carried out, analysed as planned."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, UnknownName
from mensura.running.results.summary import summarise_run
from mensura.running.study import (
    Cast,
    ExclusionRule,
    Hypothesis,
    Stopping,
    Study,
    amend,
    analyse,
    conduct,
    invite,
    progress_of,
    stored_study,
)
from mensura.running.study.assignment import next_cell
from mensura.running.study.registration.register import registration_of
from mensura.store import export_run, import_archive, open_store
from mensura.store.sealed.proof import audit_run

STATED, HALF = Cast("stated", {"": "stated"}), Cast("half", {"": "half"})


def plan(**changes):
    given = {
        "name": "coins",
        "tests": ("coin",),
        "casts": (STATED, HALF),
        "hypotheses": (Hypothesis("H1", "quadratic_score", ("stated", "half"), "greater"),),
        "stopping": Stopping(most=8),
        "seed": 1,
    }
    return Study(**{**given, **changes})


def test_every_condition_meets_every_cast():
    study = plan(conditions={"short": {"flips": 5}, "long": {"flips": 9}}, factors={})
    assert [cell.name for cell in study.cells()] == [
        "stated in short",
        "half in short",
        "stated in long",
        "half in long",
    ]


def test_factors_are_crossed():
    study = plan(factors={"flips": (5, 10)}, tests=("coin",))
    assert {cell.condition: cell.parameters for cell in study.cells()} == {
        "flips=5": {"flips": 5},
        "flips=10": {"flips": 10},
    }


def test_a_study_runs_and_its_hypothesis_is_tested_on_the_same_items(store):
    state = conduct(plan(), store=store)
    assert [one.counts for one in state.cells] == [{"finished": 8}, {"finished": 8}]
    assert state.finished
    analysis = analyse(plan(), store=store)
    (tested,) = analysis.planned
    assert tested.planned
    assert tested.supported
    assert tested.difference.n == 8
    assert all(not other.planned for other in analysis.exploratory)
    assert analysis.as_json()["hash"] == plan().hash


def test_a_hypothesis_the_wrong_way_round_is_not_supported(store):
    wrong = plan(hypotheses=(Hypothesis("H1", "quadratic_score", ("stated", "half"), "less"),))
    conduct(wrong, store=store)
    assert not analyse(wrong, store=store).planned[0].supported


def test_a_plan_changed_after_the_data_is_refused(store):
    conduct(plan(), store=store)
    with pytest.raises(BadParameter, match="changed after it was registered: Hypothesis H1 was removed"):
        conduct(plan(hypotheses=()), store=store)


def test_going_on_with_a_finished_study_does_nothing(store):
    conduct(plan(), store=store)
    before = [head.id for head in store.runs.all()]
    conduct(plan(), store=store)
    assert [head.id for head in store.runs.all()] == before


def test_an_interrupted_study_goes_on_where_it_was(store):
    conduct(plan(casts=(STATED, HALF)), store=store)
    run = store.runs.all()[0]
    with store.database.writing() as connection:
        from sqlalchemy import text

        connection.execute(text("UPDATE sessions SET status = 'open' WHERE id = :id"), {"id": f"{run.id}/0.0.3"})
    assert not progress_of(plan(), store=store).finished
    assert conduct(plan(), store=store).finished


def test_sessions_are_left_out_by_the_plan_and_by_decision_and_it_is_said(store):
    study = plan(exclusions=(ExclusionRule("too short", "answered < 21"),), stopping=Stopping(most=3))
    conduct(study, store=store)
    (tested,) = analyse(study, store=store).planned
    assert (tested.verdict, tested.supported) == ("not tested", False)
    assert tested.sentence == "stated has no session that counts; opened: 3."
    other = plan(name="others")
    conduct(other, store=store)
    session = store.sessions.of(store.runs.find("last").id)[0].id
    store.exclusions.decide(session, reason="the phone rang", who="ada")
    (left,) = analyse(other, store=store).left_out
    assert (left.session, left.reason, left.planned) == (session, "the phone rang", False)


def test_stopping_by_width_takes_no_more_than_it_needs(store):
    narrow = Stopping(most=60, width=0.2, score="quadratic_score", check_every=5)
    state = conduct(plan(stopping=narrow), store=store)
    assert sum(state.cells[0].counts.values()) < 60


def test_courses_of_a_study_make_one_run_per_phase(store):
    phases = ({"name": "train", "sessions": 3}, {"name": "probe", "sessions": 2, "learn": False, "state": "branch"})
    learner = Cast("learner", {"": "q-learner"})
    study = Study("learning", ("corridor",), (learner,), phases=phases, stopping=Stopping(most=2), seed=3)
    state = conduct(study, store=store)
    assert [len(one.runs) for one in state.cells] == [2]
    assert {head.condition for head in state.cells[0].runs} == {"train", "probe"}
    probe = next(head for head in state.cells[0].runs if head.condition == "probe")
    lost = store.sessions.of(probe.id)[-1].id
    with store.database.writing() as connection:
        from sqlalchemy import text

        connection.execute(text("UPDATE sessions SET status = 'open' WHERE id = :id"), {"id": lost})
        connection.execute(
            text("DELETE FROM events WHERE session = (SELECT number FROM sessions WHERE id = :id)"), {"id": lost}
        )
    assert conduct(study, store=store).finished
    assert len(store.runs.all()) == 2


def test_people_are_spread_evenly_and_drop_outs_are_replaced(store):
    people = Cast("people", {"": "human"})
    study = plan(casts=(people, STATED), hypotheses=(), conditions={"short": {"flips": 3}, "long": {"flips": 6}})
    conduct(study, store=store)
    first = invite(study, 6, store=store)
    assert sorted(one.cell for one in first) == ["people in long"] * 3 + ["people in short"] * 3
    gone = next(one for one in first if one.cell == "people in long")
    store.invitations.withdraw(gone.number)
    assert invite(study, 1, store=store)[0].cell == "people in long"


def test_nobody_is_invited_to_a_study_of_programs(store):
    conduct(plan(), store=store)
    with pytest.raises(BadParameter, match="human"):
        invite(plan(), 1, store=store)


def test_assignment_balances_usable_sessions_whoever_drops_out():
    rng = np.random.default_rng(1)
    usable, under_way = dict.fromkeys("abc", 0), dict.fromkeys("abc", 0)
    for _ in range(300):
        cell = next_cell(usable, under_way, rng)
        # Those in b drop out half of the time.
        usable[cell] += int(cell != "b" or rng.random() < 0.5)
    assert max(usable.values()) - min(usable.values()) <= 1


@pytest.mark.parametrize(
    ("rule", "words"),
    [("answered is few", "MEASURE < NUMBER"), ("quadratic_score < 0", "no measure in .* called")],
)
def test_a_rule_that_looks_at_scores_or_cannot_be_read_is_refused(rule, words):
    with pytest.raises((BadParameter, UnknownName), match=words):
        ExclusionRule("odd", rule)


def test_cells_of_several_tests_are_told_apart(store):
    study = plan(
        tests=("coin", "inbox"), hypotheses=(), stopping=Stopping(most=3), casts=(Cast("chance", {"": "chance"}),)
    )
    assert [cell.name for cell in study.cells()] == ["chance of coin", "chance of inbox"]
    state = conduct(study, store=store)
    assert [one.runs[0].test for one in state.cells] == ["coin-v1", "inbox-v1"]
    scores = analyse(study, store=store).scores
    assert "quadratic_score" in scores["chance of coin"]
    assert "handled_score" in scores["chance of inbox"]


def test_a_score_without_bound_is_said_and_not_compared(store):
    certain = Cast("certain", {"": "constant:1.0"})
    asked = Hypothesis("H1", "logarithmic_score", ("stated", "certain"))
    study = plan(casts=(STATED, certain), hypotheses=(asked,))
    conduct(study, store=store)
    analysis = analyse(study, store=store)
    (tested,) = analysis.planned
    assert tested.verdict == "not tested"
    assert "The score logarithmic_score of certain is -∞" in tested.sentence
    assert "bounded score" in tested.sentence
    assert analysis.scores["certain"]["logarithmic_score"].value == -np.inf
    assert {tested.score for tested in analysis.exploratory} == {"quadratic_score"}


def test_the_plan_is_stored_with_its_runs_and_read_back_whole(store):
    study = plan(
        casts=(STATED, Cast("stand-in", {"": "half"}, simulated=True)),
        conditions={"short": {}, "plain": {}},
        factors={"flips": (4, 3)},
        hypotheses=(Hypothesis("H1", "quadratic_score", ("short, flips=4", "plain, flips=4"), "less"),),
        exclusions=(ExclusionRule("hasty", "invalid > 3"),),
        stopping=Stopping(most=2),
        generalise="sessions",
    )
    conduct(study, store=store)
    read = stored_study("coins", store=store)
    assert read.hash == study.hash
    assert [cell.name for cell in read.cells()] == [cell.name for cell in study.cells()]
    assert str(analyse(read, store=store).as_json()) == str(analyse(study, store=store).as_json())
    with pytest.raises(UnknownName, match="Did you mean coins"):
        stored_study("coin", store=store)


def reversed_plan():
    """Give the plan with its hypothesis turned round and another rule, as one who has seen the data might."""
    return plan(
        hypotheses=(Hypothesis("H1", "quadratic_score", ("stated", "half"), "less"),),
        exclusions=(ExclusionRule("idle", "answered < 3"),),
    )


def test_a_hypothesis_changed_after_the_data_is_never_supported_and_every_change_is_said(store):
    conduct(plan(), store=store)
    analysis = analyse(reversed_plan(), store=store)
    assert [(one.name, one.verdict) for one in analysis.planned] == [("H1", "supported")]
    assert analysis.deviations == [
        "Hypothesis H1: expected greater, now less.",
        "Exclusion 'idle' was added: answered < 3.",
    ]
    asked = [one for one in analysis.exploratory if one.name == "H1"]
    assert [(one.verdict, one.supported, one.planned) for one in asked] == [("not registered", False, False)]
    assert "before the first session" in analysis.told[0]
    assert "the chain of its sessions proves it" in analysis.told[0]


def test_a_plan_edited_in_the_store_decides_nothing(store):
    from sqlalchemy import text

    conduct(plan(), store=store)
    wrong = reversed_plan()
    with store.database.writing() as connection:
        for head in store.runs.all():
            details = {**head.details, "plan": wrong.as_json(), "study_hash": wrong.hash}
            change = {"details": canonical(details), "id": head.id}
            connection.execute(text("UPDATE runs SET details = :details WHERE id = :id"), change)
    analysis = analyse(wrong, store=store)
    assert analysis.planned == []
    assert "The run's own line" in analysis.told[0]
    assert any("the stored plan was altered" in words for words in analysis.told)
    assert not audit_run(store, "last").whole


def test_an_amendment_is_stored_with_its_reason_and_parts_the_sessions(store):
    people = Cast("people", {"": "human"})
    study = plan(casts=(people, STATED), hypotheses=())
    changed = replace(study, exclusions=(ExclusionRule("fast", "median_seconds < 1"),))
    conduct(study, store=store)
    invite(study, 2, store=store)
    with pytest.raises(BadParameter, match=r"Exclusion 'fast' was added.*--amend"):
        invite(changed, 1, store=store)
    amend(changed, "People click through.", store=store)
    invite(changed, 3, store=store)
    with pytest.raises(BadParameter, match="was removed"):
        invite(study, 1, store=store)
    (amendment,) = registration_of("coins", store=store).amendments
    assert (amendment.before, amendment.after, amendment.reason) == (10, 3, "People click through.")
    assert "10 sessions before it, 3 after" in analyse(changed, store=store).told[1]
    runs = progress_of(changed, store=store).cells[0].runs
    assert [one.address.session for head in runs for one in store.sessions.of(head.id)] == [0, 1, 2, 3, 4]
    with pytest.raises(BadParameter, match="nothing to amend"):
        amend(changed, "Again.", store=store)


def test_an_amendment_before_the_first_session_is_the_plan_that_decides(store):
    study = plan(casts=(Cast("people", {"": "human"}),), hypotheses=())
    changed = replace(study, stopping=Stopping(most=20))
    conduct(study, store=store)
    amend(changed, "Too few.", store=store)
    invite(changed, 1, store=store)
    registered = registration_of("coins", store=store)
    assert registered.plan.stopping.most == 20
    assert registered.before_data


def test_excluded_sessions_travel_and_are_printed_both_ways(store, tmp_path):
    conduct(plan(), store=store)
    head = store.runs.all()[0]
    for number in range(3):
        store.exclusions.decide(f"{head.id}/0.0.{number}", reason="the phone rang", who="ada")
    (tested,) = analyse(plan(), store=store).planned
    assert tested.with_excluded
    assert tested.with_excluded != tested.sentence
    ours = summarise_run(head, store=store)
    found = ours.estimated["quadratic_score"]
    assert (found.estimate.n, found.with_excluded.n) == (5, 8)
    words = "5 of 8 sessions count; 3 excluded: the phone rang (decided after the data) × 3"
    assert words == ours.excluded_words
    assert words in found.account
    export_run(store, [one.id for one in store.runs.all()], tmp_path / "coins.zip", format="zip")
    with open_store(tmp_path / "theirs.db") as theirs:
        import_archive(theirs, tmp_path / "coins.zip")
        there = summarise_run(theirs.runs.find(head.id), store=theirs)
        assert there.scores == ours.scores
        assert there.excluded == ours.excluded
        analysis = analyse(stored_study("coins", store=theirs), store=theirs)
        assert analysis.planned == analyse(plan(), store=store).planned
        assert "imported here on" in analysis.told[0]
