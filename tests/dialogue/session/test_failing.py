"""Failing: a subject that stops working ends its session, and the test still comes to its own end."""

import pytest

from mensura.dialogue import (
    Ask,
    Break,
    Choice,
    Instance,
    Limits,
    Outcome,
    Round,
    Session,
    make_record,
    replay,
    test,
)
from mensura.errors import Invalid

YES = Choice(("yes", "no"))


@test("three-v1")
def three(rng):
    """Ask three times, with a rest."""
    yield Ask("First?", YES, key="a", truth="yes")
    yield Break()
    yield Ask("Second?", YES, key="b", truth="yes")
    yield Ask("Third?", YES, key="c", truth="yes")
    return Outcome("Thank you.")


@test("pair-v1", roles=("left", "right"))
def pair(rng):
    """Ask two roles at once, twice."""
    for number in range(2):
        yield Round([Ask("?", YES, key=f"q{number}", role=role, truth="yes") for role in ("left", "right")])


@test("stubborn-v1")
def stubborn(rng):
    """Ask until there is an answer."""
    answer = None
    while answer is None:
        answer = yield Ask("?", YES, key="q", truth="yes")


@test("fragile-v1")
def fragile(rng):
    """Need an answer."""
    answer = yield Ask("?", YES, key="q", truth="yes")
    yield Ask(answer.upper(), YES, key="r")


def begun(definition, **limits):
    session = Session(Instance(definition, {}, 1), limits=Limits(**limits))
    session.start()
    return session


def record_of(session):
    return make_record(session.drain(), test=session.instance.test.id, parameters={})


def statuses(record):
    return {answer.key: answer.status for answer in record.answers}


def test_what_is_still_asked_comes_to_nothing_and_is_recorded():
    session = begun(three)
    session.answer("yes")
    session.fail("crashed", last_words="boom")
    assert (session.status, session.last_words, session.outcome.truncated) == ("crashed", "boom", True)
    record = record_of(session)
    assert statuses(record) == {"a": "answered", "b": "crashed", "c": "crashed"}
    assert record.tally() == {"answered": 1, "crashed": 2}
    assert record.status == "crashed"
    assert set(session.drain_truths()) == {"a", "b", "c"}


def test_failing_before_the_first_ask_hides_nothing():
    session = Session(Instance(three, {}, 1))
    session.fail("timed_out")
    assert record_of(session).tally() == {"timed_out": 3}


def test_a_session_that_is_over_cannot_fail():
    session = begun(three)
    session.stop("withdrawn")
    session.fail("crashed")
    assert session.status == "withdrawn"


def test_invalid_answers_in_a_row_are_a_failure_too():
    session = begun(three, invalid_in_a_row=2)
    for _ in range(2):
        with pytest.raises(Invalid):
            session.answer("perhaps")
    assert session.status == "invalid"
    assert record_of(session).tally() == {"invalid": 3}


def test_who_did_not_fail_has_lost_what_was_still_to_come():
    session = begun(pair)
    session.answer("yes", role="right")
    session.fail("crashed", roles=["left"])
    record = record_of(session)
    found = {(answer.role, answer.key): answer.status for answer in record.answers}
    assert found == {
        ("left", "q0"): "crashed",
        ("right", "q0"): "answered",
        ("left", "q1"): "crashed",
        ("right", "q1"): "lost",
    }


def test_a_test_that_goes_on_asking_is_ended(monkeypatch):
    monkeypatch.setattr("mensura.dialogue.session.session.MOST_FORFEITED", 20)
    session = begun(stubborn)
    session.fail("crashed")
    assert session.status == "crashed"
    assert len(record_of(session).answers) == 21


def test_a_test_that_cannot_go_on_without_an_answer_is_not_to_blame():
    session = begun(fragile)
    session.fail("crashed", last_words="boom")
    assert (session.status, session.last_words) == ("crashed", "boom")


@pytest.mark.parametrize("definition", [three, pair, fragile])
def test_a_failed_session_replays_alike(definition):
    session = begun(definition)
    role = next(iter(session.open))
    session.fail("crashed", last_words="boom", roles=[role])
    events = session.drain()
    again = replay(session.instance, events)
    assert (again.status, again.last_words) == ("crashed", "boom")
    assert again.log.number == session.log.number


def test_an_interrupted_session_logs_nothing_and_goes_on_later():
    session = begun(three)
    session.answer("yes")
    before = session.drain()
    session.interrupt("The network is down.")
    assert (session.status, session.drain()) == ("lost", [])
    again = replay(session.instance, before)
    assert again.status == "open"
    again.unpause()
    again.answer("no")
    again.answer("no")
    assert again.status == "finished"
