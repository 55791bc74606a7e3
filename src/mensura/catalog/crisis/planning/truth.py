"""Truth: the problem as it really is, for those who may know it."""

from collections.abc import Mapping

from mensura.catalog.crisis.planning.plan import SchedulePlan, plan, plan_of
from mensura.catalog.crisis.planning.problem import Place, Problem, Session, Standing, TradeOffs, Venue
from mensura.catalog.crisis.planning.supply import offers_of
from mensura.catalog.crisis.world.campus.place import Room
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.time import SLOTS


def true_problem(
    world: Conference, *, placement: Mapping[str, Place | None] | None = None, prices: TradeOffs | None = None
) -> Problem:
    """Say what is really so; see `Problem.from_truth`."""
    where: Mapping[str, Place | None] = placement or {event.id: (event.room, event.slot) for event in world.events}
    return Problem(
        venues=tuple(_venue(room, world=world) for room in world.rooms if room.usable),
        sessions=tuple(
            Session(
                id=event.id,
                length=event.length,
                attendance=event.attendance,
                layout=event.layout,
                people=event.people,
                catering=event.catering,
                now=where.get(event.id),
            )
            for event in world.events
        ),
        rules=world.rules,
        offers=offers_of((vendor.model_dump() for vendor in world.vendors), ahead=(world.first - world.today).days),
        orders=tuple(Standing(**order.model_dump()) for order in world.orders),
        prices=prices or TradeOffs(),
        neighbours=frozenset(event.id for event in world.events if event.kind == "exhibit"),
        held=frozenset((room.id, held.slot) for room in world.rooms for held in room.reservations),
        original={event.id: (event.room, event.slot) for event in world.events},
    )


def _venue(room: Room, *, world: Conference) -> Venue:
    lost = set(world.loss.slots) if room.id in world.loss.rooms else set()
    refused = {held.slot for held in room.reservations if not held.yields}
    return Venue(
        id=room.id,
        building=room.building,
        capacity={str(layout): seats for layout, seats in room.capacity.items()},
        equipment=frozenset(room.equipment),
        chance={slot: 1.0 for slot in range(SLOTS) if slot not in lost | refused | set(room.closed)},
        price=room.price,
    )


BEST_WORK, BEST_KEEP = 20.0, 8
"""Work for the plan that is the ceiling, and among how many rooms for each event and slot it chooses."""
BEST_PRICES = TradeOffs(money=0.0001, bump=0.1, move=0.01)
"""The score gives nothing for spending less than the floor, so the best plan meets the rules first and saves second."""


def best_plan(world: Conference) -> SchedulePlan:
    """Give the best plan that full knowledge finds; linter and oracle share it, so that the oracle meets the floors.

    Where the linter has stored its schedule with the world, nothing is searched for.
    """
    found: SchedulePlan | None = world.__dict__.get("plan")
    if found is None:
        problem = true_problem(world, prices=BEST_PRICES)
        found = plan_of(problem, world.best) if world.best else plan(problem, work=BEST_WORK, keep=BEST_KEEP)
        world.__dict__["plan"] = found
    return found
