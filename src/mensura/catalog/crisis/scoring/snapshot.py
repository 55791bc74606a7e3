"""Standing: what of an office the score reads, as it is at one moment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.supply.vendor import Order, Product, Vendor
from mensura.catalog.crisis.world.time import fits

Place = tuple[str, int]
"""A room and the slot at which an event begins."""


@dataclass(frozen=True)
class Snapshot:
    """An office at one moment: the schedule, the orders, the site, the money, the briefing.

    The score, the optimiser's oracle and tests read the same few things; an office gives them by `standing_of`.
    """

    world: Conference
    place: Mapping[str, Place | None]
    orders: tuple[Order, ...] = ()
    """Orders that stand, each delivered to its room and slot."""
    granted: frozenset[Place] = frozenset()
    """Slots of rooms that their owners have given up."""
    site: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Entry → fields."""
    spent: float = 0.0
    bumps: int = 0
    """How often someone was asked to give up a room."""
    briefing: str = ""

    @cached_property
    def times(self) -> dict[str, range]:
        """Event → the slots at which it is, for those that have a place."""
        events = self.world.event
        return {name: range(at[1], at[1] + events[name].length) for name, at in self.place.items() if at is not None}

    @cached_property
    def at(self) -> dict[Place, list[str]]:
        """Room and slot → the events there."""
        found: dict[Place, list[str]] = {}
        for name, slots in self.times.items():
            room = self._room(name)
            for slot in slots:
                found.setdefault((room, slot), []).append(name)
        return found

    @cached_property
    def during(self) -> dict[int, list[str]]:
        """Slot → the events at that time."""
        found: dict[int, list[str]] = {}
        for name, slots in self.times.items():
            for slot in slots:
                found.setdefault(slot, []).append(name)
        return found

    @cached_property
    def events_of(self) -> dict[str, list[str]]:
        """Person → the events at which they must be."""
        found: dict[str, list[str]] = {}
        for event in self.world.events:
            for person in event.people:
                found.setdefault(person, []).append(event.id)
        return found

    @cached_property
    def delivered(self) -> dict[Place, list[Order]]:
        """Room and slot → the orders that go there."""
        found: dict[Place, list[Order]] = {}
        for order in self.orders:
            found.setdefault((order.room, order.slot), []).append(order)
        return found

    @cached_property
    def barred(self) -> dict[Place, str]:
        """Room and slot → why the conference cannot have it, where it cannot."""
        found = {(room.id, slot): "closed" for room in self.world.rooms for slot in room.closed}
        for room in self.world.rooms:
            for held in room.reservations:
                if (room.id, held.slot) not in self.granted:
                    found[room.id, held.slot] = "reserved"
        for name in self.world.loss.rooms:
            found.update(((name, slot), "lost") for slot in self.world.loss.slots)
        return found

    @cached_property
    def asked(self) -> dict[str, dict[str, Any]]:
        """Task → what mail asks to be ordered, changed or cancelled."""
        return {task.id: dict(task.target) for _, task in self.world.tasks.values() if task.kind == "order"}

    def sold(self, vendor: str, item: str) -> tuple[Vendor, Product]:
        """Give a vendor and what it sells by that name."""
        firm = self.world.vendor[vendor]
        return firm, next(each for each in firm.items if each.id == item)

    def obstacle(self, event: str) -> str:
        """Say why an event cannot take place where it stands: unscheduled, unusable, unfit, closed, reserved, lost."""
        at = self.place.get(event)
        if at is None:
            return "unscheduled"
        room = self.world.room.get(at[0])
        if room is None or not room.usable:
            return "unusable"
        if not fits(at[1], self.world.event[event].length):
            return "unfit"
        return next((self.barred[at[0], slot] for slot in self.times[event] if (at[0], slot) in self.barred), "")

    @cached_property
    def held(self) -> frozenset[str]:
        """Events that can take place where they stand, whether or not another event wants the same room."""
        return frozenset(event.id for event in self.world.events if not self.obstacle(event.id))

    def rivals(self, event: str) -> list[str]:
        """Name the other events that stand in the same room at the same time."""
        room = self._room(event)
        found = {other for slot in self.times[event] for other in self.at[room, slot]}
        return sorted(found - {event})

    def at_the_same_time(self, event: str) -> list[str]:
        """Name the other events that are on at any time of this one."""
        found = {other for slot in self.times[event] for other in self.during[slot]}
        return sorted(found - {event})

    def _room(self, event: str) -> str:
        at = self.place[event]
        assert at is not None
        return at[0]


def untouched(world: Conference) -> Snapshot:
    """Give the office as the subject finds it: the original schedule, orders and site, nothing spent.

    Its score is that of doing nothing, the floor that stands beside every score.
    """
    return Snapshot(
        world=world,
        place={event.id: (event.room, event.slot) for event in world.events},
        orders=world.orders,
        site={entry.id: dict(entry.fields) for entry in world.site},
    )


def standing_of(office: Any) -> Snapshot:
    """Read what counts from an office."""
    orders: Iterable[Order] = office.orders.values()
    return Snapshot(
        world=office.world,
        place=dict(office.place),
        orders=tuple(orders),
        granted=frozenset(office.granted),
        site=office.site,
        spent=float(office.spent),
        bumps=len(office.bumps),
        briefing=office.briefing,
    )
