import pytest

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.reader import Reader
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import known


@pytest.fixture
def reader(office: OfficeState) -> Reader:
    return Reader(Known(known(office)))


@pytest.mark.parametrize(
    ("text", "kind", "id"),
    [
        ("Papers A1 is full", "event", "papers"),
        ('the session where "A faster abacus" is given', "event", "papers"),
        ("the panel with Kofi Mensah", "event", "panel"),
        ("the tutorial on Monday", "event", "tutorial"),
        ("come to the Great Hall", "room", "great"),
        ("in Orchard House, please", "building", "orchard"),
        ("ask Otto Krag", "person", "otto"),
        ("we lack a beamer", "item", "projector"),
    ],
)
def test_things_are_found_by_what_people_call_them(reader: Reader, text: str, kind: str, id: str) -> None:
    assert (kind, id) in [(found.kind, found.id) for found in reader.find(text)]


def test_my_session_is_the_sender_s_own(reader: Reader) -> None:
    assert [found.id for found in reader.find("my panel is full", sender="lena")] == ["panel"]
    assert reader.find("my panel is full") == []


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("Away Tuesday, all day.", (5, 6, 7, 8, 9)),
        ("on Tuesday afternoon", (7, 8)),
        ("on the morning of Wednesday 12 May", (10, 11)),
        ("11 May, 13:30", (7,)),
        ("it can be the morning on Thursday but not the afternoon", (17, 18)),
        ("no time at all", ()),
    ],
)
def test_times_are_read_as_people_write_them(reader: Reader, text: str, slots: tuple[int, ...]) -> None:
    assert reader.slots(text) == slots


def test_a_day_that_says_which_event_is_meant_is_no_time(reader: Reader) -> None:
    assert reader.slots("a whiteboard for the tutorial on Monday, please") == ()
