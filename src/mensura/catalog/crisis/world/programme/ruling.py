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
    """Return what comes before what: a course before the workshop built on it, papers before their track's panel."""
    named = _by_name(events)
    return [
        (id, named[second, name])
        for (kind, name), id in named.items()
        for first, second in IN_TURN
        if kind == first and (second, name) in named and (kind != "papers" or name.endswith("1"))
    ]


def neighbours(events: Iterable[Named]) -> list[tuple[str, str]]:
    """Return which poster sessions go with which exhibit."""
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
        _pair(f"before-{one}-{two}", "before", "sequence", (one, two), f"{one} ends before {two} begins.")
        for one, two in sequence(events)
    ]


def track_rules(events: Sequence[ConferenceEvent]) -> list[Requirement]:
    """Keep events of one track apart."""
    words = "{} and {} are of one track and never at the same time."
    pairs = combinations([event for event in events if event.track], 2)
    return [
        _pair(
            f"apart-{one.id}-{two.id}", "apart", "sequence", (one.id, two.id), words.format(one.short, two.short), 0.25
        )
        for one, two in pairs
        if one.track == two.track
    ]


def near_rules(events: Sequence[ConferenceEvent]) -> list[Requirement]:
    """Put poster sessions beside their exhibit."""
    words = "Poster session {0} is in the same building as exhibit {0}."
    return [
        _pair(f"near-{pair[0]}", "same_building", "places", pair, words.format(pair[0][-1]))
        for pair in neighbours(events)
    ]


def _pair(id: str, kind: RuleKind, leaf: str, events: tuple[str, str], words: str, weight: float = 1.0) -> Requirement:
    return Requirement(id=id, kind=kind, leaf=leaf, event=events[0], other=events[1], weight=weight, words=words)


def _by_name(events: Iterable[Named]) -> dict[tuple[str, str], str]:
    return {(event.kind, event.short.split(" ")[-1]): event.id for event in events}
