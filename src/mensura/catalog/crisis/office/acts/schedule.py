"""The schedule: moving events, taking them off, and, on a sheet without checks, entering them twice."""

from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.acts.rooms import why_not
from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.naming import find_slot, named
from mensura.catalog.crisis.schedule import cells
from mensura.catalog.crisis.world.time import fits

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def move(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Schedule an event in a room at a time; whatever was ordered for it stays where it was."""
    event, room, slot = _target(office, arguments)
    said = f"{office.world.event[event].short} is now in {_place(office, room, slot)}."
    if office.sheet[event] == [(room, slot)]:
        return Said(True, f"{office.world.event[event].short} is in {_place(office, room, slot)} already.")
    if office.checks:
        if refused := _refusal(office, event, room, slot):
            return Said(False, f"Not moved. {refused}")
        said += _too_small(office, event, room)
    office.put(event, [(room, slot)])
    return Said(True, said, {"event": event, "room": room, "slot": slot})


def copy(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Enter an event into a further cell of the sheet."""
    event, room, slot = _target(office, arguments)
    if (room, slot) not in office.sheet[event]:
        office.put(event, [*office.sheet[event], (room, slot)])
    where = "; ".join(_place(office, *each) for each in office.sheet[event])
    return Said(True, f"The sheet has {office.world.event[event].short} in {where}.", {"event": event})


def unschedule(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Take an event off the schedule; of several entries in a sheet, the one that is named, or the first."""
    event = named(office, "event", arguments["event"])
    short = office.world.event[event].short
    if not office.sheet[event]:
        return Said(False, f"{short} is not on the schedule.")
    gone = office.sheet[event][0]
    if {"room", "day", "block"} <= arguments.keys():
        gone = _target(office, arguments)[1:]
        if gone not in office.sheet[event]:
            return Said(False, f"{short} is not in {_place(office, *gone)}.")
    office.put(event, [where for where in office.sheet[event] if where != gone])
    left = office.place[event]
    words = (
        f"{short} is off the schedule." if left is None else f"The sheet still has {short} in {_place(office, *left)}."
    )
    return Said(True, words, {"event": event})


def _target(office: "OfficeState", arguments: dict[str, Any]) -> tuple[str, str, int]:
    event = named(office, "event", arguments["event"])
    return event, named(office, "room", arguments["room"]), find_slot(arguments["day"], arguments["block"])


def _refusal(office: "OfficeState", event: str, room: str, slot: int) -> str:
    length = office.world.length[event]
    if not fits(slot, length):
        blocks = "block" if length == 1 else "blocks in a row"
        return f"It takes {length} {blocks} of one day, the evening apart; it cannot begin then."
    wanted = cells((room, slot), length)
    if wrong := why_not(office, wanted):
        return wrong
    if there := office.schedule.occupants(wanted, but=event):
        shorts = ", ".join(office.world.event[other].short for other in there)
        return f"{office.world.room[room].name} is taken then by {shorts}."
    return ""


def _too_small(office: "OfficeState", event: str, room: str) -> str:
    facts = office.facts
    layout, wanted = facts.layout[event], facts.attendance[event]
    seats = facts.capacity.get((room, layout))
    if seats is None:
        return f" Note: by the table the room cannot be set up as {layout}."
    return f" Note: by the table it seats {seats} as {layout}, and {wanted} are expected." if seats < wanted else ""


def _place(office: "OfficeState", room: str, slot: int) -> str:
    return f"{office.world.room[room].name}, {office.index.when[slot]}"


SCHEDULE = {"move": move, "copy": copy, "unschedule": unschedule}
