"""Reflexes and states: automata on the side of the room, at a bounded cost."""

import numpy as np
import pytest

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room


def play(**terms):
    return RoomPlay(draw_room(find_room("open"), np.random.default_rng(0)), PlayTerms(**terms))


def set_reflex(made, name, conditions, *actions):
    made.call("subject", [("setReflex", name, conditions, list(actions))])
    return made.take_replies("subject")


def states(made):
    return set(made.places["subject"].automaton.states)


def test_two_automata_go_through_their_states_side_by_side():
    made = play(reports=False)
    made.call("subject", [("setState", "a0", -1), ("setState", "b0", -1)])
    for name, count in (("a", 2), ("b", 3)):
        for n in range(count):
            move = [("setState", f"{name}{n}", 0), ("setState", f"{name}{(n + 1) % count}", -1)]
            set_reflex(made, f"{name}{n}", f"{name}{n}", *move)
    seen = []
    for _ in range(6):
        made.step()
        seen.append(tuple(sorted(states(made))))
    assert seen == [("a1", "b1"), ("a0", "b2"), ("a1", "b0"), ("a0", "b1"), ("a1", "b2"), ("a0", "b0")]


def test_no_reflex_sets_off_another_within_a_step():
    made = play(reports=False)
    for n in range(50):
        set_reflex(made, f"r{n}", f"s{n}", ("setState", f"s{n + 1}", -1))
    made.call("subject", [("setState", "s0", -1)])
    made.step()
    assert states(made) == {"s0", "s1"}
    assert made.world.avatars["subject"].firings == 1


def test_conditions_compare_arithmetic_of_sensors_on_both_sides():
    made = play(reports=False)
    set_reflex(made, "fast", "Sx}[2*Sy];BPx-1<BPx", ("setState", "fast", -1))
    made.world.avatars["subject"].body.velocity = (1.0, 0.6)
    made.step()
    assert "fast" not in states(made)
    made.world.avatars["subject"].body.velocity = (1.3, 0.6)
    made.step()
    assert "fast" in states(made)


def test_a_state_fades_after_its_time_and_not_before():
    made = play()
    made.call("subject", [("setState", "short", 100)])
    for _ in range(6):
        assert "short" in states(made)
        made.step()
    made.step()
    assert "short" not in states(made)


@pytest.mark.parametrize(
    "action", [("setReflex", "b", "", []), ("step", 5), ("reset",), ("fly",), ("addForce", "XX", 1)]
)
def test_a_reflex_does_nothing_that_has_no_bound(action):
    assert set_reflex(play(), "a", "", action)[0][0] == "errorMsg"


def test_what_cannot_be_computed_is_said_once():
    made = play()
    set_reflex(made, "bad", "[1/(Sx-Sx)]>0", ("addForce", "J", None))
    for _ in range(5):
        made.step()
    assert [reply[0] for reply in made.take_replies("subject")] == ["errorMsg"]


def test_latency_delays_calls_and_not_reflexes():
    made = play(latency=100, reports=False)
    set_reflex(made, "jump", "go", ("addForce", "BMH", 5000))
    for _ in range(8):
        made.step()
    made.call("subject", [("addForce", "LHH", 50)])
    hand = made.world.avatars["subject"].hands[0]
    for _ in range(6):
        made.step()
        assert abs(hand.velocity.x) < 1e-9
    made.step()
    assert hand.velocity.x > 0.5
    made.places["subject"].automaton.states["go"] = -1
    made.step()
    assert made.world.avatars["subject"].firings == 1
