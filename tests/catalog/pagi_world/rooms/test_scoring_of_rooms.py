"""What rooms score beyond success: closing questions, who was healed, what was explored, extinction, silence."""

import numpy as np
import pytest

from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room
from mensura.catalog.pagi_world.scoring import score
from mensura.catalog.pagi_world.world.behaviour import dispensed
from mensura.running.take import take


def drawn(room, seed=0, **terms):
    return RoomPlay(draw_room(find_room(room), np.random.default_rng(seed)), PlayTerms(**terms))


def hijacked(wanted):
    return next(play for seed in range(20) if (play := drawn("hijack", seed)).plan.drawn["hijacked"] == wanted)


def finish(play):
    while not play.over:
        play.step()
    return play.result()["measures"]


def test_hijack_asks_from_which_tick_commands_were_not_ones_own():
    play = hijacked(1)
    before = 0.0
    while play.world.avatars["subject"].body.velocity.x <= before:
        onset = play.world.tick
        play.step()
    play.call("subject", [("answerQuestion", "mine", "no"), ("answerQuestion", "since", onset + 12)])
    assert finish(play) == {"hit": 1.0, "false_alarm": None, "onset": 12.0}


def test_hijack_counts_a_false_alarm_apart_and_no_onset_where_nothing_was_foreign():
    play = hijacked(0)
    play.call("subject", [("answerQuestion", "mine", "no"), ("answerQuestion", "since", 100)])
    assert finish(play) == {"hit": None, "false_alarm": 1.0, "onset": None}


def test_the_reasoner_names_the_tick_of_the_first_foreign_command():
    pytest.importorskip("z3", reason='reasoners need z3: pip install "mensura[reasoning]"')
    taken = [take(pagi_world, "reasoner", seed=seed, parameters={"room": "hijack"}) for seed in (2, 3)]
    assert [one.truths["result"]["measures"]["onset"] for one in taken] == [0.0, 0.0]


def test_who_decides_nothing_among_soldiers_has_no_time_of_deciding():
    taken = take(pagi_world, "still", seed=1, parameters={"room": "two-soldiers"})
    values = score(taken.record, taken.truths).values
    assert np.isnan(values["deciding"].values[0])
    assert [values[name].values[0] for name in ("undecided", "left", "right")] == [1.0, 0.0, 0.0]


def test_both_sentences_in_one_tick_do_not_solve_three_pills_since_nobody_has_heard_itself_yet():
    sentences = ["I don't know", "I was not given the dumbing pill"]
    for apart, solved in ((0, None), (1, True)):
        play = drawn("three-pills")
        able = play.plan.drawn["able"]
        for words in sentences:
            play.call(able, [("say", words, None, None, None, None)])
            for _ in range(apart):
                play.step()
        play.step()
        assert play.succeeded is solved


def test_who_is_silenced_is_neither_heard_nor_seen_to_speak_in_any_name():
    play = drawn("three-pills")
    mute = play.plan.silenced[0]
    play.call(mute, [("say", "me", speaker, 5, 0, 3) for speaker in ("P", "N", "floor")])
    play.step()
    assert play.bubbles == []
    assert not play.spoken
    assert not any(reply[0] == "heard" for role in "abc" for reply in play.take_replies(role))


def test_open_counts_the_fields_that_were_explored():
    play = drawn("open")
    body = play.world.avatars["subject"].body
    for x in (0.5, 1.5, 2.5, 0.7):
        body.position = (x, -5)
        play.step()
    assert play.result()["measures"] == {"explored": 2.0}


def test_extinction_begins_at_a_draw_and_grips_after_it_are_counted():
    pays = {drawn("conditioning", seed).plan.drawn["pays"] for seed in range(30)}
    assert pays == {3, 4, 5, 6}
    assert [dispensed("extinction_soft", n, pays=2) for n in range(4)] == ["apple", "apple", "", ""]
    play = drawn("conditioning")
    dispenser = play.world.find("dispenser")
    dispenser.memory["given"] = play.plan.drawn["pays"] + 2
    assert finish(play)["extinction"] == 2.0


def test_what_a_dispenser_gives_by_chance_differs_from_session_to_session_and_is_an_apple_in_five():
    given = [[dispensed("good_rand", count, (seed, 1)) for count in range(50)] for seed in range(40)]
    assert len({tuple(one) for one in given}) > 30
    every = [one for given_once in given for one in given_once]
    assert set(every) == {"apple", ""}
    # 2000 draws: 3.3 standard errors.
    assert every.count("apple") / len(every) == pytest.approx(0.2, abs=0.03)
    rooms = {draw_room(find_room("conditioning"), np.random.default_rng(seed)).chance for seed in range(5)}
    assert len(rooms) == 5


def test_a_drawn_room_keeps_questions_measures_and_what_is_foreign_when_it_is_written():
    play = hijacked(1)
    again = draw_room(play.as_room(), np.random.default_rng(5))
    for part in ("questions", "foreign", "measures", "success", "failure", "instructions"):
        assert getattr(again, part) == getattr(play.plan, part)


def test_a_reset_lets_no_call_of_before_come_late_and_keeps_what_is_left_of_states():
    play = drawn("open", latency=500)
    play.places["subject"].automaton.set_state("awake", 1000, 0, play.rate)
    for _ in range(40):
        play.step()
    play.call("subject", [("addForce", "BMH", 5000)])
    play.reset()
    for _ in range(19):
        play.step()
        assert play.world.avatars["subject"].body.velocity.x == 0
    assert "awake" in play.places["subject"].automaton.states
    play.step()
    play.step()
    assert "awake" not in play.places["subject"].automaton.states
