"""The planner's tables begin with what was assumed, and say what they are told."""

import pytest


def test_the_tables_begin_with_what_was_assumed(office):
    assert office.facts.capacity["auditorium", "theatre"] == 150
    assert office.facts.equipment["l12"] == ("projector", "screen", "whiteboard")
    assert office.facts.attendance["keynote"] == 150
    assert office.facts.attendance["panel"] == 50


def test_facts_are_corrected(office, do):
    assert do(office, "set_room_fact", room="auditorium", fact="capacity.theatre", value="180").ok
    assert do(office, "set_room_fact", room="l12", fact="equipment", value="screen, whiteboard").ok
    assert do(office, "set_room_fact", room="l12", fact="capacity.boardroom", value="0").ok
    assert do(office, "set_event_fact", event="keynote", fact="attendance", value="170").ok
    assert do(office, "set_event_fact", event="board", fact="needs", value="projector and screen").ok
    assert do(office, "set_event_fact", event="board", fact="layout", value="Classroom").ok
    assert do(office, "set_event_fact", event="board", fact="catering", value="12").ok
    facts = office.facts
    assert facts.capacity["auditorium", "theatre"] == 180
    assert ("l12", "boardroom") not in facts.capacity
    assert facts.equipment["l12"] == ("screen", "whiteboard")
    assert (facts.attendance["keynote"], facts.needs["board"]) == (170, ("projector", "screen"))
    assert (facts.layout["board"], facts.catering["board"]) == ("classroom", 12)


@pytest.mark.parametrize(
    ("call", "arguments", "words"),
    [
        ("set_room_fact", {"room": "attic", "fact": "equipment", "value": "screen"}, "no room"),
        ("set_room_fact", {"room": "l12", "fact": "colour", "value": "red"}, "no column 'colour'"),
        ("set_room_fact", {"room": "l12", "fact": "capacity.swimming", "value": "3"}, "no column"),
        ("set_room_fact", {"room": "l12", "fact": "capacity.theatre", "value": "many"}, "whole number"),
        ("set_room_fact", {"room": "l12", "fact": "equipment", "value": "samovar"}, "no equipment 'samovar'"),
        ("set_room_fact", {"room": "l12", "fact": "lost", "value": "9.1"}, "9.1 is no slot"),
        ("set_event_fact", {"event": "opera", "fact": "needs", "value": "screen"}, "no event"),
        ("set_event_fact", {"event": "panel", "fact": "mood", "value": "good"}, "no column 'mood'"),
        ("set_event_fact", {"event": "panel", "fact": "attendance", "value": "-4"}, "whole number"),
        ("set_event_fact", {"event": "panel", "fact": "layout", "value": "circle"}, "no layout"),
        ("set_event_fact", {"event": "panel", "fact": "needs", "value": "samovar"}, "no equipment"),
    ],
)
def test_what_the_tables_cannot_hold_is_refused_with_a_sentence(office, do, call, arguments, words):
    said = do(office, call, **arguments)
    assert not said.ok
    assert words in said.words


def test_marks_of_lost_rooms_are_set_and_taken_back_and_the_schedule_follows(office, do):
    assert {slot for room, slot in office.lost if room == "great"} == {5, 6, 7, 8, 9}
    assert not do(office, "move", event="board", room="great", day=2, block=1).ok
    assert do(office, "set_room_fact", room="Great Hall", fact="lost", value="none").ok
    assert do(office, "move", event="board", room="great", day=2, block=3).ok
    said = do(office, "set_room_fact", room="l12", fact="lost", value="1.1 3")
    assert said.words == "The portal now marks Linden 12 as lost: 1.1 3."
    assert office.visible()["lost"] == [["l12", slot] for slot in (0, 10, 11, 12, 13, 14)]
    assert ("great", 5) in office.world.portal.lost


def test_two_offices_of_one_world_have_tables_of_their_own(small, office, sheet, do):
    do(office, "set_room_fact", room="l12", fact="equipment", value="none")
    do(office, "edit_entry", entry="site-kofi", field="name", value="X")
    assert sheet.facts.equipment["l12"] == ("projector", "screen", "whiteboard")
    assert sheet.site["site-kofi"]["name"] == "Kofi Mensa"
