import itertools
import os
import subprocess
import sys

import pytest

from mensura.catalog.crisis.planning.plan import plan
from mensura.catalog.crisis.planning.problem import Offer, PlanningProblem, TradeOffs, Venue
from mensura.catalog.crisis.planning.worth import usable, worth
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.programme.event import ConferenceEvent, Talk
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.supply.vendor import Order, Product, Vendor
from mensura.catalog.crisis.world.time import SLOTS

THEATRE = {"theatre": 50}
NOWHERE = {"e": None}


def beamer(price: float, *, from_slot: int = 0) -> Offer:
    """A projector that one vendor brings."""
    item = Product(id="beamer", name="Projector", price=price, gives="projector")
    vendor = Vendor(id="av", name="AV", kind="audio-visual", items=(item,), delivery=10, change_fee=5, cancel_fee=5)
    return Offer(vendor, item, from_slot)


def event(id: str, *, length: int = 1, attendance: int = 40, people: tuple[str, ...] = ()) -> ConferenceEvent:
    """An event that was announced for the first room, at its number."""
    talks = tuple(Talk(id=f"{id}-{person}", title="", speaker=person) for person in people)
    return ConferenceEvent(
        id=id,
        kind="papers",
        title=id,
        short=id,
        length=length,
        attendance=attendance,
        layout="theatre",
        talks=talks,
        room="r0",
        slot=int(id[1:] or 0),
    )


def tiny(seed: int) -> PlanningProblem:
    """Four events, three rooms, three slots, and rules of every kind between them, drawn from a seed."""
    import random

    rng = random.Random(seed)
    slots = (0, 1, 2)
    venues = tuple(
        Venue(
            id=f"r{number}",
            building=f"b{number % 2}",
            capacity={"theatre": rng.choice((20, 40, 60))},
            equipment=frozenset(rng.sample(("projector", "screen"), rng.randrange(3))),
            chance={slot: 1.0 for slot in slots if rng.random() < 0.8},
            price=rng.choice((0.0, 25.0)),
        )
        for number in range(3)
    )
    events, now = [], {}
    for number in range(4):
        attendance, people = rng.choice((10, 30, 50)), rng.sample(("ann", "bob", "cyd"), 2)
        events.append(event(f"e{number}", length=2 if number == 0 else 1, attendance=attendance, people=tuple(people)))
        now[f"e{number}"] = ("r0", number) if number < 3 and rng.random() < 0.7 else None
    rules = [
        Requirement(id=f"{kind}-{each.id}", kind=kind, leaf=kind, event=each.id, weight=rng.choice((0.5, 1.0, 2.0)))
        for each in events
        for kind in ("placed", "capacity", "speakers")
    ]
    rules += [
        Requirement(id="projector", kind="equipment", leaf="equipment", event="e1", item="projector"),
        Requirement(id="ann", kind="away", leaf="availability", person="ann", slots=(rng.randrange(3),)),
        Requirement(id="before", kind="before", leaf="sequence", event="e1", other="e2"),
        Requirement(id="apart", kind="apart", leaf="requests", event="e2", other="e3"),
        Requirement(id="same", kind="same_building", leaf="places", event="e1", other="e3"),
        Requirement(id="building", kind="building", leaf="places", event="e2", place="b1"),
        Requirement(id="room", kind="room", leaf="places", event="e3", place="r2", weight=0.3),
        Requirement(id="slots", kind="slots", leaf="times", event="e3", slots=(1,)),
        Requirement(id="alone", kind="alone", leaf="plenaries", event="e2", weight=0.7),
        Requirement(id="stay", kind="stay", leaf="announced", event="e1", weight=0.4),
    ]
    return PlanningProblem(
        venues=venues,
        events=tuple(events),
        now=now,
        rules=tuple(rules),
        offers=(beamer(40.0, from_slot=1),),
        orders=(Order(id="o-1", vendor="av", item="beamer", quantity=1, event="e1", room="r0", slot=1),),
        held=frozenset({("r1", 1), ("r2", 0)}),
        prices=TradeOffs(money=0.004, bump=0.3, move=0.02),
    )


def best_by_trying_all(problem: PlanningProblem) -> float:
    places = [[None, *((venue.id, slot) for venue in problem.venues for slot in range(SLOTS))] for _ in problem.events]
    best = float("-inf")
    options = [
        [place for place in theirs if place is None or usable(problem, session, place)]
        for session, theirs in zip(problem.events, places, strict=True)
    ]
    for chosen in itertools.product(*options):
        cells = [
            (place[0], slot)
            for session, place in zip(problem.events, chosen, strict=True)
            if place is not None
            for slot in range(place[1], place[1] + session.length)
        ]
        if len(set(cells)) == len(cells):
            placement = {session.id: place for session, place in zip(problem.events, chosen, strict=True)}
            best = max(best, worth(problem, placement).value)
    return best


