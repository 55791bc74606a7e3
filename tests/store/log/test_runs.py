"""Runs, and the ways to name one."""

from collections.abc import Callable

import pytest

from mensura.dialogue import Address
from mensura.errors import Conflict, UnknownName
from mensura.store import RunHead, SessionHead, Store

Begin = Callable[..., str]


def test_a_run_comes_back_as_it_was_written(store: Store, run_head: Callable[..., RunHead]) -> None:
    head = run_head(parameters={"z": 1, "a": [1.5, None, "ü"]}, details={"course": {"phases": [1, 2]}})
    store.runs.add(head)
    assert store.runs.find(head.id) == head
    assert list(store.runs.find(head.id).parameters) == ["z", "a"]


def test_a_run_written_twice_is_there_once_and_another_under_its_id_is_refused(
    store: Store, run_head: Callable[..., RunHead]
) -> None:
    store.runs.add(run_head())
    store.runs.add(run_head())
    with pytest.raises(Conflict, match="another run called 'coin-1'"):
        store.runs.add(run_head(seed=7))
    assert store.runs.all() == [run_head()]


def test_runs_are_named_by_id_by_its_beginning_and_from_the_last(
    store: Store, run_head: Callable[..., RunHead]
) -> None:
    for number, name in enumerate(["coin-aa1", "coin-ab2", "inbox-%"]):
        store.runs.add(run_head(name, created=float(number)))
    assert store.runs.find("last").id == store.runs.find("last~0").id == "inbox-%"
    assert store.runs.find("last~2").id == "coin-aa1"
    assert store.runs.find("coin-ab").id == "coin-ab2"
    with pytest.raises(UnknownName, match=r"Several runs begin with 'coin-a' \(coin-aa1, coin-ab2"):
        store.runs.find("coin-a")
    with pytest.raises(UnknownName, match="holds 3 runs"):
        store.runs.find("last~3")
    with pytest.raises(UnknownName, match=r"Did you mean coin-ab2"):
        store.runs.find("coin-xb2")
    for pattern in ("", "%", "coin%", "_"):
        with pytest.raises(UnknownName):
            store.runs.find(pattern)


def test_a_full_id_wins_over_longer_ones_that_begin_with_it(store: Store, run_head: Callable[..., RunHead]) -> None:
    store.runs.add(run_head("coin"))
    store.runs.add(run_head("coin-2"))
    assert store.runs.find("coin").id == "coin"


def test_runs_are_listed_newest_last_and_a_limit_keeps_the_newest(
    store: Store, run_head: Callable[..., RunHead]
) -> None:
    for name, created in [("b", 2.0), ("a", 1.0), ("c", 3.0)]:
        store.runs.add(run_head(name, created=created, test="inbox-v1" if name == "a" else "coin-v1"))
    assert [run.id for run in store.runs.all()] == ["a", "b", "c"]
    assert [run.id for run in store.runs.all(limit=2)] == ["b", "c"]
    assert [run.id for run in store.runs.all("inbox-v1")] == ["a"]


def test_sessions_are_listed_by_address_and_counted_by_status(store: Store, begin: Begin) -> None:
    begin(store, "a", sessions=3)
    begin(store, "b", sessions=1)
    store.sessions.add(SessionHead("a/early", "a", Address(phase=-1), {}))
    store.sessions.end("a/0.0.1", status="crashed", last_words="no\x00!")
    assert [session.id for session in store.sessions.of("a")] == ["a/early", "a/0.0.0", "a/0.0.1", "a/0.0.2"]
    assert store.sessions.find("a/0.0.1").status == "crashed"
    assert store.sessions.find("a/0.0.1").last_words == "no\\x00!"
    assert store.sessions.counts() == {"a": {"open": 3, "crashed": 1}, "b": {"open": 1}}
    assert store.sessions.count("a") == {"open": 3, "crashed": 1}
    assert store.sessions.count("none") == {}


def test_a_session_written_twice_is_there_once_and_another_under_its_id_is_refused(store: Store, begin: Begin) -> None:
    first = begin(store, "a")
    begin(store, "b")
    store.sessions.end(first, status="finished")
    store.sessions.add(SessionHead(first, "a", Address(), {"subject": "chance"}))
    assert store.sessions.find(first).status == "finished"
    with pytest.raises(Conflict, match="another session"):
        store.sessions.add_many(
            [SessionHead("a/new", "a", Address(session=9), {}), SessionHead(first, "b", Address(), {})]
        )
    assert [session.id for session in store.sessions.of("a")] == [first]


def test_sessions_of_unknown_runs_and_unknown_sessions_are_told(store: Store, begin: Begin) -> None:
    begin(store, "coin-1")
    with pytest.raises(UnknownName, match="no run called 'cion-1'"):
        store.sessions.add(SessionHead("x", "cion-1", Address(), {}))
    with pytest.raises(UnknownName, match=r"no session called 'coin-1/0.0.00'. Did you mean coin-1/0.0.0"):
        store.events.of("coin-1/0.0.00")
