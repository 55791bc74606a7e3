"""Looking at the outcome before the end: refused without a sequential method, and by its boundaries with one."""

import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.report.study import study_report
from mensura.running.plan import Plan, planned_addresses
from mensura.running.run import RunOptions, carry_out
from mensura.running.study import analyse, conduct, make_study, progress_of, register
from mensura.running.study.analysis.analysis import look_of
from mensura.running.study.planning.dry_run import simulated_plan
from mensura.running.study.planning.preview import preview_of
from mensura.store import export_run, import_archive, open_store


def looking(values, **stop):
    return make_study(
        {
            "name": "looking",
            "test": "coin",
            "casts": {"first": f"constant:{values[0]}", "second": f"constant:{values[1]}"},
            "stop": {"most": 12, "looks": [4, 8, 12], "method": "pocock", **stop},
            "seed": 1,
            "generalise": "sessions",
            "hypotheses": [{"name": "H1", "score": "quadratic_score", "compare": ["first", "second"]}],
        }
    )


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ({"method": ""}, "makes chance findings more likely. Name a sequential method"),
        ({"method": "peeking"}, "no sequential method called 'peeking'"),
        ({"looks": [8, 4, 12]}, "rising numbers"),
        ({"looks": [4, 8]}, "The last look is at all sessions: 12"),
        ({"width": 0.1, "score": "quadratic_score"}, "cannot be combined with"),
    ],
)
def test_a_stop_rule_that_looks_at_the_outcome_needs_a_method(stop, words):
    with pytest.raises((BadParameter, UnknownName), match=words):
        looking((0.5, 0.9), **stop)


def test_a_boundary_that_is_crossed_ends_the_study_whatever_comes_later(store):
    study = looking((0.5, 0.99))
    conduct(study, store=store)
    found = analyse(study, store=store)
    (tested,) = found.planned
    assert tested.verdict == "supported"
    assert tested.sentence.startswith("Look 2 of 3 (8 sessions in each cell, Pocock spending): p = ")
    assert "the study stops here by its plan." in tested.sentence
    assert {left.kind for left in found.left_out} == {"after the look at 8 per cell"}
    assert len(found.left_out) == 8
    assert found.deviations == []
    said = [words for part in study_report(found, store=store).sections for words in part.points.get("", ())]
    assert "Looks at the outcome after 4, 8, 12 sessions per cell, by Pocock spending." in said


def take(study, many, store):
    """Let the programs of every cell take so many sessions."""
    for state in progress_of(study, store=store).cells:
        head = state.runs[0]
        addresses = planned_addresses(head, many)
        carry_out(head, addresses, plan=Plan.of_run(head), store=store, options=RunOptions())


def leave_out(study, places, store):
    """Exclude sessions of the first cell after the data."""
    taken = store.sessions.of(progress_of(study, store=store).cells[0].runs[0].id)
    for place in places:
        store.exclusions.decide(taken[place].id, reason="Fire alarm.", who="ada")


def said(study, store):
    """Return what is found of the hypothesis, and what the report says of it."""
    found = analyse(study, store=store)
    return found.planned[0], " ".join(study_report(found, store=store).answer)


def test_a_look_that_was_taken_stays_one_when_its_sessions_are_excluded(store):
    study = looking((0.5, 0.52))
    register(study, store=store)
    take(study, 4, store)
    before = said(study, store)[0].sentence
    assert before.startswith("Look 1 of 3 (4 sessions in each cell, Pocock spending): p = ")
    leave_out(study, [1], store)
    tested, report = said(study, store)
    assert tested.sentence.startswith(before.split(";")[0])
    assert "1 of the 8 sessions that it saw on " in report
    assert "was excluded or withdrawn since; the look stays as it was taken." in report
    assert look_of(study, store=store).number == 1
    take(study, 9, store)
    assert said(study, store)[0].sentence.startswith("Look 2 of 3 (8 sessions"), "the second look has its own level"


def test_a_look_that_ended_the_study_decides_whatever_is_excluded_later(store):
    study = looking((0.5, 0.99))
    register(study, store=store)
    take(study, 8, store)
    before = said(study, store)[0]
    assert (before.verdict, before.sentence[:11]) == ("supported", "Look 2 of 3")
    leave_out(study, range(5), store)
    take(study, 12, store)
    tested, report = said(study, store)
    assert tested.verdict == "supported"
    assert tested.sentence.startswith(before.sentence.split(";")[0])
    assert "5 of the 16 sessions that it saw on " in report
    assert "As the data are now: " in report
    assert look_of(study, store=store).over
    kinds = {left.kind for left in analyse(study, store=store).left_out}
    assert kinds == {"Fire alarm. (decided after the data)", "after the look at 8 per cell"}


def test_a_look_travels_with_the_sessions_it_saw(store, tmp_path):
    study = looking((0.5, 0.52))
    register(study, store=store)
    take(study, 4, store)
    analyse(study, store=store)
    leave_out(study, [0, 1], store)
    export_run(store, [one.id for one in store.runs.all()], tmp_path / "looking.zip", format="zip")
    with open_store(tmp_path / "elsewhere.db") as other:
        import_archive(other, tmp_path / "looking.zip")
        assert look_of(study, store=other) == look_of(study, store=store)
        assert look_of(study, store=other).number == 1


def test_a_look_that_finds_nothing_goes_on_and_the_last_one_ends_it(store):
    study = looking((0.5, 0.52))
    register(study, store=store)
    first = analyse(study, store=store).planned[0]
    assert first.verdict in ("undecided", "not tested")
    for many, words in ((5, "Look 1 of 3"), (12, "Look 3 of 3")):
        take(study, many, store)
        found = analyse(study, store=store)
        (tested,) = found.planned
        assert tested.verdict == "undecided"
        assert tested.sentence.startswith(words)
        assert any("not adjusted for the looks" in note for note in found.notes)
    assert "it was the last look" in tested.sentence


def test_a_rehearsal_of_another_size_takes_no_looks():
    study = make_study(
        {
            "name": "people",
            "test": "coin",
            "casts": {"people": "human", "told": "stated"},
            "stop": {"most": 12, "looks": [6, 12], "method": "obrien-fleming"},
            "hypotheses": [{"name": "H1", "score": "quadratic_score", "compare": ["people", "told"]}],
        }
    )
    assert simulated_plan(study, sessions=3).stopping.looks == ()
    assert simulated_plan(study).stopping.looks == (6, 12)


def test_a_plan_says_its_levels_and_one_without_looks_keeps_its_hash():
    said = " ".join(preview_of(looking((0.5, 0.9))).sentences)
    assert "looked at after 4, 8, 12 sessions in each cell, by Pocock spending" in said
    assert "p is at most 0.023, 0.022, 0.022" in said
    plain = make_study({"name": "a", "test": "coin", "casts": {"c": "chance"}, "sessions": 3})
    assert set(plain.as_json()["stopping"]) == {"most", "width", "score", "check_every"}
