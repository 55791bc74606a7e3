"""The web site: which field of which entry a mail wants changed, and to what."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate
from mensura.catalog.crisis.assistant.reading import Reader, sentences

VALUES: dict[str, str] = {
    "mail": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "phone": r"\+?\d[\d ()-]{6,}\d",
    "site": r"https?://[^\s,;]+",
    "quoted": r"[\"“‘']([^\"”’']{3,80})[\"”’']",
    "named": r"(?:should (?:be|read|say)|is now|changed? to|to read|correct(?: is|ly:?)|spel(?:t|led)|becomes?|to)[: ]+"
    r"([A-Z][\w&.'’-]*(?: (?:of |for |and |the |de |van )?[A-Z][\w&.'’-]*){0,5})",
    "amount": r"[€$£]\s?\d[\d.,]*\d|\d+ (?:euros?|dollars?|minutes)",
    "number": r"\b\d{1,3}\b",
}
FIELD_WORDS: dict[str, str] = {
    "mail": r"e-?mail|mail|address",
    "phone": r"phone|call|number|tel\b|mobile",
    "fax": r"\bfax",
    "site": r"home ?page|url|link|web ?(?:site|page) is|personal page",
    "name": r"\bname|spel|misspel|called",
    "affiliation": r"affiliation|university|institute|moved to|employer|work for|joined|college|belong",
    "title": r"\btitle",
    "chair": r"\bchair",
    "level": r"\blevel|gold|silver|bronze",
    "booth": r"\bbooth|stand\b",
    "contact": r"contact",
    "rate": r"\brate|price|per night|a night",
    "text": r"\btext|says|notice|page",
    "about": r"describ|about",
}
SITE = re.compile(r"web|site|page|online|listed|programme|internet|entry|list of")


def web_entries(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read changes of entries: of people, sponsors, hotels and talks, by their names."""
    text = f"{letter['subject']}\n{letter['body']}"
    spoken = bool(SITE.search(text.lower()))
    entries = _entries(text, letter, known, reader)
    for sentence in sentences(letter["body"]):
        low = sentence.lower()
        here = _entries(sentence, letter, known, reader)
        for entry, how in (here or entries)[:1]:
            fields = known.raw["site"].get(entry, {})
            for field, words in FIELD_WORDS.items():
                if field not in fields or not re.search(words, low):
                    continue
                for kind, value in _values(sentence, field):
                    if value != fields[field]:
                        sure = 0.6 if spoken else 0.4
                        pattern = f"web {field} {kind}, {how}" + ("" if spoken else ", site not named")
                        yield candidate("edit_entry", pattern, sure, entry=entry, field=field, value=value)
                        break


def _values(sentence: str, field: str) -> Iterator[tuple[str, str]]:
    """Find values that a field could take in a sentence, the last one first: corrections come after what is wrong."""
    kinds = {
        "mail": ("mail",),
        "contact": ("mail",),
        "phone": ("phone",),
        "fax": ("phone",),
        "site": ("site",),
        "booth": ("number",),
        "rate": ("amount",),
    }.get(field, ("quoted", "named"))
    if field == "level":
        found = re.findall(r"\b(gold|silver|bronze)\b", sentence.lower())
        if found:
            yield "level", found[-1]
        return
    for kind in kinds:
        matches = re.findall(VALUES[kind], sentence)
        if matches:
            yield kind, matches[-1].strip().rstrip(".,;")


def _entries(text: str, letter: Mapping[str, Any], known: Known, reader: Reader) -> list[tuple[str, str]]:
    """Find the entries that a text speaks of: by name on the site, by the person, or the sender's own."""
    low = text.lower()
    named = []
    for entry, fields in known.raw["site"].items():
        name = fields.get("name", "")
        if len(name) > 3 and name.lower() in low and not known.entries[entry]["event"]:
            named.append((entry, "named"))
    found = reader.find(text)
    people = [one.id for one in found if one.kind == "person"]
    by_name = {fields.get("name", ""): entry for entry, fields in known.raw["site"].items()}
    by_mail = {fields.get("mail", "-"): entry for entry, fields in known.raw["site"].items()}
    for person in [*people, letter["sender"]]:
        about = known.people.get(person)
        entry = about and (by_name.get(about["name"]) or by_mail.get(about["mail"]))
        if entry:
            named.append((entry, "sender" if person == letter["sender"] else "person"))
    events = [one.id for one in found if one.kind == "event"]
    named += [(entry["id"], "event") for entry in known.raw["entries"] if entry["event"] and entry["event"] in events]
    return list(dict(reversed(named)).items())[::-1] if named else []
