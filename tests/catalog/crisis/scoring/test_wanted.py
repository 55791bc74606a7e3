"""What people write for from vendors counts as a request, when it comes to where the event is."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.scoring.schedule import grade_schedule
from mensura.catalog.crisis.scoring.snapshot import Snapshot, untouched
from mensura.catalog.crisis.scoring.wanted import wanted

Change = Callable[..., Snapshot]


def test_flowers_that_come_to_the_event_are_a_request_met(done: Snapshot, found: Snapshot) -> None:
    assert wanted(done) == {"task-flowers": ""}
    assert wanted(found) == {
        "task-flowers": "2 × Table bouquet from Petal & Stem for the dinner were asked for; 0 will come."
    }


def test_too_few_of_them_or_at_another_place_are_not(done: Snapshot, moved: Change) -> None:
    meal, flowers = done.orders
    few = replace(done, orders=(meal, flowers.model_copy(update={"quantity": 1})))
    assert wanted(few)["task-flowers"].endswith("1 will come.")
    assert wanted(moved({"dinner": ("auditorium", 14)}))["task-flowers"].endswith("0 will come.")


def test_a_request_not_met_takes_its_weight_from_the_schedule(done: Snapshot) -> None:
    without = replace(done, orders=done.orders[:1])
    graded, whole = grade_schedule(without), grade_schedule(done)
    assert graded.weight == whole.weight
    assert graded.quality == pytest.approx(whole.quality - 1 / whole.weight)
    assert "task-flowers" in graded.failures


def test_an_order_taken_back_or_changed_is_met_when_it_is_so() -> None:
    world = build_world("crisis-1")
    start = untouched(world)
    tasks = {task.id: task.target for _, task in world.tasks.values() if task.kind == "order"}
    (cancel,) = [name for name, target in tasks.items() if target.get("cancel")]
    (change,) = [name for name, target in tasks.items() if "order" in target and "quantity" in target]
    assert "was to be cancelled and still stands" in wanted(start)[cancel]
    kept = tuple(order for order in start.orders if order.id != tasks[cancel]["order"])
    assert wanted(replace(start, orders=kept))[cancel] == ""
    assert "was to bring" in wanted(start)[change]
    asked = {tasks[change]["order"]: {"quantity": tasks[change]["quantity"]}}
    right = tuple(order.model_copy(update=asked.get(order.id, {})) for order in start.orders)
    assert wanted(replace(start, orders=right))[change] == ""
