"""The schedule and the portal, which everyone in the crisis asks."""

from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import visible
from mensura.catalog.crisis.schedule import Portal, Schedule
from mensura.catalog.crisis.settings import BASE
from mensura.catalog.crisis.world.conference import Conference

LENGTH = {"a": 2, "b": 1, "c": 1}


def test_an_event_that_is_moved_leaves_nothing_behind() -> None:
    schedule = Schedule({"a": ("hall", 0), "b": ("hall", 2), "c": None}, length=LENGTH)
    schedule.put("a", ("foyer", 5))
    assert schedule.at == {("foyer", 5): ["a"], ("foyer", 6): ["a"], ("hall", 2): ["b"]}
    assert schedule.lift("a") == ("foyer", 5)
    assert schedule.at == {("hall", 2): ["b"]}
    assert schedule.place == {"b": ("hall", 2)}


def test_only_what_overlaps_is_together() -> None:
    schedule = Schedule({"a": ("hall", 0), "b": ("foyer", 1), "c": ("foyer", 2)}, length=LENGTH)
    assert schedule.together("a", "b")
    assert not schedule.together("a", "c")
    assert schedule.meanwhile("a") == ["b"]
    assert schedule.rivals("a") == []
    assert not Schedule({"a": ("hall", 0)}, length=LENGTH).together("a", "b")


def test_occupants_stand_in_the_order_of_the_programme() -> None:
    schedule = Schedule({"c": ("hall", 1), "b": ("hall", 1), "a": ("hall", 0)}, length=LENGTH)
    assert schedule.occupants([("hall", 1)]) == ["a", "b", "c"]
    assert schedule.occupants([("hall", 1)], but="b") == ["a", "c"]


def test_what_a_page_shows_of_the_portal_is_what_the_world_says(small: Conference) -> None:
    shown, true = Portal.shown(visible(OfficeState(small, tools=BASE))), small.portal
    assert (shown.rooms, shown.lost, shown.closed, set(shown.held)) == (
        true.rooms,
        true.lost,
        true.closed,
        set(true.held),
    )
    cells = [(room.id, slot) for room in small.rooms for slot in range(20)]
    assert [shown.status(cell) for cell in cells] == [true.status(cell) for cell in cells]
    assert {true.status(cell) for cell in cells} >= {"unusable", "lost", "held", "free"}


def test_a_lost_slot_cannot_be_had_whoever_gave_it_up() -> None:
    cell = ("hall", 3)
    portal = Portal(frozenset({"hall"}), frozenset({cell}), frozenset(), {cell: None}, frozenset({cell}))
    assert portal.status(cell) == "lost"
    assert portal.barred([("hall", 2), cell]) == ("lost", cell)
    assert portal.barred([("hall", 2)]) is None
