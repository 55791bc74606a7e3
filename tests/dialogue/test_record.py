"""Records: what a session leaves for scoring."""

import numpy as np

from mensura.dialogue import (
    Ask,
    Event,
    Instance,
    Items,
    Outcome,
    Probability,
    Record,
    Round,
    Scores,
    Session,
    make_record,
    test,
)

HALF = Probability()


@test("pair-v1", roles=("a", "b"))
def pair(rng):
    """Two roles, one round, a reward for each at the end."""
    yield Round([Ask("?", HALF, role="a", key="q"), Ask("?", HALF, role="b", key="q")])
    return Outcome("over", reward={"a": 1.0, "b": 2.0, "nobody": 3.0})


def pair_record():
    session = Session(Instance(pair, {}, 1))
    session.start()
    session.answer(0.5, role="b", notes={"thought": "hm"})
    session.answer(0.25, role="a")
    return make_record(session.drain(), test="pair-v1", parameters={}, cast={"a": "x", "b": "y"})


def test_rewards_at_the_end_reach_their_roles():
    record = pair_record()
    assert record.rewards(role="a").tolist() == [1.0]
    assert record.rewards(role="b").tolist() == [2.0]
    assert record.rewards().tolist() == [1.0, 2.0]


def test_answers_can_be_had_by_role():
    record = pair_record()
    assert [answer.value for answer in record.of("b")] == [0.5]
    assert record.given(role="a") == {"q": 0.25}
    assert record.of("b")[0].notes == {"thought": "hm"}


def test_seconds_are_known_where_times_were_logged():
    events = [
        Event(1, "ask", "subject", "q", 0, "probability", time=10.0),
        Event(2, "answer", "subject", "q", 0, 0.5, time=12.5),
        Event(3, "ask", "subject", "r", 0, "probability", reward=1.0, time=12.5),
    ]
    record = make_record(events, test="t-v1", parameters={})
    assert record.answers[0].seconds == 2.5
    assert record.answers[1].seconds is None
    assert record.answers[0].reward == 1.0
    assert record.content(1) is None
    assert record.status == "open"


def test_a_single_reward_at_the_end_goes_to_the_only_role():
    events = [
        Event(1, "ask", "subject", "q", 0, "probability"),
        Event(2, "answer", "subject", "q", 0, 0.5),
        Event(3, "end", value={"status": "finished", "outcome": {"reward": 4.0}, "last_words": ""}),
    ]
    assert make_record(events, test="t-v1", parameters={}).rewards().tolist() == [4.0]


def test_an_unknown_reward_is_not_zero():
    record = Record("t-v1", {})
    assert record.rewards().size == 0
    events = [Event(1, "ask", "subject", "q", 0, "probability"), Event(2, "lapse", "subject", "q", 5)]
    record = make_record(events, test="t-v1", parameters={})
    assert np.isnan(record.rewards()).all()
    assert record.counts()["lapsed"] == 1


def test_items_are_floats_with_keys():
    items = Items([1, 0, None], keys=["a", "b", "c"])
    assert items.values.dtype == float
    assert items.keys == ("a", "b", "c")
    assert Scores({"accuracy": items}).details == {}
