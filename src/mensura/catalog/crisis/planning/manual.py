"""The manual's rules as the assistant was built to know them: engineered, the same whether it has learned or not."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from mensura.catalog.crisis.schedule import Portal, Schedule
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.programme.ruling import (
    before_rules,
    near_rules,
    own_rules,
    stay_rule,
    track_rules,
)
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import AFTERNOONS, DAYTIMES, EVENING, EVENINGS, day_of, slot_of


def believed_rules(events: Sequence[ConferenceEvent], known: Mapping[str, Any]) -> Iterator[Requirement]:
    """Write down what the manual asks of every schedule, from the tables of events as they stand."""
    first = date.fromisoformat(known["first"])
    announced = Schedule(
        {event.id: (event.room, event.slot) for event in events}, length={event.id: event.length for event in events}
    )
    driven_out = announced.inside(Portal.shown(known).lost)
    for event in events:
        yield from own_rules(event, times=_times(event))
        if event.id not in driven_out:
            yield stay_rule(event, first=first)
    yield from track_rules(events)
    order = {event.id: number for number, event in enumerate(events)}
    yield from sorted([*before_rules(events), *near_rules(events)], key=lambda rule: order[rule.event])


def _times(event: ConferenceEvent) -> tuple[int, ...]:
    if event.kind == "social" or event.slot in EVENINGS:
        return EVENINGS
    if event.kind == "keynote":
        return (event.slot,)
    if event.kind == "exhibit":
        return tuple(slot_of(day_of(event.slot), block) for block in range(EVENING))
    return AFTERNOONS if event.kind == "posters" else DAYTIMES
