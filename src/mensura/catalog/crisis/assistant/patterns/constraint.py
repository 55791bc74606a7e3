"""Constraints: when people cannot come, and what they would like."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named
from mensura.catalog.crisis.assistant.reading import Reader, sentences
from mensura.catalog.crisis.office.slots import slots_text
from mensura.catalog.crisis.world.time import SLOTS

AWAY = re.compile(
    r"cannot|can't|cant\b|can not|away|unavailable|not (?:be )?(?:available|there|here|around|free|able)|impossible"
    r"|busy|miss\b|absent|elsewhere|out of|flight|train|leav|arriv|surgery|wedding|exam|doctor|conflict|other plans"
    r"|won't|unable"
)
ONLY = re.compile(r"\bonly\b|any other|other than")
WISH = re.compile(
    r"like|prefer|wish|rather|could|possible|please|request|want|hope|appreciat|grateful|better|ideal|ask|need|must|should"
)
FINE = re.compile(r"other days|fine|ok\b|okay|all right|no problem|works")


def availability(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read when someone cannot come: the one named, or whoever writes."""
    everyone = [one for one in named(reader.find(letter["body"]), "person") if one != letter["sender"]]
    speaks = {person for event in known.events.values() for person in _people(event)}
    days_before: tuple[int, ...] = reader.slots(letter["subject"])
    for sentence in sentences(f"{letter['subject']}.\n{letter['body']}"):
        low = sentence.lower()
        slots = reader.slots(sentence)
        if not slots and AWAY.search(low):
            slots = days_before
        days_before = reader.slots(sentence) or days_before
        if not slots or not AWAY.search(low):
            continue
        people = [one for one in named(reader.find(sentence), "person") if one != letter["sender"]] or everyone
        who = next((one for one in people if one in speaks), letter["sender"])
        if who not in speaks:
            continue
        pattern = "away, someone named" if who != letter["sender"] else "away, the sender"
        if ONLY.search(low):
            others = tuple(slot for slot in range(SLOTS) if slot not in slots)
            yield _constrain("away", f"{pattern}, only then", 0.35, person=who, slots=slots_text(others))
        else:
            yield _constrain("away", pattern, 0.65, person=who, slots=slots_text(slots))


def preferences(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read what someone would like for an event: a building, a room, a time, or something about another event."""
    mine = [id for id, event in known.events.items() if letter["sender"] in _people(event)]
    seen = named(reader.find(letter["subject"]), "event")[:1]
    for sentence in sentences(letter["body"]):
        found = reader.find(sentence)
        events = named(found, "event")
        low = sentence.lower()
        about = events[:1] or seen or (mine if len(mine) == 1 else [])
        seen = events[:1] or seen
        if not about or not WISH.search(low):
            continue
        event = about[0]
        how = "" if events else ", event named before or the sender's"
        if len(events) > 1:
            yield from _pair(events[0], events[1], low)
        for place in named(found, "building")[:1]:
            yield _constrain("building", f"wish, building{how}", 0.55, event=event, place=place)
        for place in named(found, "room")[:1]:
            yield _constrain("room", f"wish, room{how}", 0.5, event=event, place=place)
        if slots := reader.slots(sentence):
            length = known.events[event]["length"]
            begin = tuple(slot for slot in slots if set(range(slot, slot + length)) <= set(slots)) or slots
            yield _constrain("slots", f"wish, time{how}", 0.5, event=event, slots=slots_text(begin))


def _pair(one: str, other: str, low: str) -> Iterator[Candidate]:
    if re.search(r"same (?:time|slot)|clash|overlap|parallel|conflict|both|compet|against", low):
        yield _constrain("apart", "wish, apart", 0.55, event=one, other=other)
    if re.search(r"same building|near|close to|next (?:door|to)|under one roof|one building", low):
        yield _constrain("same_building", "wish, same building", 0.55, event=one, other=other)
    if re.search(r"\bbefore\b|earlier|ahead of|precede|prior to|first", low):
        yield _constrain("before", "wish, before", 0.55, event=one, other=other)
    if re.search(r"\bafter\b|later than|follow|once", low):
        yield _constrain("before", "wish, after", 0.55, event=other, other=one)


def _people(event: Mapping[str, Any]) -> set[str]:
    return {talk["speaker"] for talk in event["talks"]} | {event.get("chair", "")}


def _constrain(kind: str, pattern: str, sure: float, **arguments: Any) -> Candidate:
    return candidate("constrain", pattern, sure, kind=kind, **arguments)
