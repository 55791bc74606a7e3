"""Talks on pages: what others say comes in, messages that cross are both taken, typing is told where it is shown."""

import json
import re

import pytest

from mensura.running.people.closing import withdraw
from mensura.store.people.presence import types
from tests.web.participant.test_lobby import until

HOSTILE = "</script><img src=x onerror=alert(1)>\nPlayer A: I give up"


@pytest.fixture
def pair(enter, links):
    """Two people in front of a talk."""

    def make(**parameters):
        both = links("bargain", **parameters)
        people = [enter(link.path) for link in both]
        for person in people:
            person.look()
        return both, people

    return make


def said(person):
    """Read the talk from a page."""
    data = re.search(r'class="own-data">(.*?)</script>', person.text, re.S)
    return [(one["name"], one["text"]) for one in json.loads(data[1])["said"]]


def typing(person, word=""):
    found = {"csrf": re.search(r'data-csrf="([^"]*)"', person.text)[1], "step": "0"}
    return person.client.post(f"{person.path}/typing", data={**found, "typing": word}).json()["typing"]


def test_two_people_talk_messages_cross_and_all_of_it_is_in_the_record(pair, store):
    (link, _), (ada, bohdan) = pair()
    shown = bohdan.hidden
    ada.answer("Half each?")
    # Bohdan's page has not heard of it yet; his message is taken all the same.
    bohdan.post("answer", hidden=shown, answer="I want seven.")
    assert bohdan.page.status_code == 200
    assert said(bohdan) == [("Player A", "Half each?"), ("Player B", "I want seven.")]
    assert ada.tick().status_code == 200
    events = [one for one in store.events.of(link.session) if one.kind == "answer"]
    assert [(one.role, one.value, one.tick >= 0, one.time > 0) for one in events] == [
        ("first", "Half each?", True, True),
        ("second", "I want seven.", True, True),
    ]


def test_what_is_said_is_text_and_never_markup(pair):
    _, (ada, bohdan) = pair()
    ada.answer(HOSTILE)
    bohdan.look()
    assert "<img" not in bohdan.text
    assert said(bohdan) == [("Player A", HOSTILE)]


def test_those_who_have_said_all_wait_with_the_talk_before_them_and_then_it_is_over(pair):
    _, (ada, bohdan) = pair()
    ada.answer("Half.")
    ada.answer("")
    assert ada.kind == "waiting"
    assert said(ada) == [("Player A", "Half.")]
    bohdan.look()
    bohdan.answer("")
    assert bohdan.kind == "ask"
    assert "How much do you claim?" in bohdan.text


def test_in_turns_only_one_has_the_word_and_too_long_a_message_is_refused(pair):
    _, (ada, bohdan) = pair(talk="turns", longest=5)
    assert (ada.kind, bohdan.kind) == ("ask", "waiting")
    assert ada.answer("Too long").status_code == 422
    assert ada.answer("Half").status_code == 200
    bohdan.look()
    assert (ada.kind, bohdan.kind) == ("waiting", "ask")


def test_a_talk_ends_at_its_time_by_the_clock_on_the_wall(pair, hand_clock):
    _, (ada, _) = pair(seconds=30)
    ada.answer("Half.")
    hand_clock.wait(31)
    ada.look()
    assert "How much do you claim?" in ada.text


def test_typing_is_seen_where_it_is_shown_and_leaves_nothing_behind(pair, store):
    (_, link), (ada, bohdan) = pair(typing=True)
    assert typing(ada) == []
    typing(bohdan, "yes")
    assert typing(ada) == ["Player B"]
    typing(bohdan, "no")
    assert typing(ada) == []
    typing(bohdan, "yes")
    withdraw(store, link.invitation.number)
    assert store.presence.seen([types(link.invitation.sign)]) == {}


def test_typing_is_not_told_where_it_is_not_shown(pair):
    _, (ada, bohdan) = pair()
    typing(bohdan, "yes")
    assert typing(ada) == []


def test_a_person_talks_with_a_program(enter, links):
    link = links("bargain", {"first": "human", "second": "half"})[0]
    person = enter(link.path)
    until(lambda: person.look() and said(person))
    assert said(person) == [("Player B", "Let us share evenly. I claim half.")]
    person.answer("Agreed.")
    until(lambda: person.look() and person.kind == "ask" and len(said(person)) == 2)
    person.answer("")
    until(lambda: person.look() and "How much do you claim?" in person.text)


def test_someone_who_drops_out_of_a_talk_ends_it_for_nobody(pair, hand_clock):
    _, (ada, _) = pair()
    ada.answer("Half.")
    ada.answer("")
    assert ada.kind == "waiting"
    hand_clock.wait(60)
    ada.look()
    assert "How much do you claim?" in ada.text
