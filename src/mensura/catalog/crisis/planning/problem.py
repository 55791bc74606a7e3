"""Problem: what a planner knows when it re-plans, whether that is the truth or only what it believes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.world.requirement import Requirement

if TYPE_CHECKING:
    from mensura.catalog.crisis.world.conference import Conference

Place = tuple[str, int]
"""A room and the slot at which an event begins there."""


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


@dataclass(frozen=True, slots=True)
class Session:
    """An event as the planner sees it."""

    id: str
    length: int
    attendance: int
    layout: str
    people: frozenset[str] = frozenset()
    catering: int = 0
    now: Place | None = None
    """Where the schedule has it; None: nowhere."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be ordered."""

    vendor: str
    item: str
    gives: str
    price: float
    """Per unit and block."""
    delivery: float
    change_fee: float
    cancel_fee: float
    from_slot: int
    """The first slot to which it can still be delivered."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An order that stands."""

    id: str
    vendor: str
    item: str
    quantity: int
    event: str
    room: str
    slot: int


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
class Problem:
    """Everything that the optimiser needs.

    Use `Problem.from_truth(world)` where the truth may be known (the oracle, the linter that proves a package
    solvable and computes its floors) and `Problem.from_office_known(known)` for an assistant, which sees only
    what the office's tables say.
    """

    venues: tuple[Venue, ...]
    sessions: tuple[Session, ...]
    rules: tuple[Requirement, ...]
    offers: tuple[Offer, ...] = ()
    orders: tuple[Standing, ...] = ()
    prices: TradeOffs = field(default_factory=TradeOffs)
    neighbours: frozenset[str] = frozenset()
    """Events that do not disturb those which must be alone: the exhibit hall."""
    held: frozenset[Place] = frozenset()
    """Rooms and slots that someone else holds: their owner must be asked, however likely a yes is."""
    original: Mapping[str, Place] = field(default_factory=dict)
    """Where the announced schedule had the events that should stay; where it is empty they stay where they are."""

    @classmethod
    def from_truth(
        cls,
        world: "Conference",
        *,
        placement: Mapping[str, Place | None] | None = None,
        prices: TradeOffs | None = None,
    ) -> "Problem":
        """Say what is really so: true capacities and needs, all rules, and which owners give up their slots.

        Slots that the crisis takes away and slots of owners who refuse cannot be had; slots of owners who yield have
        chance 1 but still count as asked for (`bumps` of the plan). The linter proves a package solvable by
        `plan(Problem.from_truth(world))` and reads the floors from its `money` and `bumps`.
        """
        from mensura.catalog.crisis.planning.truth import true_problem

        return true_problem(world, placement=placement, prices=prices)

    @classmethod
    def from_office_known(cls, known: Mapping[str, Any], **options: Any) -> "Problem":
        """Say what an assistant believes: the office's tables of facts, its schedule, orders and constraints."""
        from mensura.catalog.crisis.planning.belief import believed_problem

        return believed_problem(known, **options)

    @cached_property
    def venue(self) -> dict[str, Venue]:
        """Rooms by id."""
        return {venue.id: venue for venue in self.venues}

    @cached_property
    def session(self) -> dict[str, Session]:
        """Events by id."""
        return {session.id: session for session in self.sessions}

    @cached_property
    def rules_of(self) -> dict[str, tuple[Requirement, ...]]:
        """The rules that name an event as theirs, by event."""
        rules: dict[str, list[Requirement]] = {}
        for rule in self.rules:
            rules.setdefault(rule.event, []).append(rule)
        return {event: tuple(theirs) for event, theirs in rules.items()}

    @cached_property
    def orders_of(self) -> dict[str, tuple[Standing, ...]]:
        """The orders that stand, by event."""
        orders: dict[str, list[Standing]] = {}
        for order in self.orders:
            orders.setdefault(order.event, []).append(order)
        return {event: tuple(theirs) for event, theirs in orders.items()}

    @cached_property
    def offer(self) -> dict[tuple[str, str], Offer]:
        """What can be ordered, by vendor and item."""
        return {(offer.vendor, offer.item): offer for offer in self.offers}

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


def covered(slot: int, length: int) -> range:
    """Say which slots an event takes.

    >>> list(covered(5, 2))
    [5, 6]
    """
    return range(slot, slot + length)


def shared_people(sessions: Sequence[Session]) -> dict[str, frozenset[str]]:
    """Say with which other events each event shares a person who must be there.

    >>> a = Session("a", 1, 10, "theatre", people=frozenset({"kim"}))
    >>> b = Session("b", 1, 10, "theatre", people=frozenset({"kim", "lee"}))
    >>> shared_people([a, b])
    {'a': frozenset({'b'}), 'b': frozenset({'a'})}
    """
    of: dict[str, list[str]] = {}
    for session in sessions:
        for person in sorted(session.people):
            of.setdefault(person, []).append(session.id)
    shared: dict[str, set[str]] = {session.id: set() for session in sessions}
    for events in of.values():
        for event in events:
            shared[event].update(other for other in events if other != event)
    return {event: frozenset(others) for event, others in shared.items()}
