"""Constraints and the assistant's proposals: nothing is done unless it is accepted."""

import pytest


def proposal(*acts, kind="suggest", words="Do this.", labels=None):
    made = [{"call": call, "arguments": arguments} for call, arguments in acts]
    return {"kind": kind, "words": words, "acts": made, "labels": labels or {}, "ranked": []}


def test_constraints_are_entered_and_taken_back(advised, do):
    said = do(advised, "constrain", kind="away", person="Kofi Mensah", slots="2 3.1")
    assert said.ok
    rule = advised.constraints["c-1"]
    assert (rule.kind, rule.person, rule.slots) == ("away", "kofi", (5, 6, 7, 8, 9, 10))
    assert "Kofi Mensah 2 3.1" in said.words
    assert "c-1 already" in do(advised, "constrain", kind="away", person="kofi", slots="2 3.1").words
    assert do(advised, "constrain", kind="building", event="panel", place="Orchard House").ok
    assert do(advised, "unconstrain", constraint="c-1").ok
    assert list(advised.constraints) == ["c-2"]
    assert not do(advised, "unconstrain", constraint="c-1").ok
    do(advised, "constrain", kind="alone", event="keynote")
    assert list(advised.constraints) == ["c-2", "c-3"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "wish"}, "no constraint of kind 'wish'"),
        ({"kind": "away", "person": "kofi"}, "needs slots"),
        ({"kind": "away", "person": "nobody", "slots": "1"}, "no person"),
        ({"kind": "away", "person": "kofi", "slots": "7.1"}, "is no slot"),
        ({"kind": "away", "person": "kofi", "slots": "²"}, "is no slot"),
        ({"kind": "away", "person": "kofi", "slots": "2.²"}, "is no slot"),
        ({"kind": "away", "person": "kofi", "slots": "2."}, "is no slot"),
        ({"kind": "equipment", "event": "panel", "item": "samovar"}, "no equipment"),
        ({"kind": "building", "event": "panel", "place": "auditorium"}, "no building"),
        ({"kind": "room", "event": "panel", "place": "orchard"}, "no room"),
        ({"kind": "before", "event": "panel", "other": "opera"}, "no event"),
    ],
)
def test_constraints_that_say_nothing_are_refused(advised, do, arguments, words):
    said = do(advised, "constrain", **arguments)
    assert not said.ok
    assert words in said.words
    assert advised.constraints == {}


def test_accepting_a_proposal_carries_out_its_parts_as_the_subjects(advised, do):
    do(advised, "suggest", message="m-1")
    acts = [
        ("move", {"event": "dinner", "room": "terrace", "day": 3, "block": 5}),
        ("move", {"event": "keynote", "room": "great", "day": 2, "block": 2}),
        ("edit_entry", {"entry": "site-kofi", "field": "name", "value": "Kofi Mensah"}),
    ]
    said = advised.propose(proposal(*acts), now=20)
    assert said.words.startswith("Proposal p1: Do this.\n1. move(")
    assert advised.place["dinner"] == ("great", 9)
    said = do(advised, "accept", proposal="p1", parts="1, 2")
    assert said.ok
    assert "1 of 2 parts" in said.words
    assert advised.place["dinner"] == ("terrace", 14)
    assert advised.site["site-kofi"]["name"] == "Kofi Mensa"
    do(advised, "accept", proposal="p1")
    assert advised.site["site-kofi"]["name"] == "Kofi Mensah"
    assert advised.proposals["p1"].accepted == [1, 3]
    moved = [each for each in advised.history if each.call == "move"]
    assert [(each.role, each.proposal, each.ok) for each in moved] == [
        ("subject", "p1", True),
        ("subject", "p1", False),
        ("subject", "p1", False),
    ]


def test_proposals_that_are_not_there_and_parts_that_make_no_sense_are_answered(advised, do):
    assert "no proposal 'p9'" in do(advised, "accept", proposal="p9").words
    advised.propose(proposal(("finish", {}), ("fly", {}), ("move", {"event": 3})), now=0)
    assert "no part 4" in do(advised, "accept", proposal="p1", parts="4").words
    assert "no part x" in do(advised, "accept", proposal="p1", parts="x").words
    assert "no part ²" in do(advised, "accept", proposal="p1", parts="1 ²").words
    said = do(advised, "accept", proposal="p1")
    assert not said.ok
    assert "cannot finish" in said.words
    assert "no tool called 'fly'" in said.words
    assert "must be a text" in said.words
    assert not advised.finished


@pytest.mark.parametrize("call", ["optimise", "suggest", "find_room", "accept", "wait", "finish"])
def test_accepting_never_asks_the_assistant_again_waits_or_leaves(advised, do, call):
    advised.propose(proposal((call, {"message": "m-1"})), now=0)
    said = do(advised, "accept", proposal="p1")
    assert not said.ok
    assert f"A proposal cannot {call.replace('_', ' ')}." in said.words


def test_labels_are_stuck_on_mail(advised, do):
    advised.propose(proposal(kind="label", labels={"m-1": ["crisis", "briefing"]}), now=0)
    assert advised.proposals == {}
    assert "Label: crisis, briefing" in do(advised, "read", message="m-1").words
    assert "[crisis, briefing]" in do(advised, "look", page="mail").words


def test_an_assistant_without_an_answer_is_said_so(advised):
    assert not advised.propose(None, now=0).ok


def test_without_an_assistant_nothing_can_be_asked_of_it(office, do):
    said = do(office, "optimise")
    assert not said.ok
    assert office.history[-1].call == "optimise"
