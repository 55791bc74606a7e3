"""Events: append-only, all or none, never doubled."""

import json
import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event as database_event
from sqlalchemy import func, select

from mensura.dialogue import Ask, Event, Instance, Probability, Save, Session, replay, test
from mensura.errors import Conflict, StoreError
from mensura.store import MemoryJournal, Store
from mensura.store.schema import contents

Begin = Callable[..., str]
Turn = Callable[..., list[Event]]


def test_events_come_back_as_they_were_written(store: Store, begin: Begin, turn: Turn) -> None:
    session = begin(store)
    events = [
        *turn(0, {"z": 1, "a": [True, None, "日本\x00\ud800"]}, nonce="n-1", notes={"followed": True}),
        Event(3, "tell", "subject", "told", 1, None, 0.125, 17, content={"prompt": "ü" * 5000, "space": None}),
        Event(4, "answer", "subject", "big", 2**62, 2**200, float("inf")),
    ]
    store.events.append(session, events, truths={"coin0": {"b": 1, "a": 2}})
    assert store.events.of(session, content=True) == events
    assert list(store.events.of(session)[1].value) == ["z", "a"]
    assert [event.content for event in store.events.of(session)] == [None] * 4
    assert [event.number for event in store.events.of(session, after=2)] == [3, 4]
    assert store.events.last_number(session) == 4
    assert store.truths.of(session) == {"coin0": {"b": 1, "a": 2}}


def test_numpy_values_are_stored_as_the_numbers_they_are(store: Store, begin: Begin) -> None:
    session = begin(store)
    generator = np.random.Generator(np.random.PCG64(3))
    state = generator.bit_generator.state
    value = {"array": np.arange(3), "number": np.float64(0.1), "flag": np.bool_(True), "rng": state}
    store.events.append(session, [Event(1, "save", value=value)], truths={"a": np.int64(4)})
    stored = store.events.of(session)[0].value
    assert stored == {"array": [0, 1, 2], "number": 0.1, "flag": True, "rng": state}
    again = np.random.Generator(np.random.PCG64())
    again.bit_generator.state = stored["rng"]
    assert again.random() == generator.random()
    assert store.truths.of(session) == {"a": 4}


def test_an_unknown_reward_stays_unknown(store: Store, begin: Begin) -> None:
    session = begin(store)
    store.events.append(session, [Event(1, "tell", reward=float("nan")), Event(2, "tell", reward=np.float32(0.5))])
    assert [event.reward for event in store.events.of(session)] == [None, 0.5]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    )
)
def test_every_json_value_survives(lite: Store, begin: Begin, value: Any) -> None:
    session = begin(lite)
    number = lite.events.last_number(session) + 1
    lite.events.append(session, [Event(number, "answer", value=value, content=value)], truths={f"k{number}": value})
    [stored] = lite.events.of(session, content=True, after=number - 1)
    assert json.dumps(stored.value) == json.dumps(value)
    assert json.dumps(stored.content) == json.dumps(value)
    assert json.dumps(lite.truths.of(session)[f"k{number}"]) == json.dumps(value)


def test_a_content_is_stored_once_however_often_it_is_asked(store: Store, begin: Begin, turn: Turn) -> None:
    first, second = begin(store, "a"), begin(store, "b")
    for i in range(9):
        store.events.append(first, turn(i))
        store.events.append(second, turn(i))
    with store.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(contents)).scalar() == 3


def test_a_taken_number_or_nonce_changes_nothing(store: Store, begin: Begin, turn: Turn) -> None:
    session = begin(store)
    store.events.append(session, turn(0, nonce="n-0"), truths={"coin0": 1})
    before = store.events.of(session, content=True)
    clash = [*turn(1), Event(2, "answer", value=0.9)]
    with pytest.raises(Conflict, match="another writer was first"):
        store.events.append(session, clash, truths={"coin1": 1, "coin0": 0})
    with pytest.raises(Conflict, match="retry"):
        store.events.append(session, turn(1, nonce="n-0"), truths={"coin1": 1}, status="finished")
    assert store.events.of(session, content=True) == before
    assert store.truths.of(session) == {"coin0": 1}
    assert store.sessions.find(session).status == "open"
    found = store.events.with_nonce(session, "n-0")
    assert found is not None
    assert (found.number, found.value) == (2, 0.5)
    assert store.events.with_nonce(session, "n-1") is None


def test_the_same_nonce_may_stand_in_two_sessions(store: Store, begin: Begin, turn: Turn) -> None:
    for session in (begin(store, "a"), begin(store, "b")):
        store.events.append(session, turn(0, nonce="n"))
        assert store.events.last_number(session) == 2


def test_a_text_no_database_keeps_is_refused_whole(store: Store, begin: Begin, turn: Turn) -> None:
    session = begin(store)
    with pytest.raises(StoreError, match="Nothing was changed"):
        store.events.append(session, [*turn(0), Event(3, "tell", key="half \ud800")])
    with pytest.raises(StoreError, match="Nothing was changed"):
        store.events.append(session, [*turn(0), Event(3, "tell", tick=2**70)])
    assert store.events.of(session) == []


def test_an_end_ends_the_session_in_the_same_transaction(
    store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]
) -> None:
    session = begin(store)
    store.events.append(session, [*turn(0), ending(3, "crashed", "ouch \ud800\x00")])
    head = store.sessions.find(session)
    assert (head.status, head.ended, head.last_words) == ("crashed", 99.0, "ouch \\ud800\\x00")
    assert store.records.find(session).last_words == "ouch \ud800\x00"


