"""Invitations: links that nobody can guess, ways that survive retries, and data that go when a person says so."""

import time
from collections.abc import Callable

import pytest
from sqlalchemy import select

from mensura.dialogue import Event, Items, Scores
from mensura.errors import UnknownName
from mensura.store import Store
from mensura.store.people.invitations import Draft, Step
from mensura.store.schema import invitations

STEPS = (Step("consent", text="Do you agree?"), Step("session", session="coin-1/0.0.0"), Step("thanks"))


def test_a_token_opens_its_invitation_and_is_not_stored(store: Store) -> None:
    token, made = store.invitations.add(STEPS, label="A1", created_by="Ann", details={"condition": "hints"})
    assert len(token) >= 32
    assert store.invitations.enter(token) == made
    assert made.steps == STEPS
    assert made.details == {"condition": "hints"}
    with store.database.reading() as connection:
        assert token not in str(connection.execute(select(invitations)).all())
    with pytest.raises(UnknownName, match="not known here"):
        store.invitations.enter(token[:-1])
    with pytest.raises(UnknownName, match="no invitation 99"):
        store.invitations.get(99)


def test_many_are_made_at_once_and_listed_in_pages(lite: Store) -> None:
    made = lite.invitations.add_many([Draft(STEPS, f"A{i}") for i in range(5)], created_by="Ann")
    assert len({token for token, _ in made}) == 5
    assert [one.label for one in lite.invitations.all()] == ["A0", "A1", "A2", "A3", "A4"]
    first = lite.invitations.newest(limit=2)
    assert [one.label for one in first] == ["A4", "A3"]
    assert [one.label for one in lite.invitations.newest(limit=2, before=first[-1].number)] == ["A2", "A1"]


def test_a_step_is_left_once_however_often_it_is_asked(lite: Store) -> None:
    _, made = lite.invitations.add(STEPS)
    assert made.current.kind == "consent"
    assert lite.invitations.advance(made.number, from_step=0)
    assert not lite.invitations.advance(made.number, from_step=0)
    assert lite.invitations.get(made.number).current.kind == "session"


def test_times_are_noted_the_first_time_only(lite: Store) -> None:
    _, made = lite.invitations.add(STEPS)
    lite.invitations.mark(made.number, what="entered")
    first = lite.invitations.get(made.number).entered
    lite.invitations.mark(made.number, what="entered")
    assert lite.invitations.get(made.number).entered == first
    lite.invitations.mark(made.number, what="finished")
    assert lite.invitations.get(made.number).status == "finished"


def test_a_closed_link_is_over_at_once(lite: Store) -> None:
    token, made = lite.invitations.add(STEPS, expires=time.time() + 1000)
    assert not made.expired
    lite.invitations.close(made.number)
    assert lite.invitations.enter(token).expired
    with pytest.raises(UnknownName, match="no invitation 77"):
        lite.invitations.close(77)


def test_withdrawal_erases_what_was_done_and_who_it_was(
    store: Store,
    begin: Callable[..., str],
    turn: Callable[..., list[Event]],
) -> None:
    session = begin(store, sessions=2)
    other = session.replace("0.0.0", "0.0.1")
    for one in (session, other):
        store.events.append(one, turn(0), truths={"coin0": 1})
        store.results.add(one, Scores({"a": Items([1.0])}), scoring="1", instance_hash="i", environment_hash="e")
    store.exclusions.decide(session, reason="Fire alarm.", who="Ann")
    _, made = store.invitations.add(
        STEPS, label="Ms X", details={"study": "s", "subject_number": "10101", "test": "coin"}
    )
    store.invitations.name(made.number, name="Xenia", contact="x@example.org")
    assert store.invitations.withdraw(made.number) == [session]
    assert store.events.of(session) == []
    assert store.truths.of(session) == {}
    assert list(store.results.of("coin-1")) == [other]
    assert store.sessions.find(session).status == "withdrawn"
    assert store.invitations.identities() == []
    gone = store.invitations.get(made.number)
    assert (gone.status, gone.label) == ("withdrawn", "")
    assert gone.details == {"study": "s", "subject_number": "10101"}
    assert store.exclusions.ledger() == []
    assert len(store.events.of(other)) == 2
