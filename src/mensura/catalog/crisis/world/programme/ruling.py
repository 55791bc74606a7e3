"""Ruling: the rules that the manual states, written out for every event; the world has them, and planners know them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Protocol

from mensura.catalog.crisis.world.programme.event import ConferenceEvent, EventKind
from mensura.catalog.crisis.world.requirement import Requirement, RuleKind
from mensura.catalog.crisis.world.time import slot_words

IN_TURN = (("tutorial", "workshop"), ("papers", "panel"))
"""Kinds of events of which the one with a name goes before the other with the same: Tutorial 1 before Workshop 1."""


class Named(Protocol):
    """An event, or the sketch of one."""

    id: str
    kind: EventKind
    short: str


def sequence(events: Iterable[Named]) -> list[tuple[str, str]]:
    """Say what comes before what: a course before the workshop built on it, papers before their track's panel."""
    named = _by_name(events)
    return [
        (id, named[second, name])
        for (kind, name), id in named.items()
        for first, second in IN_TURN
        if kind == first and (second, name) in named and (kind != "papers" or name.endswith("1"))
    ]


def neighbours(events: Iterable[Named]) -> list[tuple[str, str]]:
    """Say which poster sessions go with which exhibit."""
    named = _by_name(events)
    posters = [(name, id) for (kind, name), id in named.items() if kind == "posters"]
    return [(id, named["exhibit", name]) for name, id in posters if ("exhibit", name) in named]


def manual_rules(
    events: Sequence[ConferenceEvent], *, times: Mapping[str, tuple[int, ...]], moved: Iterable[str], first: date
) -> list[Requirement]:
    """Write the manual's rules for these events; what need not move should stay where it was announced."""
    gone = set(moved)
    return [
        *(rule for event in events for rule in own_rules(event, times=times[event.id])),
        *before_rules(events),
        *track_rules(events),
        *near_rules(events),
        *(stay_rule(event, first=first) for event in events if event.id not in gone),
    ]


def own_rules(event: ConferenceEvent, *, times: tuple[int, ...]) -> list[Requirement]:
    """Write the rules that look at one event only, but for the one that it should stay."""
    heavy = 2.0 if event.alone else 1.0

    def rule(kind: RuleKind, words: str, *, leaf: str = "", weight: float = heavy, item: str = "") -> Requirement:
        id = f"{kind}-{event.id}-{item}" if item else f"{kind}-{event.id}"
        return Requirement(id=id, kind=kind, leaf=leaf or kind, event=event.id, item=item, weight=weight, words=words)

    rules = [
        rule("placed", f"{event.short} has a room that can be used and that nobody else has.", weight=2.0 * heavy),
        rule("capacity", f"The room of {event.short} holds {event.attendance} in {event.layout} layout."),
    ]
    rules += [
        rule("equipment", f"{event.short} has {'internet' if need == 'internet' else f'a {need}'}.", item=need)
        for need in event.needs
    ]
    if event.catering:
        rules.append(rule("catering", f"{event.catering} portions are delivered to {event.short}.", weight=1.0))
    if event.people:
        rules.append(rule("speakers", f"Nobody who must be at {event.short} is elsewhere at the same time."))
    if event.alone:
        rules.append(rule("alone", f"Nothing else goes on during {event.short}.", leaf="plenaries"))
    words = f"{event.short} is at one of the times the manual allows."
    rules.append(
        Requirement(id=f"times-{event.id}", kind="slots", leaf="times", event=event.id, slots=times, words=words)
    )
    return rules


def stay_rule(event: ConferenceEvent, *, first: date) -> Requirement:
    """Write that an event should stay where it was announced."""
    words = f"{event.short} stays where it was announced, {slot_words(event.slot, first=first)}."
    return Requirement(id=f"stay-{event.id}", kind="stay", leaf="announced", event=event.id, weight=0.5, words=words)


def before_rules(events: Sequence[ConferenceEvent]) -> list[Requirement]:
    """Write what comes before what."""
    return [
        Requirement(
            id=f"before-{one}-{two}", kind="before", leaf="sequence", event=one, other=two,
            words=f"{one} ends before {two} begins.",
        )
        for one, two in sequence(events)
    ]  # fmt: skip


def track_rules(events: Sequence[ConferenceEvent]) -> list[Requirement]:
    """Keep events of one track apart."""
    return [
        Requirement(
            id=f"apart-{one.id}-{two.id}", kind="apart", leaf="sequence", event=one.id, other=two.id, weight=0.25,
            words=f"{one.short} and {two.short} are of one track and never at the same time.",
        )
        for one, two in combinations([event for event in events if event.track], 2)
        if one.track == two.track
    ]  # fmt: skip


def near_rules(events: Sequence[ConferenceEvent]) -> list[Requirement]:
    """Put poster sessions beside their exhibit."""
    return [
        Requirement(
            id=f"near-{posters}", kind="same_building", leaf="places", event=posters, other=exhibit,
            words=f"Poster session {posters[-1]} is in the same building as exhibit {posters[-1]}.",
        )
        for posters, exhibit in neighbours(events)
    ]  # fmt: skip


def _by_name(events: Iterable[Named]) -> dict[tuple[str, str], str]:
    return {(event.kind, event.short.split(" ")[-1]): event.id for event in events}
