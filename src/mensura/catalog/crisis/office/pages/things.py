"""Pages about one thing: an event, a room and its specification, a vendor, an order, an entry, a person."""

from typing import TYPE_CHECKING

from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.pages.lists import order_line

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def event(office: "OfficeState", id: str) -> str:
    """Describe an event by the programme and the planner's table."""
    held, facts, name = office.world.event[id], office.facts, office.index.name_of
    places = "; ".join(
        f"{office.world.room[room].name} ({room}), {office.index.when[slot]}" for room, slot in office.sheet[id]
    )
    lines = [
        f"# {held.title}",
        f"{id}, called {held.short}; {held.kind}" + (f", track {held.track}" if held.track else ""),
        f"Scheduled: {places or 'nowhere'}",
        f"Blocks: {held.length}",
        f"By the table: {facts.attendance[id]} people, {facts.layout[id]}, "
        f"needs {', '.join(facts.needs[id]) or 'nothing'}"
        + (f", catering for {facts.catering[id]}" if facts.catering[id] else ""),
    ]
    if held.chair:
        lines.append(f"Chair: {name(held.chair)} ({held.chair})")
    lines += [f"- {talk.title}: {name(talk.speaker)} ({talk.speaker})" for talk in held.talks]
    lines += [order_line(office, order) for order in office.orders.values() if order.event == id]
    return "\n".join(lines)


def room(office: "OfficeState", id: str) -> str:
    """Show a room's specification as its building publishes it, and what the planner's table says."""
    held, facts = office.world.room[id], office.facts
    building = next((each.name for each in office.world.buildings if each.id == held.building), held.building)
    seats = [f"- {layout}: {count}" for layout, count in held.capacity.items()]
    table = ", ".join(f"{layout} {count}" for (room, layout), count in facts.capacity.items() if room == id)
    lines = [
        f"# {held.name}",
        f"{id}, {building}, floor {held.floor}",
        "## Specification",
        *(seats or ["- no seats"]),
        f"- built in: {', '.join(held.equipment) or 'nothing'}",
        f"- hire: {held.price:.2f} a block",
        held.about,
        "" if held.usable else "- not let to conferences",
        f"The planner's table says: {table or 'no seats'}; {', '.join(facts.equipment[id]) or 'no equipment'}.",
    ]
    return "\n".join(line for line in lines if line)


def vendor(office: "OfficeState", id: str) -> str:
    """Show a vendor's page."""
    held = office.world.vendor[id]
    notice = f"{held.lead_days} day{'s' * (held.lead_days != 1)}"
    lines = [f"# {held.name}", f"{id}, {held.kind}. Orders by form only, {notice} before they are needed."]
    lines += [f"- {item.id}: {item.name}, {item.price:.2f} per unit and block" for item in held.items]
    lines.append(
        f"Delivery {held.delivery:.2f} an order; a change costs {held.change_fee:.2f}, "
        f"a cancellation {held.cancel_fee:.2f}."
    )
    lines += [order_line(office, order) for order in office.orders.values() if order.vendor == id]
    return "\n".join(lines)


def entry(office: "OfficeState", id: str) -> str:
    """Show one entry of the site."""
    held = office.world.entry[id]
    return "\n".join([f"# {id} ({held.page})", *(f"- {name}: {value}" for name, value in office.site[id].items())])


def person(office: "OfficeState", id: str) -> str:
    """Show what the address book has of someone."""
    held = office.world.person[id]
    rows = {name: getattr(held, name) for name in ("post", "affiliation", "mail", "phone", "fax", "site")}
    lines = [f"# {held.name} ({id})", *(f"- {name}: {value}" for name, value in rows.items() if value)]
    theirs = [event.id for event in office.world.events if id in event.people]
    return "\n".join([*lines, *([f"- takes part in {', '.join(theirs)}"] if theirs else [])])


def order(office: "OfficeState", id: str) -> Said:
    """Show one order."""
    data = {"page": "order", "item": id}
    if id in office.orders:
        return Said(True, order_line(office, office.orders[id]), data)
    if id in office.cancelled:
        return Said(True, f"{order_line(office, office.cancelled[id])} (cancelled)", data)
    return Said(False, f"There is no order {id[:60]!r}. The page of orders has them all.")
