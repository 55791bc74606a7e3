"""The schedule: with checks rooms that are taken are refused; a sheet takes anything."""

import pytest


def test_an_event_moves_to_a_free_room_and_keeps_its_orders_where_they_were(office, do):
    said = do(office, "move", event="dinner", room="terrace", day=3, block=5)
    assert said.ok
    assert office.place["dinner"] == ("terrace", 14)
    assert (office.orders["o-2"].room, office.orders["o-2"].slot) == ("great", 9)


@pytest.mark.parametrize(
    ("event", "room", "day", "block", "words"),
    [
        ("keynote", "great", 2, 2, "A burst pipe"),
        ("keynote", "auditorium", 2, 1, "reserved by Ines Valdez (staff training)"),
        ("keynote", "auditorium", 2, 5, "closed"),
        ("keynote", "store", 1, 1, "not let to conferences"),
        ("keynote", "terrace", 2, 4, "taken then by the posters"),
        ("tutorial", "terrace", 1, 4, "cannot begin then"),
        ("keynote", "terrace", 5, 1, "no day 5"),
        ("keynote", "terrace", 0, 1, "no day 0"),
        ("keynote", "terrace", 1, 6, "no block 6"),
        ("keynot", "terrace", 1, 1, "Did you mean keynote?"),
        ("keynote", "cellar", 1, 1, "no room 'cellar'"),
    ],
)
def test_what_cannot_be_is_answered_and_kept(office, do, event, room, day, block, words):
    before = dict(office.place)
    said = do(office, "move", event=event, room=room, day=day, block=block)
    assert not said.ok
    assert words in said.words
    assert office.place == before
    assert [happening.ok for happening in office.history] == [False]


def test_a_room_that_the_table_calls_too_small_is_taken_with_a_word(office, do):
    said = do(office, "move", event="keynote", room="l12", day=1, block=1)
    assert said.ok
    assert "seats 80 as theatre, and 150 are expected" in said.words
    said = do(office, "move", event="dinner", room="l12", day=1, block=5)
    assert "cannot be set up as banquet" in said.words


def test_the_check_goes_by_the_table_and_not_by_the_truth(office, do):
    do(office, "set_event_fact", event="keynote", fact="attendance", value="60")
    assert "Note" not in do(office, "move", event="keynote", room="l12", day=1, block=1).words


def test_things_are_found_by_their_names_too(office, do):
    assert do(office, "move", event="The Keynote", room="terrace  room", day=1, block=1).ok
    assert office.place["keynote"] == ("terrace", 0)


def test_an_event_that_is_there_already_stays(office, do):
    assert "already" in do(office, "move", event="papers", room="auditorium", day=1, block=1).words


def test_an_event_comes_off_the_schedule_and_back(office, do):
    assert do(office, "unschedule", event="papers").ok
    assert office.place["papers"] is None
    assert not do(office, "unschedule", event="papers").ok
    assert do(office, "move", event="papers", room="auditorium", day=1, block=1).ok


def test_a_long_event_takes_its_room_for_all_of_its_blocks(office, do):
    do(office, "move", event="tutorial", room="terrace", day=1, block=1)
    assert not do(office, "move", event="papers", room="terrace", day=1, block=2).ok
    assert do(office, "move", event="papers", room="terrace", day=1, block=3).ok


def test_a_sheet_takes_double_bookings_and_rooms_that_are_lost(sheet, do):
    assert do(sheet, "move", event="papers", room="great", day=2, block=1).ok
    assert sheet.place["papers"] == sheet.place["keynote"] == ("great", 5)
    assert do(sheet, "move", event="tutorial", room="store", day=1, block=5).ok


def test_of_two_entries_in_a_sheet_the_first_in_reading_order_counts(sheet, do):
    do(sheet, "copy", event="papers", room="terrace", day=4, block=1)
    assert sheet.place["papers"] == ("auditorium", 0)
    assert len(sheet.sheet["papers"]) == 2
    do(sheet, "unschedule", event="papers")
    assert sheet.place["papers"] == ("terrace", 15)
    do(sheet, "move", event="papers", room="l12", day=1, block=1)
    assert sheet.sheet["papers"] == [("l12", 0)]


def test_only_a_sheet_can_hold_an_event_twice(office, do):
    said = do(office, "copy", event="papers", room="terrace", day=4, block=1)
    assert not said.ok
    assert len(office.sheet["papers"]) == 1
