"""A quiz before and a survey after the test of a study."""

import pytest

from mensura.errors import BadParameter
from mensura.running.run import run
from mensura.running.study import Cast, Study, conduct, invite
from mensura.running.study.invite import runs_beside

SURVEY = "name: after\nscale: 7\nitems:\n  - {text: It was easy., category: ease}\n"


def made(store, **invitation):
    study = Study(
        name="office",
        tests=("crisis",),
        casts=(Cast("people", {"": "human"}),),
        conditions={"cots": {"condition": "cots", "package": "practice-1"}},
        invitation=invitation,
    )
    conduct(study, store=store)
    return [store.invitations.get(one.number) for one in invite(study, 2, store=store)]


def test_each_person_has_a_session_of_each_in_its_place(store, tmp_path):
    (tmp_path / "after.yaml").write_text(SURVEY)
    first, second = made(store, quiz="crisis-quiz", survey=str(tmp_path / "after.yaml"))
    runs = [store.runs.find(store.sessions.find(step.session).run) for step in first.steps if step.session]
    assert [run.test for run in runs] == ["crisis-quiz-v1", "crisis-v2", "after-v1"]
    assert runs[0].parameters == {"condition": "cots"}
    assert runs[0].details["quiz_for"] == runs[1].id
    others = [step.session for step in second.steps if step.session]
    assert not set(others) & {step.session for step in first.steps}
    assert len(store.runs.all()) == 3


def test_runs_beside_a_study_are_found_and_no_others(store, tmp_path):
    (tmp_path / "after.yaml").write_text(SURVEY)
    made(store, quiz="crisis-quiz", survey=str(tmp_path / "after.yaml"))
    (office,) = [head for head in store.runs.all() if head.test == "crisis-v2"]
    run("coin", "chance", store=store, sessions=1, seed=1)
    assert {head.test for head in runs_beside([office], store=store)} == {"crisis-quiz-v1", "after-v1"}


def test_a_quiz_for_several_roles_is_refused(store):
    with pytest.raises(BadParameter, match="answered by one person alone"):
        made(store, quiz="dilemma")


def test_checks_come_first_each_in_a_run_of_its_own(store):
    study = Study(
        name="ears",
        tests=("coin",),
        casts=(Cast("people", {"": "human"}),),
        invitation={"checks": ["display-size", "headphones"]},
    )
    conduct(study, store=store)
    first, second = [store.invitations.get(one.number) for one in invite(study, 2, store=store)]
    for one in (first, second):
        runs = [store.runs.find(store.sessions.find(step.session).run) for step in one.steps if step.session]
        assert [run.test for run in runs] == ["display-size-v1", "headphones-v1", "coin-v1"]
    assert {head.test for head in runs_beside([runs[-1]], store=store)} == {"display-size-v1", "headphones-v1"}
    assert len(store.runs.all()) == 3
