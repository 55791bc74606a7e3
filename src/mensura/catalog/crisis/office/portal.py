"""The portal: who has a room at a time, as the campus's reservation system shows it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mensura.catalog.crisis.world.time import fits

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def status(office: "OfficeState", room: str, slot: int) -> str:
    """Say how a room stands at a slot: unusable, lost, closed, held, granted or free; our own events are left aside."""
    index = office.index
    if not office.world.room[room].usable:
        return "unusable"
    if (room, slot) in index.lost:
        return "lost"
    if (room, slot) in index.closed:
        return "closed"
    if (room, slot) in index.held:
        return "granted" if (room, slot) in office.granted else "held"
    return "free"


def why_not(office: "OfficeState", room: str, slots: Iterable[int]) -> str:
    """Say in a sentence why the conference cannot have a room at some slots; empty where it can."""
    name = office.world.room[room].name
    for slot in slots:
        found = status(office, room, slot)
        when = office.index.when[slot]
        if found == "unusable":
            return f"{name} is not let to conferences."
        if found == "lost":
            return f"{name} cannot be used on {when}: {office.world.loss.cause}"
        if found == "closed":
            return f"{name} is closed on {when}."
        if found == "held":
            held = office.index.held[room, slot]
            owner = office.index.name_of(held.owner)
            return f"{name} is reserved by {owner} ({held.purpose}) on {when}; ask for it, or take another room."
    return ""


def slots_from(slot: int, length: int) -> range:
    """Give the slots that an event takes from a slot on."""
    return range(slot, slot + length)


def occupants(office: "OfficeState", room: str, slots: range, *, but: str = "") -> list[str]:
    """Give our own events that are in a room during some slots."""
    found = []
    for event, place in office.place.items():
        if place is None or place[0] != room or event == but:
            continue
        begin, length = place[1], office.index.length[event]
        if begin < slots.stop and slots.start < begin + length:
            found.append(event)
    return found


def unfit(slot: int, length: int) -> str:
    """Say why an event cannot begin at a slot; empty where it can."""
    if fits(slot, length):
        return ""
    blocks = "block" if length == 1 else "blocks in a row"
    return f"It takes {length} {blocks} of one day, the evening apart; it cannot begin then."
