"""Constraints: when people cannot come, and what they would like."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.calendar import DAYTIME
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named
from mensura.catalog.crisis.assistant.reader import Reader, own_events, sentences
from mensura.catalog.crisis.office.slots import slots_text
from mensura.catalog.crisis.world.time import EVENING, SLOTS, block_of

AWAY = re.compile(
    r"cannot|can't|cant\b|can not|away|unavailable|not (?:be )?(?:available|there|here|around|free|able)|impossible"
    r"|busy|won't|unable|absent|elsewhere|out of|leave|gone|arrive|in the air|nothing that|called for|takes up"
    r"|do not schedule|don't schedule|keep me out|teach|wedding|hospital|buried|has given me|but not"
)
WISH = re.compile(
    r"like|prefer|wish|rather|could|possible|please|request|want|hope|appreciat|grateful|better|ideal|love|should|must"
    r"|only|for |sense|keep|mustn't|don't"
)
TOGETHER = re.compile(r"same time|clash|overlap|parallel|compete|pair of ears|different times|both")
ORDERED = re.compile(r"\bbefore\b|earlier|ahead of|prior to|only then|over and done|will be discussed")


def availability(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read when someone cannot come: the writer, or a speaker whom they name."""
    sender = letter["sender"]
    day: tuple[int, ...] = reader.slots(letter["subject"], sender=sender)
    for sentence in sentences(letter["body"]):
        low = sentence.lower()
        slots = reader.slots(sentence, sender=sender)
        how = "" if slots else ", day named before"
        told, day = slots or day, slots or day
        if not told or not AWAY.search(low):
            continue
        others = [one for one in named(reader.find(sentence), "person") if one != sender and own_events(known, one)]
        who = others[0] if others else sender
        if not own_events(known, who):
            continue
        whole = {block_of(slot) for slot in told} == set(range(EVENING + 1))
        kind = "all day" if whole else "part of a day"
        pattern = f"away, {'someone named' if others else 'the sender'}, {kind}{how}"
        yield _constrain("away", pattern, 0.65, person=who, slots=slots_text(told))


def preferences(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read what someone would like for an event: a building, a room, a time, or something about another event."""
    sender = letter["sender"]
    seen = named(reader.find(letter["subject"], sender=sender), "event")[:1]
    mine = own_events(known, sender)
    place = ""
    for sentence in sentences(letter["body"]):
        found = reader.find(sentence, sender=sender)
        events, low = named(found, "event"), sentence.lower()
        how = "" if events else ", event named before"
        seen = events[:1] or seen
        about = seen or (mine if len(mine) == 1 else [])
        rooms = named(found, "room")
        houses = named(found, "building") if not rooms else []
        if not about or not (WISH.search(low) or rooms or houses or len(events) > 1):
            place = rooms[0] if rooms else place
            continue
        event = about[0]
        if len(events) > 1:
            yield from _pair(events[0], events[1], low)
            continue
        for house in houses[:1]:
            yield _constrain("building", f"wish, building{how}", 0.55, event=event, place=house)
        for room in rooms[:1] or ([place] if place and "in there" in low else []):
            yield _constrain("room", f"wish, room{how}", 0.5, event=event, place=room)
        slots = reader.slots(sentence, whole_day=DAYTIME, sender=sender)
        if slots and len(slots) < SLOTS:
            part = "part of the day" if len({block_of(slot) for slot in slots}) <= 2 else "day"
            sure = 0.3 if AWAY.search(low) else 0.5
            also = ", or away" if AWAY.search(low) else ""
            yield _constrain("slots", f"wish, {part}{also}{how}", sure, event=event, slots=slots_text(slots))


def _pair(one: str, other: str, low: str) -> Iterator[Candidate]:
    if TOGETHER.search(low):
        yield _constrain("apart", "wish, apart", 0.55, event=one, other=other)
    elif re.search(r"same building|near\b|close to|next (?:door|to)|under one roof|one building", low):
        yield _constrain("same_building", "wish, same building", 0.55, event=one, other=other)
    elif re.search(r"\bafter\b|later than", low):
        yield _constrain("before", "wish, after", 0.5, event=other, other=one)
    else:
        plain = "" if ORDERED.search(low) else ", by the order of words"
        yield _constrain("before", f"wish, before{plain}", 0.55 if not plain else 0.35, event=one, other=other)


def _constrain(kind: str, pattern: str, sure: float, **arguments: Any) -> Candidate:
    return candidate("constrain", pattern, sure, kind=kind, **arguments)
