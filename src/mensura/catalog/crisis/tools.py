"""Tools: the acts of the office with their arguments, as one space per condition."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from mensura.catalog.crisis.office.acts.orders import MOST
from mensura.catalog.crisis.office.constraint import NEEDS
from mensura.catalog.crisis.settings import COSTS, LONGEST_LINE, LONGEST_WAIT, PART_COST
from mensura.catalog.crisis.world.time import BLOCKS, DAYS
from mensura.dialogue import Call, Number, Space, Text, Tool

PAGES = [
    "mail", "sent", "schedule", "event", "rooms", "room", "portal", "vendors", "vendor", "orders", "order", "site",
    "entry", "manual", "budget", "people", "person", "map", "notes", "briefing", "original", "page", "constraints",
    "proposals", "help",
]  # fmt: skip

_NAME = Text(longest=200, lines=1)
_LINE = Text(longest=LONGEST_LINE, lines=1)
_WORDS = Text(longest=10_000, lines=8)
_DAY, _BLOCK = (Number(low=1, high=most, integer=True) for most in (DAYS, len(BLOCKS)))
_QUANTITY = Number(low=1, high=MOST, integer=True)
_PLACE: dict[str, Any] = {"room": _NAME, "day": _DAY, "block": _BLOCK}
_ORDER: dict[str, Any] = {"vendor": _NAME, "item": _NAME, "quantity": _QUANTITY, "event": _NAME}
_ABOUT = {
    "block": f"1 to {len(BLOCKS)}: {', '.join(BLOCKS)}",
    "constraint": "Its id on the page `constraints`, as c-1",
    "day": f"Day of the conference, 1 to {DAYS}",
    "entry": "Id of an entry on the page `site`",
    "event": "Id or short name of an event on the page `schedule`",
    "fact": "Which fact of the table",
    "field": "Name of a field of that entry",
    "item": "What of it: a product of that vendor, a piece of equipment, or the thing that a page shows",
    "kind": f"One of {', '.join(NEEDS)}",
    "message": "Id of a message on the page `mail`, as m-12",
    "order": "Id of an order on the page `orders`",
    "other": "The other event of a pair: `event` comes before it, or at another time, or in the same building",
    "page": "Name of a page",
    "parts": "Numbers of the parts that are wanted, with blanks between them; without, all",
    "person": "Id or name of someone on the page `people`",
    "place": "A building or a room, by id or name",
    "proposal": "Id of a proposal on the page `proposals`, as p1",
    "quantity": f"How many, 1 to {MOST}",
    "room": "Id or name of a room on the page `rooms`",
    "seconds": f"0 to {LONGEST_WAIT}",
    "slots": "DAY.BLOCK, or DAY for a whole day, with blanks between them",
    "subject": "The subject line",
    "text": "What is written",
    "to": "Id or name of a person or vendor",
    "value": "What is right, as it should stand there",
    "vendor": "Id or name of a vendor on the page `vendors`",
    "words": "Words that must all be in it",
}


def _tool(about: str, *, optional: tuple[str, ...] = (), **arguments: Space) -> Tool:
    return Tool(about, arguments, optional, {name: _ABOUT[name] for name in arguments})


_TOOLS = {
    "read": _tool("Open a message.", message=_NAME),
    "reply": _tool("Answer a message.", message=_NAME, text=_WORDS),
    "send": _tool("Write a new message to a person.", to=_NAME, subject=_LINE, text=_WORDS),
    "search": _tool("Find messages that hold all these words.", words=_LINE),
    "look": _tool(f"Look at a page: {', '.join(PAGES)}.", optional=("item",), page=_NAME, item=_LINE),
    "move": _tool("Schedule an event; days and blocks count from 1.", event=_NAME, **_PLACE),
    "copy": _tool("Enter an event a second time; the first entry counts.", event=_NAME, **_PLACE),
    "unschedule": _tool(
        "Take an event off the schedule; of several entries in a sheet, the one named by room and time, or the first.",
        optional=("room", "day", "block"),
        event=_NAME,
        **_PLACE,
    ),
    "ask_room": _tool("Ask whoever reserved a room to give it up.", optional=("text",), **_PLACE, text=_LINE),
    "set_room_fact": _tool(
        "Correct the table of rooms: fact is capacity.LAYOUT, equipment (a list) or lost (slots, for the portal).",
        room=_NAME,
        fact=_NAME,
        value=_LINE,
    ),
    "set_event_fact": _tool(
        "Correct the table of events: fact is attendance, layout, needs (a list) or catering.",
        event=_NAME,
        fact=_NAME,
        value=_LINE,
    ),
    "quote": _tool("Ask a vendor what an order would cost.", **_ORDER),
    "order": _tool("Order from a vendor, delivered where and when the event is scheduled now.", **_ORDER),
    "change_order": _tool(
        "Change an order; it goes to where and when its event is scheduled now.",
        optional=("quantity", "event"),
        order=_NAME,
        quantity=_QUANTITY,
        event=_NAME,
    ),
    "cancel_order": _tool("Cancel an order.", order=_NAME),
    "edit_entry": _tool("Change a field of the web site.", entry=_NAME, field=_NAME, value=_WORDS),
    "publish": _tool("Let the web site announce an event where and when it is scheduled now.", event=_NAME),
    "brief": _tool(
        "Write the briefing for the chair: what today's mail brought, in at most 8 lines; the last one counts.",
        text=_WORDS,
    ),
    "note": _tool("Write a note for yourself.", text=_WORDS),
    "wait": _tool(
        "Do nothing for so many seconds; mail may arrive.", seconds=Number(low=0, high=LONGEST_WAIT, integer=True)
    ),
    "finish": _tool("Leave the office for good, before the time is up."),
    "constrain": _tool(
        "Enter a constraint for the optimiser; slots are DAY.BLOCK or DAY, as 2.1 2.2 3.",
        optional=("event", "other", "person", "place", "slots", "item"),
        kind=_NAME,
        event=_NAME,
        other=_NAME,
        person=_NAME,
        place=_NAME,
        slots=_LINE,
        item=_NAME,
    ),
    "unconstrain": _tool("Take a constraint back.", constraint=_NAME),
    "suggest": _tool("Let the assistant say what a message asks for.", message=_NAME),
    "optimise": _tool("Let the assistant propose a schedule over what is known."),
    "find_room": _tool("Let the assistant find a room for an event.", event=_NAME),
    "elicit": _tool("Let the assistant say which fact would help it most."),
    "batch": _tool("Let the assistant propose all changes of the site that the schedule needs."),
    "draft": _tool("Let the assistant draft the briefing."),
    "accept": _tool(
        "Carry out a proposal, or only some parts of it, as 1 3 4.", optional=("parts",), proposal=_NAME, parts=_LINE
    ),
}


def _priced(name: str, tool: Tool) -> Tool:
    """State with a tool what an act costs a program; what waiting costs is its argument."""
    if not COSTS[name]:
        return tool
    parts = f", and {PART_COST} for each part that is named" if name == "accept" else ""
    return replace(tool, about=f"{tool.about} A program pays {COSTS[name]} s{parts}.")


TOOLS = {name: _priced(name, tool) for name, tool in _TOOLS.items()}


@dataclass(frozen=True)
class Toolbox(Call):
    """What can be done in the office; the record of every ask names the tools only, subjects get all of them."""

    @cached_property
    def _named(self) -> dict[str, Any]:
        bare: dict[str, Any] = {"about": "", "arguments": {}, "optional": []}
        return {"kind": self.kind, "tools": dict.fromkeys(self.tools, bare)}

    def data(self) -> dict[str, Any]:
        return self._named

    def described(self) -> dict[str, Any]:
        return super().data()


@lru_cache(maxsize=64)
def acts_of(tools: frozenset[str]) -> Toolbox:
    """Return the space of a condition's acts; the same tools give the same object.

    >>> acts_of(frozenset({"read", "finish"})).check({"call": "red"})
    Traceback (most recent call last):
    mensura.errors.Invalid: There is no tool called 'red'. Did you mean read?
    """
    return Toolbox({name: tool for name, tool in TOOLS.items() if name in tools})
