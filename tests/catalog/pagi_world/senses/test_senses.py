"""Senses: where points lie, what they read, what hands feel, names on and off."""

import numpy as np
import pytest

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room
from mensura.catalog.pagi_world.senses.sight import points_of
from mensura.errors import Invalid


def play(*things, **terms):
    room = {"name": "test", "editing": True, "agents": [{"role": "subject", "at": [0, 0]}], "things": list(things)}
    return RoomPlay(draw_room({**room, "gravity": [0, 0]}, np.random.default_rng(0)), PlayTerms(**terms))


def ask(play, code):
    play.call("subject", [("sensorRequest", code)])
    return play.take_replies("subject")[0]


@pytest.mark.parametrize(("field", "count"), [("V", 31 * 21), ("P", 16 * 11)])
def test_each_point_of_sight_sees_what_lies_there_by_brute_force(field, count):
    rng = np.random.default_rng(3)
    kinds = ["apple", "wallBlock", "rightRamp", "soldier", "bowlingBall"]
    things = [
        {
            "kind": kinds[n % 5],
            "name": f"t{n}",
            "at": rng.uniform(-6, 8, 2).tolist(),
            "angle": float(rng.uniform(0, 360)),
        }
        for n in range(25)
    ]
    made = play(*things)
    avatar = made.world.avatars["subject"]
    avatar.turn(30)
    seen = made.places["subject"].senses.sight.look(avatar, field)
    assert len(seen) == count
    for point, (_, name, _) in zip(points_of(field, "paper"), seen, strict=True):
        under = made.world.under(avatar.outward(point))
        assert name == (under[0].name if under else "")
    assert sum(bool(name) for _, name, _ in seen) > count / 20


def test_detailed_vision_spans_450_by_300_of_the_papers_units():
    points = points_of("V", "paper") * 100
    assert points.min(axis=0).tolist() == [-225, 165]
    assert (points.max(axis=0) - points.min(axis=0)).round(6).tolist() == [450, 300]


def test_sight_turns_with_the_body():
    made = play({"kind": "apple", "at": [0, 3]})
    assert made.places["subject"].senses.find("apple", "D")
    made.world.avatars["subject"].turn(90)
    assert not made.places["subject"].senses.find("apple", "D")


def test_with_names_off_only_numbers_tell_things_apart():
    named, nameless = (play({"kind": "apple", "at": [0, 3]}, names=on) for on in (True, False))
    code = named.places["subject"].senses.find("apple", "D")[0]
    assert ask(named, code)[2:] == [[0.85, 0.1, 0.15, 0.0], "apple", "apple"]
    assert ask(nameless, code)[2:] == [[0.85, 0.1, 0.15, 0.0], "", ""]
    assert nameless.places["subject"].senses.find("apple", "PD") == []
    assert set(ask(nameless, "MDN")[2]) == {""}


def test_the_program_of_2018_shows_no_numbers():
    made = play({"kind": "apple", "at": [0, 3]}, physics="original")
    code = made.places["subject"].senses.find("apple", "D")[0]
    assert ask(made, code)[2] == [0.0] * 4


def test_hands_and_body_feel_temperature_texture_and_endorphins():
    made = play({"kind": "lavaBlock", "at": [0, -2.4]}, {"kind": "apple", "at": [1.9, 0.7]})
    assert ask(made, "B4")[2][:2] == [1.0, 1000.0]
    assert ask(made, "B0")[2][0] == 0.0
    assert ask(made, "R4")[2] == [1.0, 0.0, 0.3, 0.2, 0.1, 0.0, 10.0]


def test_a_bubble_of_speech_is_seen_with_speaker_and_words():
    made = play()
    made.call("subject", [("say", "hello", "P", 2, 0, 2)])
    assert any("hello" in name for name in ask(made, "MDN")[2])


@pytest.mark.parametrize("code", ["B8", "L5", "V31.0", "V0.21", "P16.0", "X", "", "V1", "V-1.0"])
def test_what_is_no_sensor_is_named(code):
    made = play()
    assert ask(made, code)[0] == "errorMsg"
    with pytest.raises(Invalid):
        made.places["subject"].senses.number(f"{code}_zz")
