"""PlanningProblem: what a planner knows when it re-plans, whether that is the truth or only what it believes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.schedule import Place, Placement, Portal, Schedule
from mensura.catalog.crisis.world.data import grouped
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.supply.money import goods_cost
from mensura.catalog.crisis.world.supply.vendor import Order, Product, Vendor
from mensura.catalog.crisis.world.time import SLOTS

if TYPE_CHECKING:
    from mensura.catalog.crisis.world.conference import Conference


@dataclass(frozen=True, slots=True)
class Venue:
    """A room as the planner sees it."""

    id: str
    building: str
    capacity: Mapping[str, int]
    """By layout; a layout that is missing cannot be set up."""
    equipment: frozenset[str]
    chance: Mapping[int, float]
    """Slot → the chance of getting it: 1 where nobody must be asked, less where its owner must be, missing: never."""
    price: float = 0.0
    """Per block."""

    @classmethod
    def seen(cls, portal: Portal, id: str, *, chance: Callable[[Place], float], **said: Any) -> "Venue":
        """Read from the portal when a room can be had; `chance` says how likely an owner is to give a slot up."""
        likely = {"free": lambda cell: 1.0, "granted": lambda cell: 1.0, "held": chance}
        found = {
            slot: likely[how](cell) for slot in range(SLOTS) if (how := portal.status(cell := (id, slot))) in likely
        }
        return cls(id=id, chance={slot: share for slot, share in found.items() if share > 0}, **said)


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be ordered."""

    vendor: Vendor
    item: Product
    from_slot: int
    """The first slot to which it can still be delivered."""

    def money(self, event: ConferenceEvent, quantity: int) -> float:
        """Return what the goods cost for an event: what a cancellation gives back."""
        return goods_cost(self.item, quantity=quantity, blocks=event.length)


@dataclass(frozen=True, slots=True)
class TradeOffs:
    """What money, asking an owner and moving an event cost, in units of rules' weights."""

    money: float = 0.002
    """Per unit of money."""
    bump: float = 0.5
    """Per slot that an owner is asked for."""
    move: float = 0.05
    """Per room and per time that changes: of two schedules that are equally good the one with fewer moves is taken."""


@dataclass(frozen=True)
class PlanningProblem:
    """Everything that the optimiser needs.

    Use `PlanningProblem.from_truth(world)` where the truth may be known (the oracle, the linter that proves a package
    solvable and computes its floors) and `PlanningProblem.from_office_known(known)` for an assistant, which sees only
    what the office's tables say.
    """

    venues: tuple[Venue, ...]
    events: tuple[ConferenceEvent, ...]
    """Events as the planner sees them, with their announced places: those that should stay, stay there."""
    now: Placement
    """Where the schedule has them."""
    rules: tuple[Requirement, ...]
    offers: tuple[Offer, ...] = ()
    orders: tuple[Order, ...] = ()
    prices: TradeOffs = field(default_factory=TradeOffs)
    held: frozenset[Place] = frozenset()
    """Rooms and slots that someone else holds: their owner must be asked, however likely a yes is."""

    @classmethod
    def from_truth(
        cls,
        world: "Conference",
        *,
        placement: Placement | None = None,
        prices: TradeOffs | None = None,
    ) -> "PlanningProblem":
        """Return what is really so: true capacities and needs, all rules, and which owners give up their slots.

        Slots that the crisis takes away and slots of owners who refuse cannot be had; slots of owners who yield have
        chance 1 but still count as asked for (`bumps` of the plan). The linter proves a package solvable by
        `plan(PlanningProblem.from_truth(world))` and reads the floors from its `money` and `bumps`.
        """
        from mensura.catalog.crisis.planning.truth import true_problem

        return true_problem(world, placement=placement, prices=prices)

    @classmethod
    def from_office_known(cls, known: Mapping[str, Any], **options: Any) -> "PlanningProblem":
        """Return what an assistant believes: the office's tables of facts, its schedule, orders and constraints."""
        from mensura.catalog.crisis.planning.belief import believed_problem

        return believed_problem(known, **options)

    @cached_property
    def venue(self) -> dict[str, Venue]:
        """Rooms by id."""
        return {venue.id: venue for venue in self.venues}

    @cached_property
    def event(self) -> dict[str, ConferenceEvent]:
        """Events by id."""
        return {event.id: event for event in self.events}

    @cached_property
    def length(self) -> dict[str, int]:
        """How many blocks each event takes."""
        return {event.id: event.length for event in self.events}

    @cached_property
    def shared(self) -> dict[str, frozenset[str]]:
        """The other events with which each event shares a person who must be there."""
        of = grouped((person, event) for event in self.events for person in sorted(event.people))
        shared: dict[str, set[str]] = {event.id: {event.id} for event in self.events}
        for events in of.values():
            for event in events:
                shared[event.id].update(other.id for other in events)
        return {event: frozenset(others - {event}) for event, others in shared.items()}

    @cached_property
    def building(self) -> dict[str, str]:
        """The building of each room."""
        return {venue.id: venue.building for venue in self.venues}

    @cached_property
    def rules_of(self) -> dict[str, list[Requirement]]:
        """The rules that name an event as theirs, by event."""
        return grouped((rule.event, rule) for rule in self.rules)

    @cached_property
    def orders_of(self) -> dict[str, list[Order]]:
        """The orders that stand, by event."""
        return grouped((order.event, order) for order in self.orders)

    @cached_property
    def offer(self) -> dict[tuple[str, str], Offer]:
        """What can be ordered, by vendor and item."""
        return {(offer.vendor.id, offer.item.id): offer for offer in self.offers}

    @cached_property
    def deadlines(self) -> tuple[int, ...]:
        """The slots at which one more vendor can deliver, in order."""
        return tuple(sorted({offer.from_slot for offer in self.offers}))

    @cached_property
    def supplies(self) -> dict[Any, Any]:
        """Kept answers of `mensura.catalog.crisis.planning.supply.supply`."""
        return {}

    @cached_property
    def weight(self) -> float:
        """The sum of all rules' weights."""
        return sum(rule.weight for rule in self.rules)

    def schedule(self, placement: Placement) -> Schedule:
        """Return the schedule of a placement."""
        return Schedule(placement, length=self.length)
