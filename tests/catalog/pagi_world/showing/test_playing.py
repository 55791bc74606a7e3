"""What the page of a person in a room is drawn with, and how many ticks an answer may cover."""

import json

import numpy as np

from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.percepts import Percepts
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room
from mensura.dialogue import Instance, Session
from mensura.dialogue.prompts.base import prompt_data


def begun(room, **terms):
    return RoomPlay(draw_room(find_room(room), np.random.default_rng(1)), PlayTerms(**terms))


def shown(play, role="subject"):
    return json.loads(json.dumps(prompt_data(Percepts(0, [], play=play, role=role), page=True)))


def test_who_plays_by_senses_is_sent_nothing_else():
    full, narrow = shown(begun("jump-the-gap")), shown(begun("jump-the-gap", view="senses"))
    assert {"lava", "apple"} <= {thing["name"] for thing in full["scene"]["things"]}
    # The lava lies below all that the body sees.
    assert narrow["scene"] == {"things": [], "agents": full["scene"]["agents"]}
    assert narrow["look"]["kinds"] == {}
    assert "lava" not in json.dumps({key: narrow[key] for key in narrow if key not in ("words", "instructions")})
    assert narrow["senses"] == full["senses"]


def test_senses_on_a_page_are_those_of_the_sensors():
    play = begun("conditioning")
    senses = play.places["subject"].senses
    field = shown(play)["senses"]["fields"]["P"]
    for x, y in ((0, 0), (7, 3), (15, 10)):
        kind, name, visual = senses.see(f"P{x}.{y}")
        assert field["seen"][field["points"][x * 11 + y]] == [kind, name, list(visual)]
    nameless = shown(begun("conditioning", names=False))["senses"]["fields"]["P"]
    assert {seen[0] + seen[1] for seen in nameless["seen"]} == {""}


def test_neither_truths_nor_draws_reach_the_page():
    play = begun("hijack")
    text = json.dumps(shown(play))
    assert shown(play)["questions"][0].keys() == {"key", "text", "options", "given"}
    assert "foreign" not in text
    assert "drawn" not in text


def test_what_is_logged_and_pickled_is_as_before():
    import pickle

    percepts = Percepts(3, [["heard", "a", "b"]], play=begun("open"), role="subject")
    assert percepts.data() == {"kind": "percepts", "tick": 3, "replies": [["heard", "a", "b"]]}
    assert pickle.loads(pickle.dumps(percepts)).play is None


def test_calls_after_a_step_are_done_after_its_ticks():
    def place_after(*answers):
        session = Session(Instance(pagi_world, pagi_world.fill({"room": "open"}), 1))
        session.start()
        for rows in answers:
            session.answer(rows, role="subject", number=session.asked["subject"])
        return session.open["subject"].prompt

    push = ("addForce", "BMH", 500)
    apart = [[push], [("step", 1)]] * 3
    at_once = [[push, ("step", 1)] * 3]
    look = [[("sensorRequest", "BP"), ("sensorRequest", "S")]]
    one, other = place_after(*apart, *look), place_after(*at_once, *look)
    assert one.tick == other.tick == 3
    assert one.of("sensor") == other.of("sensor")
    # Three pushes in one tick lead elsewhere.
    assert place_after([push, push, push, ("step", 3)], *look).of("sensor") != one.of("sensor")


def test_calls_that_wait_are_kept_across_a_save():
    from mensura.catalog.pagi_world.dialogue import Owed

    play = begun("open")
    owed = Owed.of(["subject"])
    owed.take(play, "subject", [("step", 2), ("print", "later"), ("step", 1)])
    assert (owed.ticks["subject"], owed.rest["subject"]) == (2, [("print", "later"), ("step", 1)])
    kept = json.loads(json.dumps({"owed": owed.ticks, "rest": owed.rest}))
    again = Owed(kept["owed"], kept["rest"])
    again.take(play, "subject", again.rest["subject"])
    assert play.console[-1][2] == "later"
    assert again.ticks["subject"] == 1
