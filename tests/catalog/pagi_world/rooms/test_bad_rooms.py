"""Rooms with anything in any place: refused in a sentence, or played."""

import copy
import random

import numpy as np
import pytest

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room, list_rooms
from mensura.errors import MensuraError

JUNK = [None, 5, -1, "x", [], {}, True, float("nan"), 1e300, [1], ["a"], {"a": 1}, "[1/0]", "[x", "", [[]], "removed"]


def places(data, at=()):
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield (*at, key)
        yield from places(part, (*at, key))


def with_junk(room, place, junk):
    changed = copy.deepcopy(room)
    within = changed
    for key in place[:-1]:
        within = within[key]
    if junk == "removed":
        del within[place[-1]]
    else:
        within[place[-1]] = junk
    return changed


@pytest.mark.parametrize("name", list_rooms())
def test_a_room_with_junk_in_it_is_refused_in_a_sentence_or_played(name):
    rng = random.Random(name)
    room = {**find_room(name), "water": {}} if name == "water-diversion" else find_room(name)
    everywhere = list(places(room))
    for _ in range(40):
        described = with_junk(room, rng.choice(everywhere), rng.choice(JUNK))
        try:
            play = RoomPlay(draw_room(described, np.random.default_rng(0)), PlayTerms())
        except MensuraError:
            continue
        play.step()
        play.world.tick = play.limit - 1
        play.step()
        play.result()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"measures": {"m": {"kind": "when"}}}, "needs 'rule'"),
        ({"measures": {"m": {"kind": "answered", "question": "q"}}}, "needs the question 'q'"),
        ({"measures": True}, "measures of a room are an object"),
        ({"foreign": [{"call": ["addForce", "J"]}]}, "A foreign call: from"),
        ({"foreign": [{"from": 0, "to": 1, "call": ["fly"]}]}, "a row of a tool"),
        ({"silenced": ["nobody"]}, "there is no such role"),
        ({"agents": []}, "at least one agent"),
        ({"praises": [{"which": 3}]}, "one of the moves by number"),
        ({"success": {"within": {"eaten": "pear"}}}, "nobody could reach that"),
        ({"success": {"for": [1]}}, "cannot be read"),
        ({"joints": [{"kind": "pivot"}]}, "holds two things"),
        ({"things": [{"kind": "dispenser", "of": "sometimes"}], "success": {"after": 1}}, "extinction_hard"),
        ({"things": [{"kind": "triggerBox", "events": ["ZZ"]}], "success": {"after": 1}}, "events are among"),
    ],
)
def test_what_is_wrong_with_a_room_is_named(changes, words):
    room = {"name": "mine", "things": [{"kind": "apple", "at": [3, 0]}], "success": {"eaten": "apple"}, **changes}
    with pytest.raises(MensuraError, match=words):
        RoomPlay(draw_room(room, np.random.default_rng(0)), PlayTerms())


def test_vision_that_would_be_blind_is_refused():
    from mensura.catalog.pagi_world.dialogue import pagi_world
    from mensura.running.take import take

    with pytest.raises(MensuraError, match="blind"):
        take(pagi_world, "still", seed=1, parameters={"physics": "original", "names": False})


@pytest.mark.parametrize("room", [{"things": 5}, {"joints": [{"kind": "pivot"}]}, {"agents": [{"role": "other"}]}, "x"])
def test_a_room_that_cannot_be_loaded_leaves_the_one_that_is_played(room):
    play = RoomPlay(draw_room(find_room("open"), np.random.default_rng(0)), PlayTerms())
    plan, before = play.plan, set(play.world.by_name)
    play.call("subject", [("loadTask", "bad", room)])
    assert play.take_replies("subject")[0][0] == "errorMsg"
    assert play.plan is plan
    assert set(play.world.by_name) == before