def test_a_session_without_a_trace_is_ended_by_its_status(store: Store, begin: Begin) -> None:
    session = begin(store)
    before = time.time()
    store.events.append(session, [], status="timed_out", last_words="too slow")
    head = store.sessions.find(session)
    assert (head.status, head.last_words) == ("timed_out", "too slow")
    assert head.ended is not None
    assert before <= head.ended <= time.time()


def test_truths_keep_their_history_and_the_latest_counts(store: Store, begin: Begin, turn: Turn) -> None:
    session = begin(store)
    store.events.append(session, turn(0), truths={"rain": None})
    assert store.truths.resolve(session, "rain", 1, source="weather office", time=5.0) == 2
    assert store.truths.resolve(session, "rain", 0, source="weather office, corrected", time=6.0) == 3
    assert store.truths.resolve(session, "snow", 0, source="observer") == 1
    assert store.truths.of(session) == {"rain": 0, "snow": 0}
    history = store.truths.history(session, "rain")
    assert [(truth.version, truth.value, truth.time) for truth in history] == [
        (1, None, None),
        (2, 1, 5.0),
        (3, 0, 6.0),
    ]


def test_a_resume_reads_only_from_the_last_save(store: Store, begin: Begin, turn: Turn) -> None:
    session = begin(store)
    store.events.append(session, turn(0))
    assert [event.number for event in store.events.since_save(session)] == [1, 2]
    store.events.append(session, [Event(3, "save", value={"state": 1}), Event(4, "save", value={"state": 2})])
    store.events.append(session, [Event(5, "ask", content={"prompt": "?"}), Event(6, "answer", value=1)])
    assert [event.number for event in store.events.since_save(session)] == [4, 5, 6]
    assert store.events.since_save(session, content=True)[1].content == {"prompt": "?"}


def test_a_session_resumes_from_the_store_as_if_nothing_had_happened(store: Store, begin: Begin) -> None:
    @test("walk-v1")
    def walk(rng: np.random.Generator, *, saved: Any = None) -> Any:
        for i in range(0 if saved is None else saved["i"], 6):
            yield Ask(f"{i}: {rng.random()}", Probability(), key=f"k{i}", truth=int(rng.integers(2)))
            if i % 2:
                yield Save({"i": i + 1})

    instance = Instance(walk, {}, seed=2**100)
    whole = Session(instance)
    whole.start()
    expected = MemoryJournal()
    while whole.open:
        whole.answer(0.25)
    expected.commit(whole.drain(), whole.drain_truths())
    session_id = begin(store)
    for _ in range(6):
        resumed = replay(instance, store.events.since_save(session_id))
        resumed.answer(0.25)
        store.events.append(session_id, resumed.drain(), truths=resumed.drain_truths())
    assert store.events.of(session_id, content=True) == expected.events
    assert store.truths.of(session_id) == expected.truths
    assert store.sessions.find(session_id).status == "finished"


def test_a_record_loads_prompts_only_when_asked(
    store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]
) -> None:
    session = begin(store)
    for i in range(130):
        store.events.append(session, turn(i, i / 200), truths={f"coin{i}": i % 2})
    store.events.append(session, [ending(261)])
    asked: list[str] = []
    database_event.listen(store.database.engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    record = store.records.find(session)
    assert [answer.value for answer in record.answers] == [i / 200 for i in range(130)]
    assert (record.test, record.status, record.cast) == ("coin-v1", "finished", {"subject": "chance"})
    assert record.answers[0].seconds == 0.5
    assert not any("contents" in statement for statement in asked)
    assert record.content(259)["prompt"] == "Coin 0?"
    assert record.content(3)["prompt"] == "Coin 1?"
    assert record.content(5)["prompt"] == "Coin 2?"
    assert record.content(6) is None
    assert record.content(9999) is None
    assert sum("contents" in statement for statement in asked) == 3


def test_a_record_travels_to_another_process_and_still_finds_its_prompts(
    store: Store, begin: Begin, turn: Turn
) -> None:
    session = begin(store)
    store.events.append(session, turn(1))
    assert pickle.loads(pickle.dumps(store.records.find(session))).content(3)["prompt"] == "Coin 1?"


def test_records_of_a_run_come_in_order_with_their_truths_and_without_prompts(
    store: Store, begin: Begin, turn: Turn
) -> None:
    begin(store, "other")
    begin(store, sessions=230)
    for number in range(229):
        store.events.append(f"coin-1/0.0.{number}", turn(0, number), truths={"coin0": number})
    store.truths.resolve("coin-1/0.0.4", "coin0", "put right", source="us")
    asked: list[str] = []
    database_event.listen(store.database.engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    both = list(store.records.with_truths("last"))
    assert [record.session for record, _ in both] == [f"coin-1/0.0.{number}" for number in range(230)]
    assert [record.given().get("coin0") for record, _ in both] == [*range(229), None]
    assert [truths.get("coin0") for _, truths in both] == [0, 1, 2, 3, "put right", *range(5, 229), None]
    assert [record.session for record in store.records.of("coin-1")] == [record.session for record, _ in both]
    assert not any("contents" in statement for statement in asked)
    assert len(asked) < 30
