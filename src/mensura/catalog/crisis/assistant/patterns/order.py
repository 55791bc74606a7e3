"""Orders: what a mail wants to have brought, changed or cancelled."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named
from mensura.catalog.crisis.assistant.reading import Reader, numbers_in, sentences

WANT = re.compile(r"order|get|need|want|like|bring|provide|book|hire|arrange|send|buy|supply|have")
CANCEL = re.compile(r"cancel|no longer (?:need|want)|call off|not needed")
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "a dozen")


def orders(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read orders: an item that a vendor sells, how many, and for which event."""
    ids = {order["id"].lower(): order["id"] for order in known.raw["orders"]}
    seen = named(reader.find(letter["subject"]), "event")
    for sentence in sentences(letter["body"]):
        low = sentence.lower()
        here = named(reader.find(sentence), "event")
        seen = here or seen
        if CANCEL.search(low):
            for id in ids:
                if id in low:
                    yield candidate("cancel_order", "cancel by number", 0.6, order=ids[id])
            continue
        if not seen or not WANT.search(low):
            continue
        found = _goods(low, known)
        if found:
            vendor, item = found
            event = seen[0]
            how = "" if here else ", event named before"
            quantity = _quantity(sentence, low, reader)
            yield candidate(
                "order", f"order{how}", 0.5, vendor=vendor["id"], item=item["id"], quantity=quantity, event=event
            )


def _goods(low: str, known: Known) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    """Find the goods whose name has most words in the text; of several vendors the one named, else the cheapest."""
    best: tuple[int, float, Mapping[str, Any], Mapping[str, Any]] | None = None
    for vendor in known.raw["vendors"]:
        by_name = vendor["name"].lower() in low
        for item in vendor["items"]:
            words = set(re.findall(r"[a-z]{4,}", item["name"].lower()))
            hits = sum(word.rstrip("s") in low for word in words) + 3 * by_name * bool(words)
            if any(word.rstrip("s") in low for word in words) and (best is None or (hits, -item["price"]) > best[:2]):
                best = (hits, -item["price"], vendor, item)
    return None if best is None else best[2:]


def _quantity(sentence: str, low: str, reader: Reader) -> int:
    found = reader.find(sentence)
    counts = [value for value, at in numbers_in(sentence) if not any(one.start <= at < one.end for one in found)]
    if counts:
        return counts[0]
    return next((number for number, word in enumerate(WORDS, start=1) if re.search(rf"\b{word}\b", low)), 1)
