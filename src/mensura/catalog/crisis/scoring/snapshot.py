"""Standing: what of an office the score reads, as it is at one moment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.planning.truth import problem_of
from mensura.catalog.crisis.schedule import Place, Placement, Portal, Schedule, cells
from mensura.catalog.crisis.world.campus.place import Room
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.data import grouped
from mensura.catalog.crisis.world.supply.vendor import Order, Product, Vendor
from mensura.catalog.crisis.world.time import fits


@dataclass(frozen=True)
class Snapshot:
    """An office at one moment: the schedule, the orders, the site, the money, the briefing.

    The score, the optimiser's oracle and tests read the same few things; an office gives them by `standing_of`.
    """

    world: Conference
    place: Placement
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
    briefed: Mapping[str, Any] = field(default_factory=dict)
    """What of this was otherwise when the briefing was written."""

    @cached_property
    def schedule(self) -> Schedule:
        """Who is where and when, whether or not that can be."""
        return Schedule(self.place, length=self.world.length)

    @cached_property
    def portal(self) -> Portal:
        """Which rooms the conference can have."""
        return replace(self.world.portal, granted=self.granted)

    @property
    def problem(self) -> PlanningProblem:
        """What rules look at: the world as it truly is."""
        return problem_of(self.world)

    def room(self, event: str) -> Room:
        """Return the room in which an event stands."""
        return self.world.room[self.schedule.place[event][0]]

    @cached_property
    def events_of(self) -> dict[str, list[str]]:
        """Person → the events at which they must be."""
        return grouped((person, event.id) for event in self.world.events for person in event.people)

    @cached_property
    def delivered(self) -> dict[Place, list[Order]]:
        """Room and slot → the orders that go there."""
        return grouped(((order.room, order.slot), order) for order in self.orders)

    @cached_property
    def asked(self) -> dict[str, dict[str, Any]]:
        """Task → what mail asks to be ordered, changed or cancelled."""
        return {task.id: dict(task.target) for _, task in self.world.tasks.values() if task.kind == "order"}

    def sold(self, vendor: str, item: str) -> tuple[Vendor, Product]:
        """Return a vendor and what it sells by that name."""
        firm = self.world.vendor[vendor]
        return firm, firm.product[item]

    def obstacle(self, event: str) -> str:
        """Return why an event cannot take place where it stands: unscheduled, unusable, unfit, closed, held, lost."""
        at, length = self.place.get(event), self.world.length[event]
        if at is None:
            return "unscheduled"
        if at[0] not in self.portal.rooms:
            return "unusable"
        if not fits(at[1], length):
            return "unfit"
        barred = self.portal.barred(cells(at, length))
        return barred[0] if barred else ""

    @cached_property
    def held(self) -> frozenset[str]:
        """Events that can take place where they stand, whether or not another event wants the same room."""
        return frozenset(event.id for event in self.world.events if not self.obstacle(event.id))


def untouched(world: Conference) -> Snapshot:
    """Return the office as the subject finds it: the original schedule, orders and site, nothing spent.

    Its score is that of doing nothing, the floor that stands beside every score.
    """
    return Snapshot(
        world=world,
        place=world.origin,
        orders=world.orders,
        site={entry.id: dict(entry.fields) for entry in world.site},
    )


def standing_of(office: Any) -> Snapshot:
    """Read what counts from an office."""
    orders: Iterable[Order] = office.orders.values()
    return Snapshot(
        world=office.world,
        place=office.place,
        orders=tuple(orders),
        granted=frozenset(office.granted),
        site=office.site,
        spent=float(office.spent),
        bumps=len(office.bumps),
        briefing=office.briefing,
        briefed=office.briefed,
    )
