"""The web site: which field of which entry a mail wants changed, and to what."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named
from mensura.catalog.crisis.assistant.reader import Reader, numbers_in, sentences

SITE = re.compile(r"\bweb|\bsite\b|\bpages?\b|online|listed|entry|programme|link|url|beside my name")
MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"\+\d[\d ()-]{6,}\d")
LINK = re.compile(r"https?://[^\s,;]+[^\s,;.]")
QUOTED = re.compile(r"[\"“]([^\"”]{3,160})[\"”]")
MONEY = re.compile(r"[€$£]\s?\d+(?:[.,]\d+)?")
HOUSE = r"University|College|Institute|Academy|Centre|Center|Laboratory|Foundation|School|Polytechnic|Observatory"
INSTITUTION = re.compile(
    rf"(?:[A-Z][\w'’-]+ )*(?:{HOUSE})(?: (?:of|for|in) (?:the )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)?(?:, [A-Z][\w'’-]+)?"
)
TITLE = re.compile(r"title|renamed|called|announced|appear|new name")
LEVEL = re.compile(r"\b(gold|silver|bronze)\b")


def web_entries(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read changes of entries: of the sender, of sponsors and hotels by name, of events' titles."""
    whole = f"{letter['subject']}\n{letter['body']}"
    spoken = "" if SITE.search(whole.lower()) else ", site not named"
    mine = _own_entry(letter["sender"], known)
    about = _named_entry(whole, known)
    for sentence in sentences(letter["body"]):
        low = sentence.lower()
        if mine and len(sentence.split()) > 2:
            yield from _of_person(sentence, low, mine, letter, known, spoken)
        yield from _name(sentence, known, reader, spoken)
        if entry := _named_entry(sentence, known) or about:
            yield from _of_firm(sentence, low, entry, known, spoken)
        yield from _title(sentence, letter, known, reader, spoken)


def _of_person(
    sentence: str, low: str, entry: str, letter: Mapping[str, Any], known: Known, spoken: str
) -> Iterator[Candidate]:
    fields = known.raw["site"][entry]
    for field, pattern in (("mail", MAIL), ("site", LINK), ("phone", PHONE), ("affiliation", INSTITUTION)):
        values = [value.strip() for value in pattern.findall(sentence)]
        if not values or values[-1] == fields.get(field):
            continue
        if field == "phone" and _speaks_of_fax(letter, low):
            field = "fax"
        if field in fields and values[-1] != fields[field]:
            yield _edit(entry, field, values[-1], f"web {field}{spoken}", 0.6)


def _name(sentence: str, known: Known, reader: Reader, spoken: str) -> Iterator[Candidate]:
    """A writer who spells a name differently from the site means that it should be written so."""
    for person in named(reader.find(sentence), "person"):
        name = known.people[person]["name"]
        entry = _own_entry(person, known)
        if entry and name in sentence and known.raw["site"][entry].get("name", name) != name:
            yield _edit(entry, "name", name, f"web name{spoken}", 0.6)


def _speaks_of_fax(letter: Mapping[str, Any], low: str) -> bool:
    """Return whether a number is a fax number: the mail speaks of a fax and this sentence of no phone."""
    return "fax" in f"{letter['subject']} {letter['body']}".lower() and "phone" not in low


def _of_firm(sentence: str, low: str, entry: str, known: Known, spoken: str) -> Iterator[Candidate]:
    fields = known.raw["site"][entry]
    if "level" in fields and (levels := LEVEL.findall(low)):
        yield _edit(entry, "level", levels[-1], f"web level{spoken}", 0.6)
    if "booth" in fields and (numbers := [value for value, _ in numbers_in(sentence)]):
        yield _edit(entry, "booth", str(numbers[-1]), f"web booth{spoken}", 0.6)
    if "rate" in fields and (prices := MONEY.findall(sentence)):
        yield _edit(entry, "rate", prices[-1], f"web rate{spoken}", 0.6)


def _title(sentence: str, letter: Mapping[str, Any], known: Known, reader: Reader, spoken: str) -> Iterator[Candidate]:
    text = f"{letter['subject']}\n{letter['body']}"
    events = named(reader.find(sentence, sender=letter["sender"]), "event") or named(
        reader.find(text, sender=letter["sender"]), "event"
    )
    entry = next((one["id"] for one in known.raw["entries"] if events and one["event"] == events[0]), "")
    now = known.raw["site"].get(entry, {}).get("title")
    talks = {talk["title"] for event in known.events.values() for talk in event["talks"]}
    values = [value for value in QUOTED.findall(sentence) if value != now and value not in talks]
    if values and now is not None and TITLE.search(text.lower()):
        yield _edit(entry, "title", values[-1], f"web title{spoken}", 0.55)


def _own_entry(person: str, known: Known) -> str:
    """Find the entry of a person: by address first, since names are what is often wrong."""
    about = known.people.get(person)
    if about is None:
        return ""
    for field, value in (("mail", about["mail"]), ("phone", about["phone"]), ("name", about["name"])):
        for entry, fields in known.raw["site"].items():
            if fields.get(field) == value:
                return str(entry)
    names = {fields["name"]: str(entry) for entry, fields in known.raw["site"].items() if "name" in fields}
    near = get_close_matches(about["name"], names, n=1, cutoff=0.85)
    return names[near[0]] if near else ""


def _named_entry(text: str, known: Known) -> str:
    """Find the entry of a sponsor or hotel that a text names."""
    low = text.lower()
    found = [
        (len(fields["name"]), entry)
        for entry, fields in known.raw["site"].items()
        if {"level", "booth", "rate"} & set(fields) and fields.get("name", "-").lower() in low
    ]
    return max(found)[1] if found else ""


def _edit(entry: str, field: str, value: str, pattern: str, sure: float) -> Candidate:
    return candidate("edit_entry", pattern, sure, entry=entry, field=field, value=value)
