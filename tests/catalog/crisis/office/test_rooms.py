"""Asking for rooms: owners answer by mail after a while, always alike; an owner who is asked counts as a bump."""

import pytest

from mensura.catalog.crisis.office.acts.rooms import NO, YES, _spoken
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.settings import CONDITIONS, DELAYS
from mensura.catalog.crisis.world.campus.holding import PURPOSES


def test_an_owner_who_yields_gives_the_room_up_by_mail(office, do):
    said = do(office, "ask_room", room="auditorium", day=2, block=1, now=10)
    assert said.ok
    assert "Ines Valdez" in said.words
    assert not do(office, "move", event="keynote", room="auditorium", day=2, block=1).ok
    (bump,) = office.bumps
    assert DELAYS["owner"] <= bump.due - 10 <= DELAYS["owner"] + DELAYS["owner_spread"]
    office.arrive(bump.due - 1)
    assert bump.answer is None
    assert ("auditorium", 5) not in office.granted
    office.arrive(bump.due)
    assert bump.answer is True
    letter = office.mailbox["r-1"]
    assert (letter.sender, letter.tick) == ("ines", bump.due)
    assert do(office, "move", event="keynote", room="auditorium", day=2, block=1).ok


def test_an_owner_who_does_not_yield_says_no(office, do):
    do(office, "ask_room", room="auditorium", day=2, block=3)
    office.arrive(5000)
    assert office.bumps[0].answer is False
    assert office.granted == set()
    assert not do(office, "move", event="keynote", room="auditorium", day=2, block=3).ok


@pytest.mark.parametrize(
    ("room", "day", "block", "words"),
    [
        ("terrace", 1, 1, "is free"),
        ("great", 2, 1, "nobody to ask"),
        ("auditorium", 2, 5, "closed"),
        ("store", 1, 1, "not let"),
        ("auditorium", 1, 1, "the conference has it"),
        ("attic", 1, 1, "no room"),
        ("terrace", 9, 1, "no day 9"),
    ],
)
def test_asking_in_vain_reaches_nobody_and_is_no_bump(office, do, room, day, block, words):
    said = do(office, "ask_room", room=room, day=day, block=block)
    assert not said.ok
    assert words in said.words
    assert office.bumps == []
    assert len(office.history) == 1


def test_asking_again_is_answered_by_what_is_known(office, do):
    do(office, "ask_room", room="auditorium", day=2, block=1)
    assert "not answered yet" in do(office, "ask_room", room="auditorium", day=2, block=1).words
    office.arrive(5000)
    assert "has given it up" in do(office, "ask_room", room="auditorium", day=2, block=1).words
    do(office, "ask_room", room="auditorium", day=2, block=3)
    office.arrive(9000)
    assert "has said no" in do(office, "ask_room", room="auditorium", day=2, block=3).words
    assert len(office.bumps) == 2


def test_the_same_owner_takes_the_same_time_in_every_session(small, do):
    dues = set()
    for _ in range(3):
        office = OfficeState(small, tools=CONDITIONS["agent"].tools)
        do(office, "ask_room", room="auditorium", day=2, block=1)
        dues.add(office.bumps[0].due)
    assert len(dues) == 1


def test_owners_speak_of_what_they_hold_in_a_sentence():
    purposes = {
        purpose: f"the {purpose[0].lower()}{purpose[1:]}" for _, those in PURPOSES.values() for purpose in those
    }
    for purpose, spoken in purposes.items():
        assert not set(purpose) & set(",:")
        for text in (*YES, *NO):
            words = text.format(name="Finch Room", when="Monday", purpose=_spoken(purpose))
            assert spoken in words or "{purpose}" not in text
            assert purpose not in words
