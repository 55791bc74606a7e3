"""Difficulty: how much a package asks, in counts that can be compared between packages."""

from collections.abc import Mapping

from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.programme.sketch import span
from mensura.catalog.crisis.world.time import EVENING, SLOTS, block_of


def difficulty(world: Conference, *, place: Mapping[str, tuple[str, int] | None]) -> dict[str, int]:
    """Count what the subject is up against; `place` is a good schedule, by which bumps and moves are counted."""
    lost = {(room, slot) for room in world.loss.rooms for slot in world.loss.slots}
    where = {event.id: (event.room, event.slot) for event in world.events}
    displaced = [
        event.id for event in world.events if any((event.room, slot) in lost for slot in span(event.slot, event.length))
    ]
    taken = {
        (event.room, slot)
        for event in world.events
        if event.id not in displaced
        for slot in span(event.slot, event.length)
    }
    held = {(room.id, reservation.slot) for room in world.rooms for reservation in room.reservations}
    yielding = {
        (room.id, reservation.slot) for room in world.rooms for reservation in room.reservations if reservation.yields
    }
    closed = {(room.id, slot) for room in world.rooms for slot in room.closed}
    daytime = [
        (room.id, slot) for room in world.rooms if room.usable for slot in range(SLOTS) if block_of(slot) != EVENING
    ]
    asked = {
        (there[0], slot)
        for id, there in place.items()
        if there is not None
        for slot in span(there[1], world.event[id].length)
    } & held
    arriving = [letter for letter in world.letters if letter.tick >= 0]
    return {
        "events": len(world.events),
        "rooms_lost": len(world.loss.rooms),
        "blocks_lost": len(world.loss.slots),
        "events_displaced": len(displaced),
        "events_moved": sum(there != where[id] for id, there in place.items()),
        "slots_free": sum(one not in lost | taken | held | closed for one in daytime),
        "slots_held": sum(one in held - lost for one in daytime),
        "slots_that_yield": sum(one in yielding - lost for one in daytime),
        "bumps_needed": len(asked),
        "facts_wrong": _wrong(world),
        "rules": len(world.rules),
        "tasks": len(world.tasks),
        "messages": len(arriving),
        "noise": sum(not letter.tasks for letter in arriving),
    }


def _wrong(world: Conference) -> int:
    """Count facts of the sheet that are not true."""
    rooms = sum(
        room.capacity.get(layout, 0) != number
        for room in world.rooms
        if room.usable
        for layout, number in room.assumed.items()
    )
    rooms += sum(set(room.assumed_equipment) != set(room.equipment) for room in world.rooms if room.usable)
    events = sum(
        bool(event.assumed_attendance) and event.assumed_attendance != event.attendance for event in world.events
    )
    events += sum(event.assumed_needs is not None and event.assumed_needs != event.needs for event in world.events)
    return rooms + events
