"""Rooms: seats and equipment that a mail reports."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named
from mensura.catalog.crisis.assistant.reading import Reader, layout_in, numbers_in, sentences

SEATS = re.compile(r"\bseats?\b|\bholds?\b|capacity|chairs|\bfits?\b|places|room for|people|accommodat|takes|allow")
GONE = re.compile(
    r"\bno\b|\bnot\b|without|remov|broken|broke|gone|lost|taken|stolen|lacks?|out of order|missing|dead|repair|n't"
)
COME = re.compile(r"\bnow (?:has|have)\b|install|fitted|put in|got a|has a new|new|added|bought|works? again|is back")


def room_facts(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read seats and equipment of rooms; a sentence that names no room speaks of the one named before."""
    rooms = named(reader.find(letter["subject"]), "room")
    seen = rooms[-1:]
    all_rooms = named(reader.find(f"{letter['subject']}\n{letter['body']}"), "room")
    for sentence in sentences(letter["body"]):
        found = reader.find(sentence)
        here = named(found, "room")
        events = named(found, "event")
        seen = here or seen
        about = seen or (all_rooms if len(all_rooms) == 1 else [])
        if not about or (events and not here):
            continue
        low = sentence.lower()
        room = about[-1]
        yield from _seats(room, sentence, low, letter, known, named_here=bool(here))
        items = named(found, "item")
        has = list(known.raw["facts"]["equipment"].get(room, ()))
        if items and GONE.search(low):
            left = [item for item in has if item not in items]
            yield _equipment(room, left, "room lost" if here else "room lost, named before", 0.6)
        elif items and COME.search(low):
            more = [*has, *(item for item in items if item not in has)]
            yield _equipment(room, more, "room won" if here else "room won, named before", 0.6)


def _seats(
    room: str, sentence: str, low: str, letter: Mapping[str, Any], known: Known, *, named_here: bool
) -> Iterator[Candidate]:
    counts = [value for value, _ in numbers_in(sentence) if 8 <= value <= 2000 and str(value) not in _name(known, room)]
    if not counts or not SEATS.search(low):
        return
    layout = layout_in(sentence)
    elsewhere = layout or layout_in(f"{letter['subject']}\n{letter['body']}")
    # "40 instead of 60", "not 60 but 40": the number that is denied is not the one to enter.
    value = next((count for count in counts if not _denied(sentence, count)), counts[0])
    how = "" if named_here else ", room named before"
    if elsewhere:
        said = "layout said" if layout else "layout said elsewhere"
        yield _capacity(room, elsewhere, value, f"seats, {said}{how}", 0.7)
    else:
        for layout in known.raw["facts"]["capacity"].get(room, {}):
            yield _capacity(room, layout, value, f"seats, {layout} guessed{how}", 0.35)


def _denied(sentence: str, value: int) -> bool:
    return bool(
        re.search(rf"(?:not|instead of|rather than|no longer|from|were|was|old|than) (?:the )?{value}\b", sentence)
    )


def _name(known: Known, room: str) -> list[str]:
    return re.findall(r"\d+", known.rooms[room]["name"])


def _capacity(room: str, layout: str, value: int, pattern: str, sure: float) -> Candidate:
    return candidate("set_room_fact", pattern, sure, room=room, fact=f"capacity.{layout}", value=str(value))


def _equipment(room: str, items: list[str], pattern: str, sure: float) -> Candidate:
    return candidate("set_room_fact", pattern, sure, room=room, fact="equipment", value=", ".join(items) or "none")
