"""Pages that list many things: the mailbox, the schedule, rooms, the portal, vendors, orders, the site, people."""

from itertools import groupby
from typing import TYPE_CHECKING

from mensura.catalog.crisis.office.constraint import rule_words
from mensura.catalog.crisis.office.header import header
from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.world.supply.money import hire, order_cost
from mensura.catalog.crisis.world.supply.vendor import Order
from mensura.catalog.crisis.world.time import BLOCKS, DAYS, SLOTS, day_of

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState
    from mensura.dialogue import Tool


def mail(office: "OfficeState", folder: str) -> str:
    """List the mailbox, the newest first; `unread` or a folder narrows it down."""
    letters = list(office.mailbox.values())[::-1]
    if folder == "unread":
        letters = [letter for letter in letters if letter.id not in office.read]
    elif folder:
        letters = [letter for letter in letters if letter.folder == folder]
    lines = [header(office, letter) for letter in letters]
    return f"{len(lines)} messages, * unread:\n" + "\n".join(lines) if lines else "No messages."


def sent(office: "OfficeState") -> str:
    """List what was sent."""
    lines = [f"{each.id} to {office.index.name_of(each.to)}: {each.subject}" for each in office.sent]
    return "\n".join(lines) or "Nothing was sent yet."


def schedule(office: "OfficeState", day: str) -> str:
    """Show the schedule as it stands, or one day of it."""
    wanted = [number for number in range(DAYS) if day == str(number + 1)] or range(DAYS)
    rows = sorted(
        (slot, office.index.order_of_rooms[room], event)
        for event, places in office.sheet.items()
        for room, slot in places
    )
    lines: list[str] = []
    for slot, group in groupby((row for row in rows if day_of(row[0]) in wanted), key=lambda row: row[0]):
        lines.append(f"## {office.index.when[slot]}")
        for _, place, event in group:
            held = office.world.event[event]
            blocks = f", {held.length} blocks" if held.length > 1 else ""
            lines.append(f"- {office.world.rooms[place].name}: {event} ({held.short}, {held.kind}{blocks})")
    if nowhere := [event for event, where in office.place.items() if where is None]:
        lines.append("Not scheduled: " + ", ".join(nowhere))
    return "\n".join(lines) or "Nothing is scheduled."


def original(office: "OfficeState") -> str:
    """Show the schedule as the predecessor printed it."""
    lines = []
    for held in sorted(office.world.events, key=lambda held: (held.slot, held.room)):
        lines.append(f"{office.index.when[held.slot]}: {held.short}, {office.world.room[held.room].name}")
    return "# The original schedule\n\n" + "\n".join(lines)


def rooms(office: "OfficeState") -> str:
    """Show the planner's table of rooms, which may be wrong; each room's own page has its specification."""
    facts = office.facts.json()
    lines = ["The planner's table (a room's own page has its specification):"]
    for room in office.world.rooms:
        seats = ", ".join(f"{layout} {count}" for layout, count in facts["capacity"][room.id].items()) or "not known"
        has = ", ".join(facts["equipment"][room.id]) or "no equipment"
        price = f"; {room.price:.2f} a block" if room.price else ""
        lines.append(f"- {room.id}: {room.name}, {room.building}; {seats}; {has}{price}")
    return "\n".join(lines)


def portal(office: "OfficeState", item: str) -> str:
    """Show the reservations of one room, or what is free and what is held by others at all."""
    room = office.index.id_of("room", item) if item else None
    if room is not None:
        return "\n".join([f"# {office.world.room[room].name}", *(_line(office, room, slot) for slot in range(SLOTS))])
    lines = ["Rooms by slot; look at the portal with a room as the item for who has it."]
    for each in office.world.rooms:
        if each.usable:
            marks = " ".join(
                "".join(_mark(office, (each.id, slot)) for slot in range(first, first + len(BLOCKS)))
                for first in range(0, SLOTS, len(BLOCKS))
            )
            lines.append(f"{marks}  {each.id}: {each.name}")
    lines.append("One group a day. . free, E our event, R reserved by others, G given up for us, x no use.")
    if not office.marked:
        lines.append("The assistant has marked what is lost, as it reads the mail; it may misread.")
    return "\n".join(lines)


def vendors(office: "OfficeState") -> str:
    """List vendors and what they sell."""
    lines = []
    for vendor in office.world.vendors:
        items = "; ".join(f"{item.id} {item.price:.2f}" for item in vendor.items)
        lines.append(f"- {vendor.id}: {vendor.name} ({vendor.kind}): {items}")
    return "\n".join(lines)


def orders(office: "OfficeState") -> str:
    """List orders that stand, and those that were cancelled."""
    lines = [order_line(office, order) for order in office.orders.values()]
    lines += [f"{order_line(office, order)} (cancelled)" for order in office.cancelled.values()]
    return "\n".join(lines) or "There are no orders."


def order_line(office: "OfficeState", order: Order) -> str:
    """Return one order."""
    item = office.world.vendor[order.vendor].product[order.item]
    room = office.world.room[order.room].name
    short = office.world.event[order.event].short
    return f"- {order.id}: {order.quantity} × {item.name} for {short}, to {room}, {office.index.when[order.slot]}"


