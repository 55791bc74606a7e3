"""The manual's rules as the assistant was built to know them: engineered, the same whether it has learned or not."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import DAYS, EVENING, slot_of

EVENINGS = tuple(slot_of(day, EVENING) for day in range(DAYS))
DAYTIMES = tuple(slot_of(day, block) for day in range(DAYS) for block in range(EVENING))
AFTERNOONS = tuple(slot_of(day, block) for day in range(DAYS) for block in (2, 3))
HEAVY = ("keynote", "plenary")
IN_TURN = (("tutorial", "workshop"), ("papers", "panel"))
"""Kinds of events of which the one with a name goes before the other with the same: Tutorial 1 before Workshop 1."""


def manual_rules(known: Mapping[str, Any]) -> Iterator[Requirement]:
    """Write down what the manual asks of every schedule, from the tables of events as they stand."""
    events = known["events"]
    lost = {(room["id"], slot) for room in known["rooms"] for slot in room["lost"]}
    for event in events:
        yield from _own(event, known["facts"], lost=lost)
    yield from _between(events)


def _own(event: Mapping[str, Any], facts: Mapping[str, Any], *, lost: set[tuple[str, int]]) -> Iterator[Requirement]:
    id = event["id"]
    heavy = 2.0 if event["kind"] in HEAVY else 1.0
    yield Requirement(id=f"placed {id}", kind="placed", leaf="placed", event=id, weight=2.0 * heavy)
    yield Requirement(id=f"capacity {id}", kind="capacity", leaf="capacity", event=id, weight=heavy)
    for item in facts["needs"].get(id, ()):
        yield Requirement(
            id=f"equipment {id} {item}", kind="equipment", leaf="equipment", event=id, item=item, weight=heavy
        )
    if facts["catering"].get(id, 0):
        yield Requirement(id=f"catering {id}", kind="catering", leaf="catering", event=id)
    if event["talks"] or event.get("chair"):
        yield Requirement(id=f"speakers {id}", kind="speakers", leaf="speakers", event=id, weight=heavy)
    if heavy > 1:
        yield Requirement(id=f"alone {id}", kind="alone", leaf="plenaries", event=id, weight=heavy)
    if slots := _times(event):
        yield Requirement(id=f"times {id}", kind="slots", leaf="times", event=id, slots=slots)
    room, slot = event["original"]
    if not any((room, each) in lost for each in range(slot, slot + event["length"])):
        yield Requirement(id=f"stay {id}", kind="stay", leaf="announced", event=id, weight=0.5)


def _times(event: Mapping[str, Any]) -> tuple[int, ...]:
    was = event["original"][1]
    if event["kind"] == "social" or was in EVENINGS:
        return EVENINGS
    if event["kind"] == "keynote":
        return (was,)
    if event["kind"] == "exhibit":
        day = was // (EVENING + 1)
        return tuple(slot_of(day, block) for block in range(EVENING))
    return AFTERNOONS if event["kind"] == "posters" else DAYTIMES


def _between(events: Sequence[Mapping[str, Any]]) -> Iterator[Requirement]:
    """Keep sessions of one track apart, courses before the workshops built on them, posters beside their exhibit."""
    for one, other in combinations([event for event in events if event["track"]], 2):
        if one["track"] == other["track"]:
            ids = (one["id"], other["id"])
            yield Requirement(id=f"apart {ids}", kind="apart", leaf="sequence", event=ids[0], other=ids[1], weight=0.25)
    named = {(event["kind"], event["short"].split(" ")[-1]): event["id"] for event in events}
    for (kind, name), id in named.items():
        for first, second in IN_TURN:
            if kind == first and (second, name) in named and (kind != "papers" or name.endswith("1")):
                other_id = named[second, name]
                yield Requirement(
                    id=f"before {id} {other_id}", kind="before", leaf="sequence", event=id, other=other_id
                )
        if kind == "posters" and ("exhibit", name) in named:
            beside = named["exhibit", name]
            yield Requirement(id=f"near {id} {beside}", kind="same_building", leaf="places", event=id, other=beside)
