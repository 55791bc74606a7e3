"""What mail asks to order, and orders that follow their events, are not money wasted."""

from dataclasses import replace

import pytest

from mensura.catalog.crisis.act import when
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.scoring.allowance import allowance
from mensura.catalog.crisis.scoring.schedule import grade_schedule
from mensura.catalog.crisis.scoring.snapshot import standing_of
from mensura.catalog.crisis.settings import BASE
from mensura.catalog.crisis.subjects.settling import acts_for


@pytest.fixture(params=["crisis-1", "crisis-2", "practice-1"])
def office(request: pytest.FixtureRequest) -> OfficeState:
    return OfficeState(build_world(request.param), tools=BASE)


def carry_out(office: OfficeState) -> None:
    """Do what mail asks to order or change, and cancel nothing."""
    for letter, task in office.world.tasks.values():
        if task.kind != "order" or task.target.get("cancel"):
            continue
        for act in acts_for(task, message=letter.id, world=office.world, constraints=False):
            assert office.act("subject", act["call"], act["arguments"], now=6000).ok


def test_what_mail_asks_for_is_allowed_to_the_penny(office: OfficeState) -> None:
    assert allowance(standing_of(office)) == 0
    carry_out(office)
    assert office.spent > 0
    assert allowance(standing_of(office)) == pytest.approx(office.spent)


def test_doing_all_that_is_asked_for_costs_no_points(office: OfficeState) -> None:
    carry_out(office)
    standing = standing_of(office)
    assert grade_schedule(replace(standing, spent=standing.spent + office.world.floor_money)).money == 0
    assert grade_schedule(replace(standing, spent=standing.spent + office.world.floor_money + 50)).money > 0


def test_ordering_what_nobody_asked_for_is_not_allowed(office: OfficeState) -> None:
    event = next(event.id for event in office.world.events if event.kind == "papers")
    said = office.act("subject", "order", {"vendor": "bloom", "item": "table", "quantity": 90, "event": event}, now=100)
    assert said.ok, said.words
    assert allowance(standing_of(office)) == 0


def test_flowers_may_follow_their_event_for_the_fee(office: OfficeState) -> None:
    world = office.world
    gives = {(vendor.id, item.id): item.gives for vendor in world.vendors for item in vendor.items}
    order = next(order for order in world.orders if not gives[order.vendor, order.item])
    office.checks = False
    room = next(room.id for room in world.rooms if room.usable and room.id != order.room)
    assert office.act("subject", "move", {"event": order.event, "room": room, **when(order.slot)}, now=10).ok
    assert allowance(standing_of(office)) == 0
    assert office.act("subject", "change_order", {"order": order.id}, now=20).ok
    assert allowance(standing_of(office)) == world.vendor[order.vendor].change_fee > 0
