"""Truth: the problem as it really is, for those who may know it."""

from mensura.catalog.crisis.planning.plan import SchedulePlan, plan, plan_of
from mensura.catalog.crisis.planning.problem import PlanningProblem, TradeOffs, Venue
from mensura.catalog.crisis.planning.supply import offers_of
from mensura.catalog.crisis.schedule import Placement
from mensura.catalog.crisis.world.conference import Conference


def true_problem(
    world: Conference, *, placement: Placement | None = None, prices: TradeOffs | None = None
) -> PlanningProblem:
    """Return what is really so; see `PlanningProblem.from_truth`."""
    portal = world.portal
    return PlanningProblem(
        venues=tuple(
            Venue.seen(
                portal, room.id, chance=lambda cell: float(portal.held[cell].yields), building=room.building,
                capacity={str(layout): seats for layout, seats in room.capacity.items()},
                equipment=frozenset(room.equipment), price=room.price,
            )
            for room in world.rooms
            if room.usable
        ),
        events=world.events,
        now=placement or world.origin,
        rules=world.rules,
        offers=offers_of(world.vendors, ahead=(world.first - world.today).days),
        orders=world.orders,
        prices=prices or TradeOffs(),
        held=frozenset(portal.held),
    )  # fmt: skip


def problem_of(world: Conference) -> PlanningProblem:
    """Return what is really so in a world; made once, and kept with it."""
    found: PlanningProblem | None = world.__dict__.get("problem")
    if found is None:
        found = world.__dict__["problem"] = true_problem(world)
    return found


BEST_WORK, BEST_KEEP = 20.0, 8
"""Work for the plan that is the ceiling, and among how many rooms for each event and slot it chooses."""
BEST_PRICES = TradeOffs(money=0.0001, bump=0.1, move=0.01)
"""The score gives nothing for spending less than the floor, so the best plan meets the rules first and saves second."""


def best_plan(world: Conference) -> SchedulePlan:
    """Return the best plan that full knowledge finds; linter and oracle share it, so that the oracle meets the floors.

    Where the linter has stored its schedule with the world, nothing is searched for.
    """
    found: SchedulePlan | None = world.__dict__.get("plan")
    if found is None:
        problem = true_problem(world, prices=BEST_PRICES)
        found = plan_of(problem, world.best) if world.best else plan(problem, work=BEST_WORK, keep=BEST_KEEP)
        world.__dict__["plan"] = found
    return found
