"""The planner in the worlds that come with the test."""

import pytest

from mensura.catalog.crisis.assistant.optimiser import WORK
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.planning.plan import plan
from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.planning.truth import best_plan
from mensura.catalog.crisis.planning.worth import worth
from mensura.catalog.crisis.scoring.rules import met
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.settings import BASE, RADAR
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.supply.vendor import Order


@pytest.fixture(scope="module")
def world() -> Conference:
    return build_world("crisis-1")


def test_the_assistant_s_work_suffices_for_a_good_schedule(world: Conference) -> None:
    office = OfficeState(world, tools=BASE | RADAR)
    problem = PlanningProblem.from_office_known(known(office))
    before = worth(problem, problem.now)
    found = plan(problem, work=WORK)
    assert before.quality < 0.9
    assert found.quality > 0.97
    assert all(place is not None for place in found.placement.values())


def test_the_planner_and_the_score_agree_on_which_rules_are_met(world: Conference) -> None:
    found = best_plan(world)
    orders = {order.id: order for order in world.orders}
    for number, errand in enumerate(found.errands):
        place = found.placement[errand.event]
        assert place is not None
        if errand.do == "cancel":
            del orders[errand.order]
            continue
        id = errand.order or f"new-{number}"
        orders[id] = Order(
            id=id,
            vendor=errand.vendor,
            item=errand.item,
            quantity=errand.quantity,
            event=errand.event,
            room=place[0],
            slot=place[1],
        )
    standing = Snapshot(
        world=world, place=found.placement, orders=tuple(orders.values()), granted=frozenset(found.asks)
    )
    assert {rule.id for rule in world.rules if met(rule, standing)} == found.met


def test_what_an_assistant_believes_holds_no_hidden_truth(world: Conference) -> None:
    """Two worlds that differ only in what is hidden give an assistant the same problem."""
    hidden = world.model_copy(
        update={
            "rooms": tuple(
                room.model_copy(
                    update={
                        "capacity": {layout: seats + 7 for layout, seats in room.capacity.items()},
                        "reservations": tuple(
                            held.model_copy(update={"yields": not held.yields}) for held in room.reservations
                        ),
                    }
                )
                for room in world.rooms
            ),
            "rules": (),
        }
    )
    problems = [
        PlanningProblem.from_office_known(known(OfficeState(each, tools=BASE | RADAR))) for each in (world, hidden)
    ]
    assert problems[0] == problems[1]
