"""Exchanges: each question once, with all that its answers cost, in one query."""

import math

from mensura.dialogue import Event


def asked(number, key, **more):
    content = {"prompt": f"What of {key}?", "space": {"kind": "number"}}
    return Event(number, "ask", "subject", key, 0, "number", content=content, time=100.0 + number, **more)


def told(number, kind, key, value=None, **notes):
    return Event(number, kind, "subject", key, 0, value, notes=notes or None, time=100.0 + number)


def test_a_question_is_one_exchange_with_the_tries_that_were_not_valid(store, begin):
    session = begin(store)
    events = [
        asked(1, "a"),
        told(2, "invalid", "a", "many", tokens_in=10, tokens_out=5, cost=0.5, seconds=1.0),
        told(3, "answer", "a", 4.0, tokens_in=20, tokens_out=5, cost=0.25, seconds=2.0),
        asked(4, "b"),
        told(5, "refuse", "b", tokens_in=7, tokens_out=None, cost=float("nan")),
        asked(6, "c"),
    ]
    store.events.append(session, events, status="crashed")
    a, b, c = store.exchanges.of("coin-1")
    assert (a.key, a.closed, a.tokens_in, a.tokens_out, a.cost, a.seconds) == ("a", "answer", 30.0, 10.0, 0.75, 3.0)
    assert (b.closed, b.tokens_in, b.seconds) == ("refuse", 7.0, 1.0)
    assert math.isnan(b.tokens_out), "unknown is not zero"
    assert math.isnan(b.cost)
    assert (c.closed, c.status) == ("", "crashed")
    assert math.isnan(c.seconds)
    bodies = store.exchanges.bodies([a.content, b.content, ""])
    assert [bodies[one.content]["prompt"] for one in (a, b)] == ["What of a?", "What of b?"]


def test_open_sessions_have_no_exchanges_and_one_that_asked_nothing_has_one(store, begin):
    first = begin(store, sessions=2)
    second = first.replace("0.0.0", "0.0.1")
    store.events.append(first, [asked(1, "a")])
    assert list(store.exchanges.of("coin-1")) == []
    store.sessions.end(second, status="lost")
    (lost,) = store.exchanges.of("coin-1")
    assert (lost.session, lost.key, lost.content, lost.status) == (second, "", "", "lost")


def test_only_answers_that_were_all_looked_up_are_cached(store, begin):
    session = begin(store)
    events = [
        asked(1, "a"),
        told(2, "answer", "a", 1.0, cached=True),
        asked(3, "b"),
        told(4, "invalid", "b", "x", tokens_in=1),
        told(5, "answer", "b", 1.0, cached=True),
    ]
    store.events.append(session, events, status="finished")
    assert [one.cached for one in store.exchanges.of("coin-1")] == [True, False]


def test_logs_are_the_events_of_the_questions_that_are_named(store, begin):
    session = begin(store)
    store.events.append(
        session, [asked(1, "a"), told(2, "answer", "a", 1.0), asked(3, "b"), told(4, "answer", "b", 2.0)]
    )
    logs = store.exchanges.logs([(session, "b"), (session, "z")])
    assert [(event.kind, event.key) for event in logs[session, "b"]] == [("ask", "b"), ("answer", "b")]
    assert logs[session, "b"][0].content["prompt"] == "What of b?"
    assert logs[session, "z"] == []
