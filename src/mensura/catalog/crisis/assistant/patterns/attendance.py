"""Events: how many come and what they need, as a mail reports it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, denied, named, within
from mensura.catalog.crisis.assistant.reader import Reader, numbers_in, own_events, sentences

COMING = re.compile(
    r"attend|expect|regist|sign-?(?:ed|ing)? ?up|coming|come|people|participants|persons|head|guests|audience|interest"
    r"|listeners|names|number|of us|count|turnout|makes"
)
NEED = re.compile(
    r"\bneed|requir|must|would like|want|depends? on|do without|bring|could we have|please|provide|ask for|ask early"
)
NEEDLESS = re.compile(r"no longer need|not need|don't need|needs no\b")
OTHER = re.compile(r"order|booth|web|site|page|quantity|×|vendor")


def event_facts(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read attendance and needs of events; a sentence that names none speaks of the one named before."""
    sender = letter["sender"]
    seen = named(reader.find(letter["subject"], sender=sender), "event")[:1]
    mine = own_events(known, sender)
    for sentence in sentences(letter["body"]):
        found = reader.find(sentence, sender=sender)
        here = named(found, "event")
        seen = here[:1] or seen
        about = seen or (mine if len(mine) == 1 else [])
        if not about or named(found, "room"):
            continue
        event, low = about[0], sentence.lower()
        how = "" if here else ", event named before" if seen else ", sender's own event"
        counts = [value for value, at in numbers_in(sentence) if 5 <= value <= 2000 and not within(at, found)]
        value = next((count for count in counts if not denied(low, count)), 0)
        if value:
            said = "" if COMING.search(low) else ", only a number"
            other = ", of something else" if OTHER.search(low) else ""
            sure = 0.6 if not said and not other else 0.35
            yield _fact(event, "attendance", str(value), f"attendance{said}{other}{how}", sure)
        if items := named(found, "item"):
            yield from _needs(event, items, low, known, how)


def _needs(event: str, items: list[str], low: str, known: Known, how: str) -> Iterator[Candidate]:
    needs = list(known.raw["facts"]["needs"].get(event, ()))
    if NEEDLESS.search(low):
        left = [item for item in needs if item not in items]
        yield _fact(event, "needs", ", ".join(left) or "none", f"needs less{how}", 0.5)
    elif NEED.search(low):
        more = [*needs, *(item for item in items if item not in needs)]
        yield _fact(event, "needs", ", ".join(more), f"needs more{how}", 0.6)


def _fact(event: str, fact: str, value: str, pattern: str, sure: float) -> Candidate:
    return candidate("set_event_fact", pattern, sure, event=event, fact=fact, value=value)
