"""Tables: correcting what the planner's tables say of rooms and events."""

from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.facts import read_list, read_whole
from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.naming import named
from mensura.catalog.crisis.office.slots import read_slots, slots_text
from mensura.catalog.crisis.world.campus.place import EQUIPMENT, LAYOUTS
from mensura.catalog.crisis.world.time import SLOTS

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def set_room_fact(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Correct a room's capacity in a layout, its equipment, or when the portal marks it as lost."""
    room = named(office, "room", arguments["room"])
    fact, value = arguments["fact"].strip().lower(), arguments["value"]
    name = office.world.room[room].name
    if fact == "equipment":
        items = read_list(value, known=EQUIPMENT)
        if isinstance(items, str):
            return Said(False, f"The table knows no equipment {items[:40]!r}; it knows {', '.join(EQUIPMENT)}.")
        office.facts.equipment[room] = items
        return Said(True, f"The table now says that {name} has {', '.join(items) or 'no equipment'}.", {"room": room})
    if fact == "lost":
        slots = () if value.strip().lower() in ("", "none") else read_slots(value)
        if isinstance(slots, str):
            return Said(False, slots)
        office.lost -= {(room, slot) for slot in range(SLOTS)}
        office.lost |= {(room, slot) for slot in slots}
        return Said(True, f"The portal now marks {name} as lost: {slots_text(slots) or 'at no time'}.", {"room": room})
    layout = fact.removeprefix("capacity.")
    if not fact.startswith("capacity.") or layout not in LAYOUTS:
        known = ", ".join(f"capacity.{each}" for each in LAYOUTS)
        return Said(False, f"The table of rooms has no column {fact[:40]!r}; it has equipment, lost, {known}.")
    seats = read_whole(value)
    if seats is None:
        return Said(False, f"A capacity is a whole number of people; got {value[:40]!r}.")
    if seats == 0:
        office.facts.capacity.pop((room, layout), None)
        return Said(True, f"The table now says that {name} cannot be set up as {layout}.", {"room": room})
    office.facts.capacity[room, layout] = seats
    return Said(True, f"The table now says that {name} seats {seats} as {layout}.", {"room": room})


def set_event_fact(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Correct an event's attendance, layout, needs or catering."""
    event = named(office, "event", arguments["event"])
    fact, value = arguments["fact"].strip().lower(), arguments["value"]
    short, facts = office.world.event[event].short, office.facts
    if fact in ("attendance", "catering"):
        count = read_whole(value)
        if count is None:
            return Said(False, f"The {fact} is a whole number; got {value[:40]!r}.")
        (facts.attendance if fact == "attendance" else facts.catering)[event] = count
        return Said(True, f"The table now says {fact} {count} for {short}.", {"event": event})
    if fact == "layout":
        layout = value.strip().lower()
        if layout not in LAYOUTS:
            return Said(False, f"There is no layout {value[:40]!r}; there are {', '.join(LAYOUTS)}.")
        facts.layout[event] = layout
        return Said(True, f"The table now says layout {layout} for {short}.", {"event": event})
    if fact == "needs":
        items = read_list(value, known=EQUIPMENT)
        if isinstance(items, str):
            return Said(False, f"The table knows no equipment {items[:40]!r}; it knows {', '.join(EQUIPMENT)}.")
        facts.needs[event] = items
        return Said(True, f"The table now says that {short} needs {', '.join(items) or 'nothing'}.", {"event": event})
    has = "attendance, layout, needs, catering"
    return Said(False, f"The table of events has no column {fact[:40]!r}; it has {has}.")


TABLES = {"set_room_fact": set_room_fact, "set_event_fact": set_event_fact}
