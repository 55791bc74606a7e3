"""Index: what of a world never changes and is looked up at every act; made once per world."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mensura.catalog.crisis.office.facts import Facts
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import Letter
from mensura.catalog.crisis.world.supply.vendor import Order, Product, Vendor
from mensura.catalog.crisis.world.time import SLOTS, block_of, day_of, slot_words

KINDS = ("room", "event", "person", "vendor", "entry", "building")


@dataclass
class Lookup:
    """A world made ready for the office."""

    world: Conference
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    """Kind → any way to name a thing, in lower case → its id."""
    order_of_rooms: dict[str, int] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    """All letters in the order of arrival."""
    old: int = 0
    """How many of them lay in the mailbox before the subject came."""
    items: dict[str, dict[str, tuple[Vendor, Product]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = self.world
        self.names = {kind: {} for kind in KINDS}
        for kind, things in (
            ("event", [(event.id, event.short, event.title) for event in world.events]),
            ("room", [(room.id, room.name) for room in world.rooms]),
            ("person", [(person.id, person.mail, person.name) for person in world.people]),
            ("vendor", [(vendor.id, vendor.name) for vendor in world.vendors]),
            ("entry", [(entry.id,) for entry in world.site]),
            ("building", [(building.id, building.name) for building in world.buildings]),
        ):
            for place in range(3):
                # Ids go before names, so that no name can hide an id.
                for thing in things:
                    if place < len(thing):
                        self.names[kind].setdefault(thing[place].lower(), thing[0])
        self.order_of_rooms = {room.id: place for place, room in enumerate(world.rooms)}
        self.letters = sorted(world.letters, key=lambda letter: letter.tick)
        self.old = sum(letter.tick < 0 for letter in self.letters)
        self.items = {
            vendor.id: {name.lower(): (vendor, item) for item in vendor.items for name in (item.name, item.id)}
            for vendor in world.vendors
        }

    @cached_property
    def facts(self) -> Facts:
        """The planner's tables as they begin."""
        return Facts.assumed(self.world)

    @cached_property
    def site(self) -> dict[str, dict[str, str]]:
        """The web site as it begins."""
        return {entry.id: dict(entry.fields) for entry in self.world.site}

    @cached_property
    def orders(self) -> dict[str, Order]:
        """The orders that stand at the beginning."""
        return {order.id: order for order in self.world.orders}

    @cached_property
    def when(self) -> tuple[str, ...]:
        """Every slot in words, with its day and block as subjects count them."""
        return tuple(
            f"{slot_words(slot, first=self.world.first)} (day {day_of(slot) + 1}, block {block_of(slot) + 1})"
            for slot in range(SLOTS)
        )

    @cached_property
    def texts(self) -> dict[str, str]:
        """Letters in lower case, for searching."""
        return {letter.id: self.text_of(letter) for letter in self.letters}

    def id_of(self, kind: str, text: str) -> str | None:
        """Find a thing by its id or its name, whatever case and spaces; None where there is none."""
        names = self.names[kind]
        return names.get(text) or names.get(" ".join(text.lower().split()))

    def text_of(self, letter: Letter) -> str:
        """Return all words of a letter in lower case."""
        return f"{letter.subject} {letter.body} {self.name_of(letter.sender)} {letter.id}".lower()

    def name_of(self, id: str) -> str:
        """Return the name of a person, vendor, room or event."""
        world = self.world
        for things in (world.person, world.vendor, world.room):
            if id in things:
                return str(things[id].name)
        return world.event[id].short if id in world.event else id

    @cached_property
    def static(self) -> dict[str, Any]:
        """What of the world lies open and never changes, as JSON; made once, never changed by its readers."""
        from mensura.catalog.crisis.office.visible import open_world

        return open_world(self)


def index_of(world: Conference) -> Lookup:
    """Return the index of a world; it hangs on the world, which forgets it when it is copied with changes."""
    found: Lookup | None = world.__dict__.get("index")
    if found is None:
        found = world.__dict__["index"] = Lookup(world)
    return found
