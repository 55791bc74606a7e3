"""The manual's rules as the assistant was built to know them: engineered, the same whether it has learned or not."""

from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.world.rule import Rule
from mensura.catalog.crisis.world.time import DAYS, EVENING, slot_of

EVENINGS = tuple(slot_of(day, EVENING) for day in range(DAYS))
DAYTIMES = tuple(slot_of(day, block) for day in range(DAYS) for block in range(EVENING))
AFTERNOONS = tuple(slot_of(day, block) for day in range(DAYS) for block in (2, 3))


def manual_rules(known: Mapping[str, Any]) -> Iterator[Rule]:
    """Write down what the manual asks of every schedule, from the tables of events as they stand."""
    facts = known["facts"]
    events = known["events"]
    for event in events:
        id, kind = event["id"], event["kind"]
        yield Rule(id=f"placed {id}", kind="placed", leaf="placed", event=id, weight=2.0)
        yield Rule(id=f"capacity {id}", kind="capacity", leaf="capacity", event=id)
        for item in facts["needs"].get(id, ()):
            yield Rule(id=f"equipment {id} {item}", kind="equipment", leaf="equipment", event=id, item=item)
        if facts["catering"].get(id, 0):
            yield Rule(id=f"catering {id}", kind="catering", leaf="catering", event=id)
        if event["talks"] or event.get("chair"):
            yield Rule(id=f"speakers {id}", kind="speakers", leaf="speakers", event=id)
        if kind in ("keynote", "plenary"):
            yield Rule(id=f"alone {id}", kind="alone", leaf="plenaries", event=id, weight=2.0)
        slots = _times(event)
        if slots:
            yield Rule(id=f"times {id}", kind="slots", leaf="times", event=id, slots=slots)
    yield from _apart(events)


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


def _apart(events: list[dict[str, Any]]) -> Iterator[Rule]:
    """Keep sessions of one track apart."""
    tracks: dict[str, list[str]] = {}
    for event in events:
        if event["track"]:
            tracks.setdefault(event["track"], []).append(event["id"])
    for members in tracks.values():
        for number, one in enumerate(members):
            for other in members[number + 1 :]:
                yield Rule(id=f"apart {one} {other}", kind="apart", leaf="requests", event=one, other=other, weight=0.3)
