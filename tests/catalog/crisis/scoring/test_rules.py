"""Rules, one kind after the other, in the small world."""

from collections.abc import Callable
from typing import get_args

import pytest

from mensura.catalog.crisis.scoring.rules import BROKEN, LOOKS, met, why_not
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.requirement import Requirement, RuleKind
from mensura.catalog.crisis.world.supply.vendor import Order

Change = Callable[..., Snapshot]


def rule(kind: RuleKind, **what: object) -> Requirement:
    """Make a rule to check."""
    return Requirement.model_validate({"id": "r", "kind": kind, "leaf": "placed", **what})


def test_every_kind_of_rule_can_be_checked() -> None:
    assert BROKEN.keys() | LOOKS.keys() == set(get_args(RuleKind))


def test_the_good_office_meets_every_rule_of_the_world(done: Snapshot) -> None:
    assert {one.id: why for one in done.world.rules if (why := why_not(one, done))} == {}


def test_the_office_as_found_fails_where_the_hall_is_lost(found: Snapshot, small: Conference) -> None:
    failed = {one.id for one in small.rules if not met(one, found)}
    lost = {one.id for one in small.rules if one.event in ("keynote", "panel", "dinner") or one.other == "panel"}
    # Kofi Mensah speaks on the Tuesday he is away, at the panel that is lost and at the posters that are not.
    assert failed == lost | {"away-kofi"}


@pytest.mark.parametrize("at", [None, ("great", 6), ("auditorium", 9), ("auditorium", 7), ("store", 0), ("great", 21)])
def test_an_event_that_cannot_take_place_meets_none_of_its_rules(
    moved: Change, small: Conference, at: tuple[str, int] | None
) -> None:
    office = moved({"panel": at})
    about = [one for one in small.rules if one.event == "panel"]
    assert len(about) > 4
    assert not any(met(one, office) for one in about)


def test_two_events_in_one_room_both_lose_their_place_and_nothing_else(moved: Change, small: Conference) -> None:
    office = moved({"papers": ("auditorium", 11)})
    failed = {one.id for one in small.rules if not met(one, office)}
    assert failed == {"placed-papers", "placed-panel", "speakers-papers", "speakers-panel"}


def test_a_slot_that_its_owner_keeps_cannot_be_had_and_one_given_up_can(moved: Change, small: Conference) -> None:
    placed = small.rule["placed-keynote"]
    assert met(placed, moved())
    assert "reserved" in why_not(placed, moved(granted=frozenset()))


def test_a_long_event_needs_every_slot_and_stays_within_a_day(moved: Change, small: Conference) -> None:
    placed = small.rule["placed-tutorial"]
    assert met(placed, moved({"tutorial": ("l12", 12)}))
    assert "does not fit" in why_not(placed, moved({"tutorial": ("l12", 13)}))
    assert "the committee" in why_not(placed, moved({"board": ("l12", 3)}))


def test_capacity_is_the_true_one_in_the_events_layout(moved: Change, small: Conference) -> None:
    assert why_not(small.rule["capacity-keynote"], moved({"keynote": ("terrace", 5)})) == (
        "the keynote has 170 people; Terrace Room holds 110 as theatre."
    )
    assert "cannot be set up as banquet" in why_not(small.rule["capacity-dinner"], moved({"dinner": ("l12", 14)}))


def test_equipment_is_built_in_or_ordered_for_there_and_then(moved: Change, small: Conference) -> None:
    needs = rule("equipment", event="papers", item="projector")
    order = Order(id="o-9", vendor="brightline", item="projector-set", quantity=1, event="papers", room="l12", slot=0)
    assert met(needs, moved())
    assert not met(needs, moved({"papers": ("l12", 0)}))
    assert met(needs, moved({"papers": ("l12", 0)}, orders=(order,)))
    assert not met(needs, moved({"papers": ("l12", 1)}, orders=(order,)))


def test_catering_must_be_enough_and_go_to_the_right_place(moved: Change, small: Conference) -> None:
    needs = small.rule["catering-dinner"]
    order = Order(id="o-2", vendor="saffron", item="dinner", quantity=60, event="dinner", room="terrace", slot=14)
    more = order.model_copy(update={"id": "o-3", "quantity": 30})
    assert not met(needs, moved(orders=(order,)))
    assert met(needs, moved(orders=(order, more)))
    assert not met(needs, moved(orders=small.orders))


def test_nobody_can_be_in_two_places(moved: Change, small: Conference) -> None:
    why = why_not(small.rule["speakers-posters"], moved({"posters": ("terrace", 0)}))
    assert why == "Kofi Mensah must be at the posters and Papers A1 at the same time."


def test_being_away_counts_for_every_event_of_a_person(moved: Change, small: Conference) -> None:
    assert "Kofi Mensah" in why_not(small.rule["away-kofi"], moved({"papers": ("auditorium", 8)}))
    assert not met(small.rule["away-kofi"], moved({"papers": None}))


@pytest.mark.parametrize(
    ("kind", "what", "good", "bad"),
    [
        ("slots", {"event": "panel", "slots": [11]}, ("auditorium", 11), ("auditorium", 12)),
        ("before", {"event": "panel", "other": "dinner"}, ("auditorium", 13), ("auditorium", 15)),
        ("apart", {"event": "panel", "other": "dinner"}, ("auditorium", 13), ("auditorium", 14)),
        ("same_building", {"event": "panel", "other": "dinner"}, ("auditorium", 11), ("l12", 11)),
        ("building", {"event": "panel", "place": "orchard"}, ("terrace", 11), ("l12", 11)),
        ("room", {"event": "panel", "place": "l12"}, ("l12", 11), ("terrace", 11)),
        ("alone", {"event": "panel"}, ("auditorium", 11), ("auditorium", 13)),
        ("stay", {"event": "papers"}, ("auditorium", 11), None),
    ],
)
def test_rules_of_time_and_place(
    moved: Change, kind: RuleKind, what: dict[str, object], good: tuple[str, int], bad: tuple[str, int] | None
) -> None:
    one = rule(kind, **what)
    event = "papers" if kind == "stay" else "panel"
    right = moved() if kind == "stay" else moved({event: good})
    wrong = moved({event: ("auditorium", 1)}) if kind == "stay" else moved({event: bad})
    assert met(one, right)
    assert why_not(one, wrong).endswith(".")


def test_the_exhibit_hall_disturbs_nobody_who_must_be_alone(moved: Change, small: Conference) -> None:
    events = tuple(
        event.model_copy(update={"kind": "exhibit"}) if event.id == "papers" else event for event in small.events
    )
    world = small.model_copy(update={"events": events})
    # A copy keeps what was computed for the original, which knows the old events.
    for name in ("event", "hash"):
        world.__dict__.pop(name, None)
    alone = rule("alone", event="keynote")
    assert not met(alone, moved({"papers": ("l12", 5)}))
    assert met(alone, moved({"papers": ("l12", 5)}, world=world))
