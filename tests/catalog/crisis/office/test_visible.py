"""Nothing that is hidden can be seen: neither by its name nor by anything that depends on it."""

import json

import pytest

from mensura.catalog.crisis.desk import make_desk
from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.settings import CONDITIONS
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.requirement import Requirement

HIDDEN = {"yields", "rules", "rule", "tasks", "task", "truth", "about_truth", "assumed", "assumed_attendance", "style"}


def keys(value):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def otherwise(world):
    """Make the same world with every hidden truth another one."""
    rooms = tuple(
        room.model_copy(
            update={
                "capacity": dict.fromkeys(room.capacity, 7),
                "equipment": ("piano",),
                "reservations": tuple(
                    held.model_copy(update={"yields": not held.yields}) for held in room.reservations
                ),
            }
        )
        for room in world.rooms
    )
    events = tuple(
        event.model_copy(
            update={
                "attendance": 9999,
                "assumed_attendance": event.assumed_attendance or event.attendance,
                "needs": ("piano",),
                "assumed_needs": event.needs if event.assumed_needs is None else event.assumed_needs,
            }
        )
        for event in world.events
    )
    letters = tuple(letter.model_copy(update={"tasks": (), "about": ()}) for letter in world.letters)
    people = tuple(person.model_copy(update={"style": "anxious"}) for person in world.people)
    rules = (Requirement(id="other", kind="alone", leaf="plenaries", event="panel"),)
    hidden = {"floor_money": 1.0, "floor_bumps": 9, "ceiling": {}, "rules": rules}
    # Built anew: a copy would carry along what was looked up in the first one.
    kept = {name: getattr(world, name) for name in Conference.model_fields}
    return Conference(**{**kept, "rooms": rooms, "events": events, "letters": letters, "people": people, **hidden})


ACTS = (
    ("read", {"message": "m-1"}),
    ("look", {"page": "portal", "item": "auditorium"}),
    ("look", {"page": "rooms"}),
    ("look", {"page": "event", "item": "keynote"}),
    ("look", {"page": "mail"}),
    ("ask_room", {"room": "auditorium", "day": 2, "block": 1}),
    ("move", {"event": "keynote", "room": "terrace", "day": 1, "block": 1}),
    ("order", {"vendor": "petal", "item": "bouquet", "quantity": 2, "event": "board"}),
    ("constrain", {"kind": "alone", "event": "keynote"}),
    ("look", {"page": "budget"}),
)


@pytest.mark.parametrize("condition", ["agent", "cots", "radar+l"])
def test_what_is_visible_does_not_depend_on_what_is_hidden(small, condition):
    has = CONDITIONS[condition]
    seen = []
    for world in (small, otherwise(small)):
        office = OfficeState(world, tools=has.tools, checks=has.checks)
        said = [office.act("subject", call, given, now=100).json() for call, given in ACTS]
        seen.append(json.dumps([office.visible(), known(office), said], sort_keys=True))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("package", ["practice-1", "crisis-1"])
def test_a_drawn_world_shows_nothing_hidden_and_little_enough_for_a_page(package):
    seen = []
    world = build_world(package)
    event, room, letter = world.events[0], world.rooms[0], next(each for each in world.letters if each.tick >= 0)
    for each in (world, otherwise(world)):
        office = OfficeState(each, tools=CONDITIONS["radar+l"].tools)
        said = [
            office.act("subject", "read", {"message": letter.id}, now=7200).json(),
            office.act("subject", "look", {"page": "schedule"}, now=7200).json(),
            office.act("subject", "look", {"page": "portal", "item": room.id}, now=7200).json(),
            office.act("subject", "look", {"page": "event", "item": event.id}, now=7200).json(),
            office.act("subject", "unschedule", {"event": event.id}, now=7200).json(),
        ]
        shown = office.visible()
        assert not HIDDEN & set(keys(shown))
        seen.append(json.dumps([shown, known(office), said], sort_keys=True))
    assert seen[0] == seen[1]
    assert len(json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()) < 250_000


def test_no_hidden_thing_is_named(small):
    office = OfficeState(small, tools=CONDITIONS["radar+l"].tools)
    for call, given in ACTS:
        office.act("subject", call, given, now=5000)
    desk = make_desk(office, Said(True, "x"), [], end=7200, whole={"office": office.visible()})
    for shown in (office.visible(), known(office), desk.page_data()):
        assert not HIDDEN & set(keys(json.loads(json.dumps(shown))))


def test_bodies_of_mail_are_not_on_the_page(small):
    office = OfficeState(small, tools=CONDITIONS["agent"].tools)
    office.arrive(5000)
    office.act("subject", "read", {"message": "m-1"}, now=5000)
    assert "A pipe has burst" not in json.dumps(office.visible())
    assert next(each for each in office.visible()["mailbox"] if each["id"] == "m-1")["read"] == 5000


def test_an_answer_on_its_way_cannot_be_seen(small):
    office = OfficeState(small, tools=CONDITIONS["agent"].tools)
    office.act("subject", "ask_room", {"room": "auditorium", "day": 2, "block": 1}, now=0)
    assert office.visible()["bumps"][0]["answer"] is None
    assert not any(each["id"] == "r-1" for each in office.visible()["mailbox"])
