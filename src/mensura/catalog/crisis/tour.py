"""What the crisis shows on the tour: the schedule of a conference before and after it was replanned."""

from html import escape
from typing import TYPE_CHECKING

from mensura.exhibit.tour_stop import Guide, TourStop
from mensura.stats.wording import figure

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState

WIDE, HIGH, LEFT, TOP, LETTERS = 20, 26, 240, 36, 22
LOST, KEPT, MOVED = "#f3c6c0", "#9fb6c8", "#0072b2"


def tour(take: Guide) -> TourStop:
    """Let a simulated participant replan the conference, and draw the schedule that it leaves."""
    from mensura.catalog.crisis.office.replay import office_of

    groups = {name: take("crisis-v2", name) for name in ("scripted", "nothing")}
    final = {name: figure(group.estimates["final"].value) for name, group in groups.items()}
    record, _ = next(iter(groups["scripted"].records))
    office = office_of(record)
    moved = sum(office.schedule.place.get(event) != place for event, place in office.world.origin.items())
    return TourStop(
        "Crisis: an office in trouble",
        "A conference loses many of its rooms, and a person or a program has two hours to replan it, answer its mail "
        "and publish the schedule.",
        f"A simulated participant moved {moved} events (blue; the lost rooms are red) and scored "
        f"{final['scripted']} of 1; doing nothing scored {final['nothing']}.",
        _drawn(office),
        "The schedule: the rooms in use by time; lost rooms are red, events that stayed grey, events that moved blue.",
        "mensura take crisis --as human",
    )


def _drawn(office: "OfficeState") -> str:
    """Draw rooms by time: what was lost, what stayed and what was moved."""
    from mensura.catalog.crisis.world.time import BLOCKS, DAYS

    world = office.world
    places = [*office.schedule.place.values(), *world.origin.values()]
    used = {*world.loss.rooms, *(name for name, _ in places)}
    rooms = [room for room in world.rooms if room.id in used]
    rows = {room.id: number for number, room in enumerate(rooms)}
    slots = DAYS * len(BLOCKS)
    width, height = LEFT + slots * WIDE + 4, TOP + len(rows) * HIGH + 4
    parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for day in range(DAYS):
        x = LEFT + day * len(BLOCKS) * WIDE
        parts.append(f'<text x="{x + 2}" y="{TOP - 10}" font-weight="bold">Day {day + 1}</text>')
        parts.append(f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{height}" stroke="#c5ced6"/>')
    for room in rooms:
        y = TOP + rows[room.id] * HIGH
        parts.append(f'<text x="{LEFT - 6}" y="{y + 20}" text-anchor="end">{escape(room.name[:20])}</text>')
    for name in world.loss.rooms:
        for slot in world.loss.slots:
            parts.append(_block(rows[name], slot, 1, LOST, whole=True))
    for event, (name, slot) in office.schedule.place.items():
        if name in rows:
            colour = KEPT if world.origin.get(event) == (name, slot) else MOVED
            parts.append(_block(rows[name], slot, world.event[event].length, colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="{LETTERS}">{"".join(parts)}</svg>'
    )


def _block(row: int, slot: int, length: int, colour: str, *, whole: bool = False) -> str:
    edge = 0 if whole else 3
    return (
        f'<rect x="{LEFT + slot * WIDE + edge}" y="{TOP + row * HIGH + edge}" width="{length * WIDE - 2 * edge}" '
        f'height="{HIGH - 2 * edge}" rx="{edge}" fill="{colour}"/>'
    )
