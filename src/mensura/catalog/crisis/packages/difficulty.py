"""Difficulty: how much a package asks, in counts that can be compared between packages."""

from mensura.catalog.crisis.schedule import Placement, Schedule
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.time import DAYTIMES


def difficulty(world: Conference, *, place: Placement) -> dict[str, int]:
    """Count what the subject is up against; `place` is a good schedule, by which bumps and moves are counted."""
    portal = world.portal
    original = Schedule(world.origin, length=world.length)
    displaced = original.inside(portal.lost)
    for event in displaced:
        original.lift(event)
    held = portal.held.keys()
    daytime = [(room, slot) for room in portal.rooms for slot in DAYTIMES]
    statuses = {cell: portal.status(cell) for cell in daytime}
    theirs = [cell for cell in daytime if cell in held and cell not in portal.lost]
    arriving = [letter for letter in world.letters if letter.tick >= 0]
    return {
        "events": len(world.events),
        "rooms_lost": len(world.loss.rooms),
        "blocks_lost": len(world.loss.slots),
        "events_displaced": len(displaced),
        "events_moved": sum(there != world.origin[id] for id, there in place.items()),
        "slots_free": sum(how == "free" and cell not in original.at for cell, how in statuses.items()),
        "slots_held": len(theirs),
        "slots_that_yield": sum(portal.held[cell].yields for cell in theirs),
        "bumps_needed": len(Schedule(place, length=world.length).at.keys() & held),
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
