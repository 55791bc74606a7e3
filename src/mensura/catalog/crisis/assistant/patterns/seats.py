"""Rooms: seats and equipment that a mail reports."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, denied, named, within
from mensura.catalog.crisis.assistant.reader import Reader, layout_in, numbers_in, sentences

SEATS = re.compile(r"\bseats?\b|\bholds?\b|capacity|chairs|\bfits?\b|places|room for|people|persons|takes|limit")
GONE = re.compile(
    r"\bno\b|\bnot\b|n't\b|without|remov|broke|gone|lost|taken|stole|thieves|lacks?|out of order|missing|disappoint"
)
COME = re.compile(r"\bnow has\b|install|fitted|put |equipped|from now on|has a new|added|bought|works? again|is back")


def room_facts(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read seats and equipment of rooms; a sentence that names no room speaks of the one named before."""
    seen = named(reader.find(letter["subject"]), "room")[-1:]
    for sentence in sentences(letter["body"]):
        found = reader.find(sentence, sender=letter["sender"])
        here = named(found, "room")
        seen = here[-1:] or seen
        if not seen or named(found, "event"):
            continue
        room, how = seen[0], "" if here else ", room named before"
        counts = [value for value, at in numbers_in(sentence) if 8 <= value <= 2000 and not within(at, found)]
        layout = layout_in(sentence)
        # "40 instead of 60": the number that is denied is not the one to enter.
        value = next((count for count in counts if not denied(sentence.lower(), count)), 0)
        if value and layout:
            yield _capacity(room, layout, value, f"seats, layout said{how}", 0.7)
        elif value and SEATS.search(sentence.lower()):
            yield from _guessed(room, value, known, how)
        if items := named(found, "item"):
            yield from _equipment(room, items, sentence.lower(), known, how)


def _guessed(room: str, value: int, known: Known, how: str) -> Iterator[Candidate]:
    for layout in known.raw["facts"]["capacity"].get(room, {}):
        yield _capacity(room, layout, value, f"seats, {layout} guessed{how}", 0.35)


def _equipment(room: str, items: list[str], low: str, known: Known, how: str) -> Iterator[Candidate]:
    has = list(known.raw["facts"]["equipment"].get(room, ()))
    if COME.search(low):
        there, pattern = [*has, *(item for item in items if item not in has)], f"equipment won{how}"
    elif GONE.search(low):
        there, pattern = [item for item in has if item not in items], f"equipment lost{how}"
    else:
        return
    value = ", ".join(there) or "none"
    yield candidate("set_room_fact", pattern, 0.6, room=room, fact="equipment", value=value)


def _capacity(room: str, layout: str, value: int, pattern: str, sure: float) -> Candidate:
    return candidate("set_room_fact", pattern, sure, room=room, fact=f"capacity.{layout}", value=str(value))
