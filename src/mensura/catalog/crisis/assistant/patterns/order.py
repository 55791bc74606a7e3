"""Orders: what a mail wants to have brought, changed or cancelled."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named, within
from mensura.catalog.crisis.assistant.reader import Reader, numbers_in, sentences

CANCEL = re.compile(r"cancel|can go\b|no longer (?:need|want)|call off|not needed|aren't needed")
CHANGE = re.compile(r"too small|make it|raise|not what was ordered|right number|changing|change the order|need \d+ of")
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
Json = Mapping[str, Any]


def orders(letter: Json, known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read orders from the whole of a mail, since vendor, goods and event are often sentences apart."""
    text = f"{letter['subject']}\n{letter['body']}"
    low = text.lower()
    vendor = next((one for one in known.raw["vendors"] if one["name"].lower() in low), None)
    standing = _standing(low, vendor, known, reader, letter)
    if standing is not None and CANCEL.search(low):
        yield candidate("cancel_order", "cancel an order", 0.6, order=standing["id"])
    elif standing is not None and CHANGE.search(low):
        quantity = _quantity(text, standing_item(standing, known), known, reader)
        yield candidate("change_order", "change an order", 0.55, order=standing["id"], quantity=quantity)
    elif goods := _goods(low, vendor, known):
        seller, item = goods
        events = _events(letter, item["name"], reader)
        if events:
            how = "" if vendor else ", vendor chosen by price"
            quantity = _quantity(letter["body"], item["name"], known, reader)
            sure = 0.6 if vendor else 0.25
            yield candidate(
                "order", f"order{how}", sure, vendor=seller["id"], item=item["id"], quantity=quantity, event=events[0]
            )


def _events(letter: Json, goods: str, reader: Reader) -> list[str]:
    """Return the events that a mail names, the one nearest to the goods first."""
    body, sender = letter["body"], letter["sender"]
    at = body.lower().find(goods.lower())
    found = [one for one in reader.find(body, sender=sender) if one.kind == "event"]
    near = sorted(found, key=lambda one: abs(one.start - at))
    return [one.id for one in near] or named(reader.find(letter["subject"], sender=sender), "event")


def _standing(low: str, vendor: Json | None, known: Known, reader: Reader, letter: Json) -> Json | None:
    """Find the order that is meant: by its number, or by vendor and event."""
    for order in known.raw["orders"]:
        if re.search(rf"(?<!\w){re.escape(order['id'].lower())}(?!\w)", low):
            return dict(order)
    if vendor is None or not (CHANGE.search(low) or CANCEL.search(low)):
        return None
    events = named(reader.find(letter["body"], sender=letter["sender"]), "event")
    fits = [order for order in known.raw["orders"] if order["vendor"] == vendor["id"] and order["event"] in events]
    return dict(fits[0]) if len(fits) == 1 else None


def standing_item(order: Json, known: Known) -> str:
    """Return the name of the goods of an order."""
    for vendor in known.raw["vendors"]:
        for item in vendor["items"]:
            if vendor["id"] == order["vendor"] and item["id"] == order["item"]:
                return str(item["name"])
    return ""


def _goods(low: str, vendor: Json | None, known: Known) -> tuple[Json, Json] | None:
    """Find goods by their name; without a vendor's name the cheapest that sells them."""
    found = [
        (len(item["name"]), -item["price"], number, seller, item)
        for number, seller in enumerate(known.raw["vendors"])
        if vendor is None or seller["id"] == vendor["id"]
        for item in seller["items"]
        if item["name"].lower() in low or (vendor is not None and _stem(item["name"]) in low)
    ]
    if not found:
        return None
    best = max(found, key=lambda one: one[:3])
    return best[3], best[4]


def _stem(name: str) -> str:
    """Return the telling word of a name: the last one before a comma."""
    return name.lower().split(",")[0].split(" with ")[0].split()[-1].rstrip("s")


def _quantity(text: str, goods: str, known: Known, reader: Reader) -> int:
    """Find how many: the number nearest to the goods' name, else a number word, else one."""
    found = reader.find(text)
    at = text.lower().find(goods.lower())
    counts = [
        (abs(where - at), value)
        for value, where in numbers_in(text)
        if not within(where, found) and not _in_name(where, goods, text)
    ]
    if counts:
        return min(counts)[1]
    for sentence in sentences(text):
        for number, word in enumerate(WORDS, start=1):
            if re.search(rf"\b{word}\b {re.escape(_stem(goods))}", sentence.lower()):
                return number
    return 1


def _in_name(where: int, goods: str, text: str) -> bool:
    start = text.lower().find(goods.lower())
    return start >= 0 and start <= where < start + len(goods)
