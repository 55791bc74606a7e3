"""Whatever is done in the office, it never fails, its books are right, and its journal brings it back."""

import json
from random import Random

import pytest

from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible_parts import VisibleParts
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.schedule import span
from mensura.catalog.crisis.settings import ASSISTED, CONDITIONS
from mensura.catalog.crisis.tools import PAGES, acts_of
from mensura.catalog.crisis.world.supply.money import goods_cost, hire
from mensura.catalog.crisis.world.time import fits
from mensura.dialogue import Number

KINDS = ("away", "slots", "before", "building", "room", "alone", "equipment", "wish")


def random_act(random, office):
    """Draw an act; its ids are mostly those of things that are there."""
    world = office.world
    pick = random.choice
    ids = {
        "message": [*office.mailbox, "m-0"],
        "to": [person.mail for person in world.people] + [vendor.id for vendor in world.vendors],
        "event": [event.id for event in world.events],
        "other": [event.short for event in world.events],
        "room": [room.name for room in world.rooms],
        "place": [room.id for room in world.rooms] + [building.id for building in world.buildings],
        "person": [person.name for person in world.people],
        "vendor": [vendor.id for vendor in world.vendors],
        "item": [item.id for vendor in world.vendors for item in vendor.items] + ["screen"],
        "order": [*office.orders, *office.cancelled, "o-0"],
        "entry": [entry.id for entry in world.site],
        "field": ["room", "time", "title", "name", "colour"],
        "constraint": [*office.constraints, "c-0"],
        "proposal": [*office.proposals, "p0"],
        "parts": ["1", "2 1", "x", "7", "²"],
        "kind": KINDS,
        "page": PAGES,
        "fact": ["capacity.theatre", "equipment", "attendance", "needs", "layout", "catering", "mood"],
        "value": ["40", "screen, projector", "theatre", "Monday 10:30", "none", ""],
        "slots": ["1 2.2", "9", "2.²", ""],
        "words": ["room", "the keynote", " "],
        "text": ["Some words.", "", "<b>bold</b>"],
        "subject": ["Hello"],
    }
    call = pick(sorted(office.tools - {"finish"}))
    tool = acts_of(office.tools).tools[call]
    arguments = {}
    for name, space in tool.arguments.items():
        if name in tool.optional and random.random() < 0.5:
            continue
        if isinstance(space, Number):
            arguments[name] = random.randint(int(space.low), min(int(space.high), 90))
        else:
            arguments[name] = "nonsense" if random.random() < 0.03 else pick(ids[name])
    return acts_of(office.tools).check({"call": call, "arguments": arguments})


def work(office, *, seed, acts=600):
    """Do many things at random; the assistant proposes some of them, too."""
    random, showing = Random(seed), VisibleParts(office)
    now = 0
    for _ in range(acts):
        now += random.randrange(40)
        act = random_act(random, office)
        if random.random() < 0.3:
            assert showing.now() == office.visible()
        said = office.act("subject", act["call"], act["arguments"], now=now)
        assert said.words
        assert json.dumps(said.json())
        if act["call"] in ASSISTED and said.ok:
            parts = [random_act(random, office) for _ in range(random.randrange(4))]
            kind, labels = act["call"], {next(iter(office.mailbox)): ["x"]}
            answer = {"kind": kind, "words": "", "acts": parts, "labels": labels, "ranked": []}
            office.propose(None if random.random() < 0.1 else answer, now=now)
    office.arrive(now + 1000)
    assert showing.now() == office.visible()


def paid_by_the_books(office):
    """Add up what was paid from what stands, what was cancelled and the fees, in another way than the office does."""
    world = office.world

    def parts(order):
        vendor = world.vendor[order.vendor]
        item = next(item for item in vendor.items if item.id == order.item)
        return goods_cost(item, quantity=order.quantity, blocks=world.event[order.event].length), vendor

    total = 0.0
    for order in office.orders.values():
        goods, vendor = parts(order)
        total += goods + vendor.delivery
    for order in office.cancelled.values():
        total += parts(order)[1].delivery + parts(order)[1].cancel_fee
    for order in world.orders:
        goods, vendor = parts(order)
        total -= goods + vendor.delivery
    changes = [each.arguments["order"] for each in office.history if each.call == "change_order" and each.ok]
    every = {**office.orders, **office.cancelled}
    return total + sum(world.vendor[every[order].vendor].change_fee for order in changes)


def picture(office):
    return json.dumps([office.visible(), [vars_of(each) for each in office.history], office.spent], sort_keys=True)


def vars_of(happening):
    return {name: getattr(happening, name) for name in type(happening).__slots__}


@pytest.mark.parametrize("condition", ["agent", "cots", "radar+l"])
@pytest.mark.parametrize("package", ["small", "practice-1"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_office_keeps_its_books_whatever_is_done(small, condition, package, seed):
    world = small if package == "small" else build_world(package)
    has = CONDITIONS[condition]
    office = OfficeState(world, tools=has.tools, checks=has.checks)
    work(office, seed=seed)
    assert sum(each.ok for each in office.history) > 100
    assert sum(not each.ok for each in office.history) > 50
    assert sum(not each.proposal for each in office.history) == 600
    extra = hire(world, office.place) - hire(world, office.world.origin)
    assert office.spent == pytest.approx(paid_by_the_books(office) + extra)
    ticks = [letter.tick for letter in list(office.mailbox.values())[office.index.old :]]
    assert ticks == sorted(ticks)
    for bump in office.bumps:
        held = office.portal.held[bump.room, bump.slot]
        assert bump.answer == (held.yields if bump.due <= office.now else None)
        assert ((bump.room, bump.slot) in office.granted) == bool(bump.answer)
    again = OfficeState(world, tools=has.tools, checks=has.checks)
    again.again(json.loads(json.dumps(office.journal)))
    again.arrive(office.now)
    assert picture(again) == picture(office)
    if has.checks:
        check_schedule(office)


def check_schedule(office):
    """See that no event was moved to where it cannot be, or on top of another."""
    taken = {}
    for event, place in office.place.items():
        if place is None:
            continue
        slots = span(place[1], office.world.event[event].length)
        assert fits(place[1], len(slots))
        for slot in slots:
            assert (place[0], slot) not in taken, f"{event} and {taken[place[0], slot]} share {place[0]}"
            taken[place[0], slot] = event
            if place != office.world.origin[event]:
                assert office.portal.status((place[0], slot)) in ("free", "granted")