@pytest.mark.cells(5)
@pytest.mark.parametrize("seed", range(12))
def test_a_plan_is_as_good_as_the_best_of_all_placements(seed: int) -> None:
    problem = tiny(seed)
    found = plan(problem, work=2.0)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(best_by_trying_all(problem), abs=2e-3)
    assert found.bound == pytest.approx(found.objective, abs=2e-3)


def test_the_same_work_gives_the_same_plan(small: Conference) -> None:
    problem = PlanningProblem.from_truth(small)
    assert plan(problem, work=0.3) == plan(problem, work=0.3)


PLANNED = """
from hashlib import sha256
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.planning.plan import plan
from mensura.catalog.crisis.planning.problem import PlanningProblem
found = plan(PlanningProblem.from_truth(build_world("practice-1")), work=0.3)
print(sha256(repr((sorted(found.placement.items()), found.asks, found.errands)).encode()).hexdigest())
"""


def test_the_same_work_gives_the_same_plan_in_every_process() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", PLANNED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_the_objective_is_what_counting_gives(small: Conference) -> None:
    problem = PlanningProblem.from_truth(small)
    found = plan(problem)
    assert found.objective == worth(problem, found.placement).value
    assert found.status == "optimal"


def test_the_small_crisis_is_solved_with_every_rule_met(small: Conference) -> None:
    found = plan(PlanningProblem.from_truth(small))
    assert found.unmet == ()
    assert found.quality == 1.0
    assert found.placement["board"] == ("l12", 10)


def test_an_order_follows_its_event_or_is_cancelled(small: Conference) -> None:
    found = plan(PlanningProblem.from_truth(small))
    by_order = {errand.order: errand.do for errand in found.errands if errand.order}
    assert by_order["o-2"] == "change"
    assert by_order["o-1"] in ("change", "cancel")


def test_a_slot_that_may_be_refused_is_taken_only_if_nothing_safe_is_as_good() -> None:
    sure = Venue("sure", "b", THEATRE, frozenset(), {3: 1.0})
    unsure = Venue("unsure", "b", THEATRE, frozenset(), {3: 0.4})
    rules = (Requirement(id="p", kind="placed", leaf="placed", event="e"),)
    held = frozenset({("unsure", 3)})
    both = plan(PlanningProblem(venues=(sure, unsure), events=(event("e"),), now=NOWHERE, rules=rules, held=held))
    assert both.placement == {"e": ("sure", 3)}
    prices = TradeOffs(bump=0.1)
    only = plan(
        PlanningProblem(venues=(unsure,), events=(event("e"),), now=NOWHERE, rules=rules, held=held, prices=prices)
    )
    assert only.asks == (("unsure", 3),)
    dear = TradeOffs(bump=0.5)
    assert (
        plan(
            PlanningProblem(venues=(unsure,), events=(event("e"),), now=NOWHERE, rules=rules, held=held, prices=dear)
        ).asks
        == ()
    )


def test_an_order_that_costs_more_than_its_rule_is_not_made() -> None:
    room = Venue("r", "b", THEATRE, frozenset(), {3: 1.0})
    now = {"e": ("r", 3)}
    rules = (
        Requirement(id="p", kind="placed", leaf="placed", event="e"),
        Requirement(id="q", kind="equipment", leaf="equipment", event="e", item="projector"),
    )
    offers = (beamer(600.0, from_slot=0),)
    problem = PlanningProblem(venues=(room,), events=(event("e"),), now=now, rules=rules, offers=offers)
    assert plan(problem).errands == ()
    cheap = (beamer(40.0, from_slot=0),)
    ordered = plan(PlanningProblem(venues=(room,), events=(event("e"),), now=now, rules=rules, offers=cheap)).errands
    assert [(errand.do, errand.item, errand.money) for errand in ordered] == [("order", "beamer", 50.0)]


def test_what_cannot_be_delivered_in_time_is_not_ordered() -> None:
    room = Venue("r", "b", THEATRE, frozenset(), {3: 1.0, 9: 1.0})
    rules = (
        Requirement(id="p", kind="placed", leaf="placed", event="e"),
        Requirement(id="q", kind="equipment", leaf="equipment", event="e", item="projector"),
    )
    offers = (beamer(40.0, from_slot=5),)
    found = plan(PlanningProblem(venues=(room,), events=(event("e"),), now=NOWHERE, rules=rules, offers=offers))
    assert found.placement == {"e": ("r", 9)}
