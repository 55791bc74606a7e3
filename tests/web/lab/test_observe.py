"""The observers' page: where participants are, what may be said to them, pauses and flags."""

import re

import pytest

from mensura.running.study import Cast, Study, conduct, invite
from mensura.running.study.observing import ObserverNotes

PROCEDURE = {"answers": ["That is available to you."], "exclude_for": ["sleeping"], "consider_for": ["long idle"]}


@pytest.fixture
def watched(store):
    study = Study(name="watched one", tests=("inbox",), casts=(Cast("people", {"": "human"}),), procedure=PROCEDURE)
    conduct(study, store=store)
    return invite(study, 1, store=store)[0]


@pytest.fixture
def erin(visitor):
    return visitor("experimenter")


def enter(visitor, token):
    """Come to the first question, as a participant does."""
    person = visitor()
    person.get(f"/p/{token}")
    csrf = person.token(f"/p/{token}")
    person.post(f"/p/{token}/next", data={"csrf": csrf, "step": "0", "agree": "yes"}, follow_redirects=True)
    return person


def test_an_observer_sees_everyone_and_may_say_little(watched, erin, store):
    page = f"/lab/observe/watched%20one/{watched.number}"
    assert "watched one" in erin.get("/lab/observe").text
    assert f"/{watched.number}" in erin.get("/lab/observe/watched%20one").text
    shown = erin.get(page).text
    assert "That is available to you." in shown
    assert "sleeping" in shown
    link = re.search(r'href="(/lab/runs/[^"]*/playback[^"]*)"', shown)
    assert erin.get(link[1]).status_code == 200
    assert erin.submit(page, {"kind": "answer", "words": "That is available to you."}).status_code == 303
    assert erin.submit(page, {"kind": "answer", "words": "Try the manual"}).status_code >= 400
    assert erin.submit(page, {"kind": "flag", "words": "long idle", "more": "since 10:20"}).status_code == 303
    assert "To be judged" in erin.get(page).text
    assert erin.submit(page, {"kind": "judge", "words": "was reading", "out": "no"}).status_code == 303
    assert [one.kind for one in ObserverNotes(store).of(watched.number)] == ["answered", "flagged", "judged in"]


def test_a_quiz_before_the_test_changes_nothing_of_what_observers_may_say(store, erin):
    people = Cast("people", {"": "human"})
    study = Study("quizzed", ("inbox",), (people,), procedure=PROCEDURE, invitation={"quiz": "crisis-quiz"})
    conduct(study, store=store)
    page = f"/lab/observe/quizzed/{invite(study, 1, store=store)[0].number}"
    shown = erin.get(page).text
    assert "That is available to you." in shown
    assert "I cannot tell you where." not in shown
    assert "sleeping" in shown
    assert erin.submit(page, {"kind": "exclude", "words": "sleeping"}).status_code == 303


def test_whoever_is_taken_in_again_is_no_longer_marked_as_left_out(watched, erin):
    page = f"/lab/observe/watched%20one/{watched.number}"
    erin.submit(page, {"kind": "exclude", "words": "sleeping"})
    erin.submit(page, {"kind": "flag", "words": "long idle", "more": "only had the eyes closed"})
    shown = erin.get("/lab/observe/watched%20one").text
    assert "left out" in shown
    assert "to be judged" in shown
    erin.submit(page, {"kind": "judge", "words": "the log shows reading", "out": "no"})
    shown = erin.get("/lab/observe/watched%20one").text
    assert "left out" not in shown
    assert "to be judged" not in shown


def test_the_clock_can_be_stopped_and_goes_on(watched, erin, visitor, store):
    person = enter(visitor, watched.token)
    page = f"/lab/observe/watched%20one/{watched.number}"
    assert erin.submit(page, {"kind": "pause", "words": "the screen went black"}).status_code == 303
    paused = person.get(f"/p/{watched.token}").text
    facts = dict(re.findall(r'data-(kind|csrf|step|seen|poll)="([^"]*)"', paused))
    assert (facts["kind"], float(facts.pop("poll"))) == ("break", 5)
    assert "Erin has stopped the clock" in paused
    assert "go-on" not in paused
    forged = person.post(f"/p/{watched.token}/go-on", data=facts)
    assert (forged.status_code, "only an observer lets it continue" in forged.text) == (409, True)
    # The page asks by itself whether the clock goes on.
    assert person.post(f"/p/{watched.token}/tick", data=facts).status_code == 204
    assert erin.submit(page, {"kind": "go on", "words": "repaired"}).status_code == 303
    assert person.post(f"/p/{watched.token}/tick", data=facts).status_code == 200
    assert person.get(f"/p/{watched.token}.json").json()["kind"] == "ask"
    session = next(step.session for step in store.invitations.get(watched.number).steps if step.session)
    stops = [(event.kind, event.value) for event in store.events.of(session) if "pause" in event.kind]
    assert stops == [("pause", "Erin"), ("unpause", "Erin")]


def test_nothing_is_paused_before_a_session(watched, erin):
    page = f"/lab/observe/watched%20one/{watched.number}"
    refused = erin.submit(page, {"kind": "pause", "words": "x"})
    assert "not in a session now" in refused.text


@pytest.mark.parametrize("role", ["analyst", "rater", "nobody"])
def test_only_experimenters_observe(watched, visitor, role):
    assert visitor(role).get("/lab/observe/watched%20one").status_code in (303, 403)


def test_whoever_withdrew_is_not_watched_any_more(watched, erin, store):
    store.invitations.withdraw(watched.number)
    assert "watched one" not in erin.get("/lab/observe").text
    for page in ("/lab/observe/watched%20one", f"/lab/observe/watched%20one/{watched.number}"):
        assert erin.get(page).status_code == 404


def test_a_study_that_is_not_there_is_said(erin):
    assert "Nobody is invited" in erin.get("/lab/observe/nothing").text
