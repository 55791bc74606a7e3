"""The web site, the briefing and notes."""

from datetime import date

import pytest

from mensura.catalog.crisis.office.published import read_time


def test_a_field_of_the_site_is_changed(office, do):
    said = do(office, "edit_entry", entry="site-kofi", field="name", value=" Kofi Mensah ")
    assert said.ok
    assert office.site["site-kofi"]["name"] == "Kofi Mensah"
    assert "already" in do(office, "edit_entry", entry="site-kofi", field="name", value="Kofi Mensah").words
    assert "Did you mean name?" in do(office, "edit_entry", entry="site-kofi", field="names", value="x").words
    assert "no entry" in do(office, "edit_entry", entry="site-nobody", field="name", value="x").words


def test_the_site_begins_by_announcing_the_original_schedule(office):
    assert office.published == office.place


def test_what_a_reader_understands_is_what_is_published(office, do):
    do(office, "edit_entry", entry="site-keynote", field="room", value="orchard auditorium")
    do(office, "edit_entry", entry="site-keynote", field="time", value="Wed")
    assert "keynote" not in office.published
    do(office, "edit_entry", entry="site-keynote", field="time", value="12 May, 13:30")
    assert office.published["keynote"] == ("auditorium", 12)
    do(office, "edit_entry", entry="site-keynote", field="room", value="somewhere")
    assert "keynote" not in office.published


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("Tuesday 11 May, 13:30–15:00", 7),
        ("May 11 at 8:30", 5),
        ("day 4, 18:30", 19),
        ("Tuesday 12 May, 13:30", None),
        ("1 May, 13:30", None),
        ("Tuesday", None),
        ("13:30", None),
        ("Tuesday 14:00", None),
        ("", None),
    ],
)
def test_times_are_read_as_people_write_them(small, text, slot):
    assert small.first == date(2027, 5, 10)
    assert read_time(text, small) == slot


def test_the_last_briefing_counts_and_notes_are_kept(office, do):
    do(office, "brief", text="All is lost.")
    do(office, "brief", text="All is well.")
    assert office.briefing == "All is well."
    do(office, "note", text="Call Ines", role="helper")
    assert not do(office, "note", text=" ").ok
    assert [(note.role, note.text) for note in office.notes] == [("helper", "Call Ines")]
    assert "helper: Call Ines" in do(office, "look", page="notes").words


def test_whoever_leaves_has_finished(office, do):
    assert do(office, "wait", seconds=3).ok
    assert not office.finished
    assert do(office, "finish").ok
    assert office.finished


@pytest.mark.parametrize("roles", [("subject", "helper"), ("helper", "subject")])
def test_the_office_is_left_when_the_subject_leaves_whenever_the_helper_does(office, do, roles):
    for role in roles:
        do(office, "finish", role=role)
        assert office.finished == ("subject" in office.left)