def site(office: "OfficeState", page: str) -> str:
    """List the entries of the web site, or of one of its pages."""
    pages = sorted({entry.page for entry in office.world.site})
    if page and page not in pages:
        return f"The site has no page {page[:40]!r}; it has {', '.join(pages)}."
    lines = []
    for entry in office.world.site:
        if not page or entry.page == page:
            fields = "; ".join(f"{name}: {value}" for name, value in office.site[entry.id].items())
            lines.append(f"- {entry.id} ({entry.page}): {fields}")
    return "\n".join(lines)


def budget(office: "OfficeState") -> str:
    """Show the budget sheet."""
    world = office.world
    standing = sum(
        order_cost(
            world.vendor[order.vendor],
            world.vendor[order.vendor].product[order.item],
            quantity=order.quantity,
            blocks=office.world.length[order.event],
        )
        for order in office.orders.values()
    )
    paid = sum(payment.amount for payment in office.payments)
    lines = [
        f"Budget: {world.budget:.2f}",
        f"Orders that stand: {standing:.2f}",
        f"Rooms as scheduled: {hire(world, office.place):.2f}",
        f"Paid for orders, changes and cancellations since this morning: {paid:.2f}",
        f"The replanning costs so far: {office.spent:.2f}",
    ]
    lines += [f"- {each.what} {each.order}: {each.amount:.2f}" for each in office.payments]
    return "\n".join(lines)


def people(office: "OfficeState") -> str:
    """List everyone in the address book."""
    lines = []
    for person in office.world.people:
        post = f", {person.post}" if person.post else ""
        lines.append(f"- {person.id}: {person.name}{post} <{person.mail}>")
    return "\n".join(lines)


def campus(office: "OfficeState") -> str:
    """Describe the map: buildings, and where they stand."""
    lines = [
        f"- {each.id}: {each.name}, {_way(each.x, 'east', 'west')} and {_way(each.y, 'south', 'north')} of the gate. "
        f"{each.about}".rstrip()
        for each in office.world.buildings
    ]
    return "\n".join(lines)


def manual(office: "OfficeState") -> str:
    """Show the planner's manual."""
    return office.world.manual


def briefing(office: "OfficeState") -> str:
    """Show the briefing as it stands."""
    return office.briefing or "There is no briefing yet."


def notes(office: "OfficeState") -> str:
    """Show all notes."""
    return "\n".join(f"- {note.role}: {note.text}" for note in office.notes) or "There are no notes."


def constraints(office: "OfficeState") -> str:
    """List the constraints that were entered."""
    lines = [f"- {rule.id}: {rule_words(office, rule)}" for rule in office.constraints.values()]
    return "\n".join(lines) or "No constraints were entered."


def proposals(office: "OfficeState") -> str:
    """List the assistant's proposals."""
    lines = [
        f"- {each.id} ({each.kind}): {each.words} {len(each.accepted)} of {len(each.acts)} parts accepted."
        for each in office.proposals.values()
    ]
    return "\n".join(lines) or "The assistant has proposed nothing."


def guide(office: "OfficeState", item: str) -> str:
    """Return how the office works, or how one act does; what stands in brackets may be left out."""
    from mensura.catalog.crisis.tools import TOOLS

    tools = {name: tool for name, tool in TOOLS.items() if name in office.tools}
    pages = office.world.pages
    name = item.lower().removesuffix("()")
    if name in tools:
        return f"{_usage(name, tools[name])}{_left_out(tools[name])}"
    if f"help-{name}" in pages:
        return pages[f"help-{name}"]
    blocks = "; ".join(f"{number} {words}" for number, words in enumerate(BLOCKS, start=1))
    lines = [f"There is no act {item[:40]!r}; these there are."] if item else []
    lines += [f"Days and blocks count from 1; blocks are {blocks}.", "Arguments in [brackets] may be left out."]
    lines += [f"- {_usage(name, tool)}" for name, tool in tools.items()]
    lines += [f"Other pages: {', '.join(pages)}."] if pages else []
    return "\n".join(lines)


def _usage(name: str, tool: "Tool") -> str:
    arguments = ", ".join(f"[{one}]" if one in tool.optional else one for one in tool.arguments)
    return f"{name}({arguments}): {tool.about}"


def _left_out(tool: "Tool") -> str:
    return f"\nMay be left out: {', '.join(tool.optional)}." if tool.optional else ""


def _line(office: "OfficeState", room: str, slot: int) -> str:
    when = office.index.when[slot]
    there = office.schedule.occupants([(room, slot)])
    ours = f"our events: {', '.join(there)}" if there else ""
    found = office.portal.status((room, slot))
    if found in ("held", "granted"):
        held = office.portal.held[room, slot]
        words = f"{office.index.name_of(held.owner)} ({held.owner}), {held.purpose}"
        found = f"reserved by {words}" if found == "held" else f"given up for us by {words}"
    return f"- {when}: {'; '.join(part for part in (ours, '' if ours and found == 'free' else found) if part)}"


def _way(metres: float, ahead: str, behind: str) -> str:
    return f"{abs(metres):.0f} m {ahead if metres >= 0 else behind}"


def _mark(office: "OfficeState", cell: Place) -> str:
    found = office.portal.status(cell)
    if found in ("lost", "closed"):
        return "x"
    return "E" if cell in office.schedule.at else {"held": "R", "granted": "G", "free": "."}[found]
