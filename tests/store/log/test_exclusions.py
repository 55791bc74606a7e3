"""Exclusions and the audit trail: ledgers that only grow."""

from collections.abc import Callable

import pytest

from mensura.dialogue import Scores
from mensura.errors import BadParameter, UnknownName
from mensura.store import Store
from mensura.store.log.exclusions import Exclusions, excluded_sessions
from mensura.store.people.trail import Audit


def test_the_latest_decision_counts_and_all_of_them_are_kept(store: Store, begin: Callable[..., str]) -> None:
    session = begin(store, sessions=2)
    begin(store, "coin-10")
    Exclusions(store).decide(session, reason="Fire alarm.", who="Ann", planned=True)
    Exclusions(store).decide("coin-10/0.0.0", reason="Another run.", who="Ann")
    assert excluded_sessions(store, "coin-1") == {session}
    assert excluded_sessions(store, "coin-10") == {"coin-10/0.0.0"}
    Exclusions(store).decide(session, reason="It was a drill.", who="Bob", excluded=False)
    assert excluded_sessions(store, "coin-1") == frozenset()
    assert [(one.who, one.excluded, one.planned) for one in Exclusions(store).ledger("coin-1")] == [
        ("Ann", True, True),
        ("Bob", False, False),
    ]
    assert len(Exclusions(store).ledger()) == 3


def test_an_excluded_session_leaves_the_results_and_comes_back(store: Store, begin: Callable[..., str]) -> None:
    session = begin(store, sessions=2)
    other = session.replace("0.0.0", "0.0.1")
    for one in (session, other):
        store.add_results(one, Scores({"a": 1.0}), scoring="1", instance_hash="i", environment_hash="e")
    Exclusions(store).decide(session, reason="Fire alarm.", who="Ann")
    assert list(store.results("coin-1")) == [other]
    assert [result.session for result in store.latest_results("coin-1")] == [session, other]
    Exclusions(store).decide(session, reason="It was a drill.", who="Ann", excluded=False)
    assert list(store.results("coin-1")) == [session, other]


def test_a_decision_needs_a_reason_and_a_session(lite: Store, begin: Callable[..., str]) -> None:
    session = begin(lite)
    with pytest.raises(BadParameter, match="needs a reason"):
        Exclusions(lite).decide(session, reason="  ", who="Ann")
    with pytest.raises(UnknownName, match="Did you mean"):
        Exclusions(lite).decide(session + "0", reason="x", who="Ann")
    assert Exclusions(lite).ledger() == []


def test_the_trail_shows_the_newest_first_and_turns_pages(lite: Store) -> None:
    for number in range(5):
        Audit(lite).note("Ann", "did", f"thing {number}", count=number)
    lines = Audit(lite).lines(limit=2)
    assert [(line.what, line.details) for line in lines] == [("thing 4", {"count": 4}), ("thing 3", {"count": 3})]
    assert [line.what for line in Audit(lite).lines(limit=2, before=lines[-1].number)] == ["thing 2", "thing 1"]
