"""Visible: all that lies open in the office, as JSON for pages and for the assistant; never the hidden truth."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.time import BLOCKS, DAYS

RECENT = 8
"""Proposals that are shown whole."""
ROOM = {"id", "name", "building", "floor", "kind", "usable", "price", "closed"}
EVENT = {"id", "kind", "title", "short", "track", "length", "chair", "talks"}
LETTER = ("id", "tick", "sender", "subject", "body", "folder")
ACT = ("tick", "role", "call", "arguments", "ok", "proposal")
"""What of rooms, events, letters and acts may be seen."""

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.lookup import Lookup
    from mensura.catalog.crisis.office.office import OfficeState


def open_world(index: "Lookup") -> dict[str, Any]:
    """Return what of a world never changes and may be seen; true seats and equipment are on the rooms' pages only."""
    world = index.world
    return {
        "package": world.name,
        "purpose": world.purpose,
        "title": world.title,
        "today": world.today.isoformat(),
        "first": world.first.isoformat(),
        "days": DAYS,
        "blocks": list(BLOCKS),
        "boss": world.boss,
        "predecessor": world.predecessor,
        "budget": world.budget,
        "buildings": [building.data() for building in world.buildings],
        "rooms": _rooms(index),
        "people": [
            person.model_dump(mode="json", exclude_defaults=True, exclude={"style", "site", "fax"})
            for person in world.people
        ],
        "events": _events(world),
        "vendors": [vendor.model_dump(mode="json") for vendor in world.vendors],
        "entries": [{"id": entry.id, "page": entry.page, "event": entry.event} for entry in world.site],
        "pages": list(world.pages),
    }


def visible(office: "OfficeState") -> dict[str, Any]:
    """Return all that a subject may see, for pages; bodies of messages are read one by one."""
    return {**office.index.static, **_changing(office), "mailbox": mailbox(office)}


def mailbox(office: "OfficeState") -> list[dict[str, Any]]:
    """Return the headers of all mail, with when each was read."""
    return [
        {**letter.header, "read": office.read[id]} if id in office.read else letter.header
        for id, letter in office.mailbox.items()
    ]


def known(office: "OfficeState") -> dict[str, Any]:
    """Return what the assistant may know: the same, with the text of all mail, the manual, and what was done.

    Keys besides those of `visible`: `letters` (id, tick, sender, subject, body, folder, read), `manual`, `history`
    (tick, role, call, arguments, ok, proposal).
    """
    letters = [
        {**{name: getattr(letter, name) for name in LETTER}, "read": id in office.read}
        for id, letter in office.mailbox.items()
    ]
    history = [{name: getattr(each, name) for name in ACT} for each in office.history]
    more = {"letters": letters, "manual": office.world.manual, "history": history}
    return {**office.index.static, **_changing(office), **more}


def _changing(office: "OfficeState") -> dict[str, Any]:
    return {"now": office.now, "checks": office.checks, **{name: make(office) for name, make in PARTS.items()}}


def _proposals(office: "OfficeState") -> list[dict[str, Any]]:
    """Return all proposals; of older ones not what they would do, which has been seen."""
    made = [each.json() for each in office.proposals.values()]
    return [{**each, "acts": []} if place < len(made) - RECENT else each for place, each in enumerate(made)]


def _rooms(index: "Lookup") -> list[dict[str, Any]]:
    """Return rooms as the portal shows them: who has what, when they are closed; not who would give way."""
    return [
        {
            **room.model_dump(mode="json", include=ROOM),
            "reservations": [held.model_dump(mode="json", exclude={"yields"}) for held in room.reservations],
        }
        for room in index.world.rooms
    ]


def _events(world: Conference) -> list[dict[str, Any]]:
    """Return events as the programme prints them; how many come and what they need is in the planner's table."""
    return [
        {**event.model_dump(mode="json", include=EVENT), "original": [event.room, event.slot]} for event in world.events
    ]


PARTS: dict[str, Callable[["OfficeState"], Any]] = {
    "place": lambda office: {event: None if at is None else list(at) for event, at in office.place.items()},
    "sheet": lambda office: {event: [list(at) for at in places] for event, places in office.sheet.items()},
    "facts": lambda office: office.facts.json(),
    "lost": lambda office: sorted([room, slot] for room, slot in office.lost),
    "granted": lambda office: sorted([room, slot] for room, slot in office.granted),
    "bumps": lambda office: [
        {"role": bump.role, "room": bump.room, "slot": bump.slot, "owner": bump.owner, "answer": bump.answer}
        for bump in office.bumps
    ],
    "orders": lambda office: [order.model_dump(mode="json") for order in office.orders.values()],
    "cancelled": lambda office: [order.model_dump(mode="json") for order in office.cancelled.values()],
    "spent": lambda office: round(office.spent, 2),
    "payments": lambda office: [each.json() for each in office.payments],
    "site": lambda office: {entry: fields.copy() for entry, fields in office.site.items()},
    "constraints": lambda office: [rule.data() for rule in office.constraints.values()],
    "proposals": _proposals,
    "labels": lambda office: dict(office.labels),
    "sent": lambda office: [each.json() for each in office.sent],
    "notes": lambda office: [each.json() for each in office.notes],
    "briefing": lambda office: office.briefing,
}
"""What acts change, each made anew as JSON."""
