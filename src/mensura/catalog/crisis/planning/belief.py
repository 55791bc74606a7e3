"""Belief: the problem as an assistant sees it, from what the office's tables say."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from mensura.catalog.crisis.planning.manual import believed_rules
from mensura.catalog.crisis.planning.problem import PlanningProblem, TradeOffs, Venue
from mensura.catalog.crisis.planning.supply import offers_of
from mensura.catalog.crisis.schedule import Place, Portal
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.supply.vendor import Order, Vendor

Chance = Callable[[Mapping[str, Any], Mapping[str, Any]], float]
"""(room, reservation) → the chance that its owner gives it up."""
ENTERED = 1.5
"""What a constraint weighs that someone has taken the trouble to enter."""
TABLES: dict[str, Any] = {"attendance": 0, "layout": "theatre", "needs": (), "catering": 0}
"""What the planner's tables say of events."""


def believed_problem(
    known: Mapping[str, Any],
    *,
    chance: Chance | None = None,
    capacity: Mapping[tuple[str, str], int] | None = None,
    equipment: Mapping[str, frozenset[str]] | None = None,
    prices: TradeOffs | None = None,
) -> PlanningProblem:
    """Return what an assistant believes; see `PlanningProblem.from_office_known`.

    Parameters
    ----------
    known
        What lies open in the office, as `mensura.catalog.crisis.office.visible.known` gives it.
    chance
        How likely owners are to give a slot up; one half for each where nothing was learned.
    capacity, equipment
        Beliefs that take the place of what the tables say: (room, layout) → seats, room → what is built in.
    prices
        What money, asking and moving cost.
    """
    facts, seats, built_in = known["facts"], capacity or {}, equipment or {}
    portal = Portal.shown(known)
    refused = {(bump["room"], bump["slot"]) for bump in known["bumps"] if bump["answer"] is False}
    rooms = {room["id"]: room for room in known["rooms"]}

    def likely(cell: Place) -> float:
        if cell in refused:
            return 0.0
        return chance(rooms[cell[0]], portal.held[cell]) if chance else 0.5

    venues: list[Venue] = []
    for room in known["rooms"]:
        if not room["usable"]:
            continue
        said = facts["capacity"].get(room["id"], {})
        layouts = {*said, *(layout for where, layout in seats if where == room["id"])}
        venues.append(
            Venue.seen(
                portal,
                room["id"],
                chance=likely,
                building=room["building"],
                capacity={layout: seats.get((room["id"], layout), said.get(layout, 0)) for layout in sorted(layouts)},
                equipment=built_in.get(room["id"], frozenset(facts["equipment"].get(room["id"], ()))),
                price=room["price"],
            )
        )
    events = believed_events(known)
    entered = tuple(Requirement(**{**rule, "weight": ENTERED}) for rule in known["constraints"])
    ahead = date.fromisoformat(known["first"]) - date.fromisoformat(known["today"])
    return PlanningProblem(
        venues=tuple(venues),
        events=events,
        now={event.id: placed(known["place"].get(event.id)) for event in events},
        rules=(*believed_rules(events, known), *entered),
        offers=offers_of((Vendor(**vendor) for vendor in known["vendors"]), ahead=ahead.days),
        orders=tuple(Order(**order) for order in known["orders"]),
        prices=prices or TradeOffs(),
        held=frozenset(portal.held.keys() - portal.granted - refused),
    )


def believed_events(known: Mapping[str, Any]) -> tuple[ConferenceEvent, ...]:
    """Return events as the programme prints them, with what the planner's tables say of them."""
    facts = known["facts"]
    return tuple(
        ConferenceEvent(
            **{name: said for name, said in event.items() if name != "original"},
            **{name: facts[name].get(event["id"], none) for name, none in TABLES.items()},
            room=event["original"][0],
            slot=event["original"][1],
        )
        for event in known["events"]
    )


def placed(where: Sequence[Any] | None) -> Place | None:
    """Read a place from JSON."""
    return None if where is None else (where[0], where[1])
