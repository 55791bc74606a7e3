"""Invitations: links that nobody can guess, ways that survive retries, and data that go when a person says so."""

import time
from collections.abc import Callable

import pytest
from sqlalchemy import select

from mensura.dialogue import Event, Items, Scores
from mensura.errors import UnknownName
from mensura.store import Store
from mensura.store.log.exclusions import Exclusions
from mensura.store.people.invitations import Draft, Invitations, Step
from mensura.store.people_schema import invitations

STEPS = (Step("consent", text="Do you agree?"), Step("session", session="coin-1/0.0.0"), Step("thanks"))


def test_a_token_opens_its_invitation_and_is_not_stored(store: Store) -> None:
    token, made = Invitations(store).add(STEPS, label="A1", created_by="Ann", details={"condition": "hints"})
    assert len(token) >= 32
    assert Invitations(store).enter(token) == made
    assert made.steps == STEPS
    assert made.details == {"condition": "hints"}
    with store.reading() as connection:
        assert token not in str(connection.execute(select(invitations)).all())
    with pytest.raises(UnknownName, match="not known here"):
        Invitations(store).enter(token[:-1])
    with pytest.raises(UnknownName, match="no invitation 99"):
        Invitations(store).get(99)


def test_many_are_made_at_once_and_listed_in_pages(lite: Store) -> None:
    made = Invitations(lite).add_many([Draft(STEPS, f"A{i}") for i in range(5)], created_by="Ann")
    assert len({token for token, _ in made}) == 5
    assert [one.label for one in Invitations(lite).all()] == ["A0", "A1", "A2", "A3", "A4"]
    first = Invitations(lite).newest(limit=2)
    assert [one.label for one in first] == ["A4", "A3"]
    assert [one.label for one in Invitations(lite).newest(limit=2, before=first[-1].number)] == ["A2", "A1"]


def test_a_step_is_left_once_however_often_it_is_asked(lite: Store) -> None:
    _, made = Invitations(lite).add(STEPS)
    assert made.current.kind == "consent"
    assert Invitations(lite).advance(made.number, from_step=0)
    assert not Invitations(lite).advance(made.number, from_step=0)
    assert Invitations(lite).get(made.number).current.kind == "session"


def test_times_are_noted_the_first_time_only(lite: Store) -> None:
    _, made = Invitations(lite).add(STEPS)
    Invitations(lite).mark(made.number, what="entered")
    first = Invitations(lite).get(made.number).entered
    Invitations(lite).mark(made.number, what="entered")
    assert Invitations(lite).get(made.number).entered == first
    Invitations(lite).mark(made.number, what="finished")
    assert Invitations(lite).get(made.number).status == "finished"


def test_a_closed_link_is_over_at_once(lite: Store) -> None:
    token, made = Invitations(lite).add(STEPS, expires=time.time() + 1000)
    assert not made.expired
    Invitations(lite).close(made.number)
    assert Invitations(lite).enter(token).expired
    with pytest.raises(UnknownName, match="no invitation 77"):
        Invitations(lite).close(77)


def test_withdrawal_erases_what_was_done_and_who_it_was(
    store: Store,
    begin: Callable[..., str],
    turn: Callable[..., list[Event]],
) -> None:
    session = begin(store, sessions=2)
    other = session.replace("0.0.0", "0.0.1")
    for one in (session, other):
        store.append(one, turn(0), truths={"coin0": 1})
        store.add_results(one, Scores({"a": Items([1.0])}), scoring="1", instance_hash="i", environment_hash="e")
    Exclusions(store).decide(session, reason="Fire alarm.", who="Ann")
    _, made = Invitations(store).add(
        STEPS, label="Ms X", details={"study": "s", "subject_number": "10101", "test": "coin"}
    )
    Invitations(store).name(made.number, name="Xenia", contact="x@example.org")
    assert Invitations(store).withdraw(made.number) == [session]
    assert store.events(session) == []
    assert store.truths(session) == {}
    assert list(store.results("coin-1")) == [other]
    assert store.session(session).status == "withdrawn"
    assert Invitations(store).identities() == []
    gone = Invitations(store).get(made.number)
    assert (gone.status, gone.label) == ("withdrawn", "")
    assert gone.details == {"study": "s", "subject_number": "10101"}
    assert Exclusions(store).ledger() == []
    assert len(store.events(other)) == 2
