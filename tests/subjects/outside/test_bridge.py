"""A bridge carries answers from one thread to another, and leaves the session open when nobody comes any more."""

from threading import Thread

import pytest

from mensura.dialogue import Ask, Call, Number, Refused, Tool, Wait, test
from mensura.running.mcp.server import answer_of, serve_session, tools_of
from mensura.running.take import take
from mensura.subjects.outside.bridge import Abandoned, Bridge


@test("sums-v1")
def sums(rng):
    """Add two numbers."""
    yield Ask("Add.")
    first = yield Ask("One?", Number(low=0, high=9), key="one")
    yield Ask(f"You said {first}.")
    yield Ask("Two?", Number(low=0, high=9), key="two")


def driven(bridge):
    taken = []
    thread = Thread(target=lambda: taken.append(take(sums, bridge, seed=1)), daemon=True)
    thread.start()
    return thread, taken


def test_answers_come_from_another_thread_with_what_was_told():
    bridge = Bridge("someone")
    thread, taken = driven(bridge)
    assert bridge.first() == "Add.\n\nOne?"
    assert bridge.first() == "Add.\n\nOne?"
    ok, words = bridge.give(12)
    assert not ok
    assert words == "That answer was not valid: The answer must be between 0 and 9; got 12.\n\nOne?"
    assert bridge.give(3) == (True, "You said 3.0.\n\nTwo?")
    assert bridge.give(4) == (True, "The session is over.")
    thread.join(5)
    assert taken[0].record.given() == {"one": 3.0, "two": 4.0}
    assert taken[0].record.cast == {"subject": "someone"}
    assert bridge.give(5) == (False, "The session is over.")


def test_a_call_that_makes_no_sense_gets_one_sentence():
    @test("desk-v1")
    def desk(rng):
        """Act once."""
        yield Ask("A long page lies on the desk.", Call({"leave": Tool("Leave.")}))

    bridge = Bridge()
    thread = Thread(target=lambda: take(desk, bridge, seed=1), daemon=True)
    thread.start()
    bridge.first()
    ok, words = bridge.give({"call": "leaf", "arguments": {}})
    assert not ok
    assert words == "That answer was not valid: There is no tool called 'leaf'. Did you mean leave?"
    assert bridge.first() == "A long page lies on the desk."
    assert bridge.give({"call": "leave", "arguments": {}}) == (True, "The session is over.")
    thread.join(5)


def test_whoever_leaves_ends_the_wait_and_not_the_session():
    bridge = Bridge()
    caught = []

    def drive():
        try:
            take(sums, bridge, seed=1)
        except Abandoned as error:
            caught.append(error)

    thread = Thread(target=drive, daemon=True)
    thread.start()
    bridge.first()
    bridge.abandon()
    thread.join(5)
    assert len(caught) == 1


def test_calls_become_answers_and_what_makes_no_sense_is_left_for_the_space_to_refuse():
    ask = Ask("How many?", Number(), until=9)
    assert answer_of(ask, "answer", {"answer": 3}) == 3
    assert answer_of(ask, "decline", {"reason": "tired"}) == Refused("tired")
    assert answer_of(ask, "let_lapse", {}) == Wait()
    assert answer_of(Ask("How many?", Number()), "let_lapse", {}) == {"call": "let_lapse", "arguments": {}}
    assert answer_of(ask, "swim", {"answer": 3}) == {"call": "swim", "arguments": {"answer": 3}}
    assert answer_of(ask, "answer", {}) is None
    assert list(tools_of(None)) == ["question"]
    acts = Ask("Act.", Call({"wait": Tool("Wait.")}), until=9)
    assert list(tools_of(acts)) == ["question", "wait"]
    assert answer_of(acts, "decline", {}) == {"call": "decline", "arguments": {}}


def test_a_failure_of_the_work_is_raised_when_the_agent_has_left(monkeypatch):
    bridge = Bridge()

    def work():
        raise RuntimeError("broken")

    said = []
    monkeypatch.setattr("mensura.running.mcp.server._serve", lambda bridge, about, ready: said.append(bridge.first()))
    monkeypatch.setattr("threading.excepthook", lambda arguments: None)
    with pytest.raises(RuntimeError, match="broken"):
        serve_session(work, bridge, about="A test.")
    assert said == ["The test has a fault; the session ends here."]
