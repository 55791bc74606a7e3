"""Changing an answer: a new event, the last one counts, replay comes to the same, and some cannot be changed."""

import pytest

from mensura.dialogue import Ask, Choice, Instance, Number, Round, Save, Session, make_record, replay, test
from mensura.errors import BrokenTest, Invalid, Late

DIGIT = Number(0, 9, integer=True)


@test("digits-v1", back=True)
def digits(rng, *, save: bool = False, saved=None):
    """Give digits, and change them."""
    for place in range(saved or 0, 3):
        yield Ask(f"Digit {place}?", DIGIT, key=f"d{place}")
        if save and place == 0:
            yield Save(1)


@test("stubborn-v1")
def stubborn(rng):
    """Nothing can be changed."""
    yield Ask("One?", DIGIT, key="one")
    yield Ask("Two?", DIGIT, key="two")


@test("pair-v1", back=True, roles=("a", "b"))
def pair(rng):
    """Two who answer at once."""
    yield Round([Ask("One?", DIGIT, role=role, key=role) for role in ("a", "b")])
    yield Ask("Two?", DIGIT, role="a", key="two")


def begun(definition, **parameters):
    session = Session(Instance(definition, definition.fill(parameters), 1))
    session.start()
    return session


def record(definition, events):
    return make_record(events, test=definition.id, parameters={})


def test_the_last_answer_counts_and_the_record_keeps_all():
    session = begun(digits)
    session.answer(1)
    session.answer(2)
    session.revise(7, number=1, nonce="x")
    session.revise(8, number=1)
    session.revise(8, number=1)
    session.answer(3)
    events = session.drain()
    kinds = [event.kind for event in events if event.kind not in ("ask", "digest", "end")]
    assert kinds == ["answer", "answer", "revise", "revise", "answer"]
    made = record(digits, events)
    assert made.given() == {"d0": 8, "d1": 2, "d2": 3}
    assert [one["value"] for one in made.answers[0].notes["revisions"]] == [1, 7]
    again = replay(Instance(digits, digits.fill({}), 1), events)
    assert again.status == "finished"


def test_a_replayed_session_can_be_changed_on_and_only_what_came_after_the_last_save():
    session = begun(digits, save=True)
    session.answer(1)
    session.answer(2)
    session.revise(5, number=4)
    events = session.drain()
    again = replay(Instance(digits, digits.fill({"save": True}), 1), events)
    assert again.log.number == session.log.number
    assert list(again.answered["subject"]) == [4]
    assert again.answered["subject"][4][1] == 5
    with pytest.raises(Late, match="cannot be changed any more"):
        again.revise(9, number=1)
    from_start = replay(Instance(digits, digits.fill({"save": True}), 1), events, from_save=False)
    assert list(from_start.answered["subject"]) == [4]


def test_a_change_outside_the_space_or_of_what_was_not_answered_is_refused():
    session = begun(digits)
    session.answer(1)
    with pytest.raises(Invalid, match="between 0 and 9"):
        session.revise(10, number=1)
    for number in (2, 3, 99):
        with pytest.raises(Late):
            session.revise(1, number=number)
    session.pause(by="erin")
    with pytest.raises(Late):
        session.revise(2, number=1)
    closed = begun(stubborn)
    closed.answer(1)
    with pytest.raises(Late):
        closed.revise(2, number=1)


def test_each_changes_only_their_own():
    session = begun(pair)
    session.answer(1, role="a")
    session.revise(2, role="a", number=1)
    session.answer(3, role="b")
    with pytest.raises(Late):
        session.revise(4, role="b", number=1)
    assert record(pair, session.drain()).given() == {"a": 2, "b": 3}


def test_a_test_with_a_clock_cannot_allow_it():
    with pytest.raises(BrokenTest, match="nobody can go back"):

        @test("hurried-v1", back=True)
        def hurried(rng, clock):
            yield Ask("Quick?", Choice(("yes", "no")))


def test_what_stands_before_a_save_stands_in_the_same_process_too():
    session = begun(digits, save=True)
    number = session.asked["subject"]
    session.answer(4)
    with pytest.raises(Late):
        session.revise(5, number=number)
