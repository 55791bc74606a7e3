"""Events: how many come and what they need, as a mail reports it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named
from mensura.catalog.crisis.assistant.reading import Reader, layout_in, numbers_in, sentences

COMING = re.compile(
    r"attend|expect|regist|sign(?:ed|ing)? up|coming|come|people|participants|persons|heads|guests|audience|interest"
    r"|plan for"
)
NEED = re.compile(
    r"\bneed|requir|must have|would like|want|depends? on|without a|bring|could we have|please provide|ask for"
)
NEEDLESS = re.compile(r"no longer need|not need|don't need|do without|needs no\b")


def event_facts(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read attendance, needs and layout of events; a sentence that names none speaks of the one named before."""
    everywhere = named(reader.find(f"{letter['subject']}\n{letter['body']}"), "event")
    mine = [id for id, event in known.events.items() if letter["sender"] in _people(event)]
    seen = named(reader.find(letter["subject"]), "event")[-1:]
    for sentence in sentences(letter["body"]):
        found = reader.find(sentence)
        here = named(found, "event")
        seen = here or seen
        about = seen or everywhere[:1] or (mine if len(mine) == 1 else [])
        if not about or (named(found, "room") and not here):
            continue
        how = "" if here else ", event named before" if seen else ", sender's own event"
        low = sentence.lower()
        event = about[0]
        counts = [value for value, at in numbers_in(sentence) if 5 <= value <= 2000 and not _inside(at, found)]
        if counts and COMING.search(low):
            value = next((count for count in counts if not _denied(low, count)), counts[0])
            yield _fact(event, "attendance", str(value), f"attendance{how}", 0.6)
        items = named(found, "item")
        needs = list(known.raw["facts"]["needs"].get(event, ()))
        if items and NEEDLESS.search(low):
            left = [item for item in needs if item not in items]
            yield _fact(event, "needs", ", ".join(left) or "none", f"needs less{how}", 0.5)
        elif items and NEED.search(low):
            more = [*needs, *(item for item in items if item not in needs)]
            yield _fact(event, "needs", ", ".join(more), f"needs more{how}", 0.6)
        if (layout := layout_in(sentence)) and re.search(r"layout|style|set up|arranged", low) and not counts:
            yield _fact(event, "layout", layout, f"layout{how}", 0.35)


def _people(event: Mapping[str, Any]) -> set[str]:
    return {talk["speaker"] for talk in event["talks"]} | {event.get("chair", "")}


def _inside(at: int, found: list[Any]) -> bool:
    return any(one.start <= at < one.end for one in found)


def _denied(low: str, value: int) -> bool:
    return bool(re.search(rf"(?:not|instead of|rather than|no longer|were|was|than) (?:the )?{value}\b", low))


def _fact(event: str, fact: str, value: str, pattern: str, sure: float) -> Candidate:
    return candidate("set_event_fact", pattern, sure, event=event, fact=fact, value=value)
