"""Exclusions and the audit trail: ledgers that only grow."""

from collections.abc import Callable

import pytest

from mensura.dialogue import Scores
from mensura.errors import BadParameter, UnknownName
from mensura.store import Store


def test_the_latest_decision_counts_and_all_of_them_are_kept(store: Store, begin: Callable[..., str]) -> None:
    session = begin(store, sessions=2)
    begin(store, "coin-10")
    store.exclusions.decide(session, reason="Fire alarm.", who="Ann", planned=True)
    store.exclusions.decide("coin-10/0.0.0", reason="Another run.", who="Ann")
    assert store.exclusions.excluded("coin-1").keys() == {session}
    assert store.exclusions.excluded("coin-10").keys() == {"coin-10/0.0.0"}
    store.exclusions.decide(session, reason="It was a drill.", who="Bob", excluded=False)
    assert store.exclusions.excluded("coin-1") == {}
    assert [(one.who, one.excluded, one.planned) for one in store.exclusions.ledger("coin-1")] == [
        ("Ann", True, True),
        ("Bob", False, False),
    ]
    assert len(store.exclusions.ledger()) == 3


def test_an_excluded_session_leaves_the_results_and_comes_back(store: Store, begin: Callable[..., str]) -> None:
    session = begin(store, sessions=2)
    other = session.replace("0.0.0", "0.0.1")
    for one in (session, other):
        store.results.add(one, Scores({"a": 1.0}), scoring="1", instance_hash="i", environment_hash="e")
    store.exclusions.decide(session, reason="Fire alarm.", who="Ann")
    assert list(store.results.of("coin-1")) == [other]
    assert [result.session for result in store.results.latest("coin-1")] == [session, other]
    store.exclusions.decide(session, reason="It was a drill.", who="Ann", excluded=False)
    assert list(store.results.of("coin-1")) == [session, other]


def test_a_decision_needs_a_reason_and_a_session(lite: Store, begin: Callable[..., str]) -> None:
    session = begin(lite)
    with pytest.raises(BadParameter, match="needs a reason"):
        lite.exclusions.decide(session, reason="  ", who="Ann")
    with pytest.raises(UnknownName, match="Did you mean"):
        lite.exclusions.decide(session + "0", reason="x", who="Ann")
    assert lite.exclusions.ledger() == []


def test_the_trail_shows_the_newest_first_and_turns_pages(lite: Store) -> None:
    for number in range(5):
        lite.trail.note("Ann", "did", f"thing {number}", count=number)
    lines = lite.trail.lines(limit=2)
    assert [(line.what, line.details) for line in lines] == [("thing 4", {"count": 4}), ("thing 3", {"count": 3})]
    assert [line.what for line in lite.trail.lines(limit=2, before=lines[-1].number)] == ["thing 2", "thing 1"]
