"""Writing: the web site, the briefing and notes; and doing nothing."""

from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.history import Note, Said
from mensura.catalog.crisis.office.naming import named, near

HELPER = "helper"

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def edit_entry(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Change one field of the site's database; it is on the web at once."""
    entry = named(office, "entry", arguments["entry"])
    fields, field = office.site[entry], arguments["field"].strip()
    if field not in fields:
        hint = near(field, fields, cutoff=0.6) or f"It has {', '.join(fields)}."
        return Said(False, f"The entry {entry} has no field {field[:40]!r}. {hint}")
    before, fields[field] = fields[field], arguments["value"].strip()
    if before == fields[field]:
        return Said(True, f"{field} of {entry} was {before!r} already.", {"entry": entry})
    return Said(True, f"{field} of {entry} is now {fields[field]!r}; it was {before!r}.", {"entry": entry})


def publish(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Bring what the site says of an event's room and time to what the schedule has."""
    event = named(office, "event", arguments["event"])
    at = office.place[event]
    if at is None:
        return Said(False, f"{event} is not on the schedule, so there is nothing to announce.")
    should = office.world.announcement(at)
    entries = [entry.id for entry in office.world.site if entry.event == event]
    if not entries:
        return Said(False, f"The site has no entry that announces {event}.")
    for entry in entries:
        office.site[entry].update({field: words for field, words in should.items() if field in office.site[entry]})
    return Said(True, f"The site announces {event} in {should['room']}, {should['time']}.", {"entries": entries})


def brief(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Write the briefing for the chair."""
    office.briefing = arguments["text"]
    office.briefed = {"place": dict(office.place), "spent": float(office.spent), "bumps": len(office.bumps)}
    words = len(office.briefing.split())
    if not words:
        return Said(True, "There is no briefing now.")
    return Said(True, f"The briefing for {office.index.name_of(office.world.boss)} is saved ({words} words).")


def note(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Write a note that everyone in the office can read."""
    if not arguments["text"].strip():
        return Said(False, "An empty note was not kept.")
    office.notes.append(Note(office.now, role, arguments["text"]))
    return Said(True, f"Noted ({len(office.notes)}).")


def wait(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Do nothing; time has passed when this is answered."""
    return Said(True, "You waited.")


def finish(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Leave for good; a helper leaves the other behind, who goes on."""
    office.left.add(role)
    office.finished = office.left != {HELPER}
    return Said(True, "You leave the office.")


WRITING = {"edit_entry": edit_entry, "publish": publish, "brief": brief, "note": note, "wait": wait, "finish": finish}
