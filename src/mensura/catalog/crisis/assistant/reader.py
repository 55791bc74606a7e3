"""Reading: what a mail speaks of. Engineered, the same whether the assistant has learned or not."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mensura.catalog.crisis.assistant.calendar import slots_named
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.world.campus.place import EQUIPMENT, LAYOUTS
from mensura.catalog.crisis.world.time import EVENING, block_of, day_of

ALIASES = {
    "beamer": "projector",
    "mic": "microphone",
    "mics": "microphone",
    "wifi": "internet",
    "wireless internet": "internet",
    "wi-fi": "internet",
    "white board": "whiteboard",
}
KINDS = {
    "poster session": "posters",
    "session": "papers",
    "panel": "panel",
    "tutorial": "tutorial",
    "workshop": "workshop",
    "exhibit": "exhibit",
    "meeting": "meeting",
    "plenary": "plenary",
}
"""What people call kinds of events."""
MONTH = r"(?! (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:st|nd|rd|th)\b)"
NUMBER = re.compile(
    rf"(?<![\w.:+€$£-])\d{{1,3}}(?:,\d{{3}})+(?![\w:-])|(?<![\w.:+€$£-])\d{{1,4}}(?![\w:]|[.-]\d){MONTH}"
)
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


@dataclass(frozen=True)
class Mention:
    """Something that a text names: its kind, its id, and where in the text."""

    kind: str
    id: str
    start: int
    end: int


class Reader:
    """Finds events, rooms, buildings, people, equipment, times and numbers in texts of one office.

    Parameters
    ----------
    within
        A text of which all others will be parts, where there is one.
    """

    def __init__(self, known: Known, *, within: str = "") -> None:
        self.known = known
        self._names = _names_of(known)
        if within:
            # Most names stand nowhere in a mail; who reads only its parts need not look for them in each.
            low = within.lower()
            self._names = [name for name in self._names if name[2] in low]
        self._found: dict[tuple[str, str], list[Mention]] = {}

    def find(self, text: str, *, sender: str = "") -> list[Mention]:
        """Find everything that a text names, in its order; longer names win over shorter ones in them."""
        if (text, sender) not in self._found:
            self._found[text, sender] = self._find(text, sender)
        return self._found[text, sender]

    def _find(self, text: str, sender: str) -> list[Mention]:
        low = text.lower()
        taken = [False] * len(low)
        found: list[Mention] = []
        for one in self._described(low, sender):
            if not any(taken[one.start : one.end]):
                taken[one.start : one.end] = [True] * (one.end - one.start)
                found.append(one)
        for kind, id, words in self._names:
            start = low.find(words)
            while start >= 0:
                end = start + len(words)
                whole = not (low[start - 1 : start].isalnum() or low[end : end + 1].isalnum())
                if whole and not any(taken[start:end]):
                    taken[start:end] = [True] * len(words)
                    found.append(Mention(kind, id, start, end))
                start = low.find(words, end)
        return sorted(found, key=lambda one: one.start)

    def slots(self, text: str, *, whole_day: Iterable[int] = range(EVENING + 1), sender: str = "") -> tuple[int, ...]:
        """Find the slots that a text names; days that only say which event is meant are left aside."""
        low = text.lower()
        for one in self.find(text, sender=sender):
            if one.kind in ("event", "room"):
                low = low[: one.start] + "·" * (one.end - one.start) + low[one.end :]
        return slots_named(low, days=self.known.days, whole_day=tuple(whole_day))

    def _described(self, low: str, sender: str) -> Iterator[Mention]:
        """Find events that are described: by who speaks, by kind, track and day, or as the sender's own."""
        kinds = "|".join(KINDS)
        quoted = r"[\"“]([^\"”]+)[\"”]"
        for match in re.finditer(rf"(?:the )?({kinds}) where {quoted} is given", low):
            yield from self._meant(match, kind=KINDS[match[1]], talk=match[2])
        for match in re.finditer(rf"(?:the )?({kinds}) with ([\w.'’-]+ [\w.'’-]+)", low):
            yield from self._meant(match, kind=KINDS[match[1]], speaker=match[2])
        parts = "early morning|late morning|early afternoon|late afternoon|evening"
        days = "|".join(f"{day:%A}".lower() for day in self.known.days)
        for match in re.finditer(rf"the ((?:[\w'’-]+ ){{0,5}})({kinds}) on ({days})(?: ({parts}))?", low):
            yield from self._meant(
                match,
                kind=KINDS[match[2]],
                track=match[1].strip(),
                weekday=match[3],
                block=parts.split("|").index(match[4]) if match[4] else -1,
            )
        for match in re.finditer(rf"\bmy ({kinds}|talk)|the ({kinds}) i chair", low):
            if sender:
                yield from self._own(match, sender, kind=KINDS.get(match[1] or match[2], ""))

    def _meant(self, match: re.Match[str], *, kind: str, **said: Any) -> Iterator[Mention]:
        fits = [id for id, event in self.known.events.items() if event["kind"] == kind and self._fits(event, said)]
        if len(fits) == 1:
            yield Mention("event", fits[0], match.start(), match.end())

    def _fits(self, event: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
        slot = event["original"][1]
        people = self.known.people
        if "talk" in said:
            return any(talk["title"].lower() == said["talk"] for talk in event["talks"])
        if "speaker" in said:
            return any(people[talk["speaker"]]["name"].lower() == said["speaker"] for talk in event["talks"])
        return (
            (not said["track"] or event["track"].lower() == said["track"])
            and f"{self.known.days[day_of(slot)]:%A}".lower() == said["weekday"]
            and said["block"] in (-1, block_of(slot))
        )

    def _own(self, match: re.Match[str], sender: str, *, kind: str) -> Iterator[Mention]:
        mine = own_events(self.known, sender)
        fits = [id for id in mine if not kind or self.known.events[id]["kind"] == kind] or mine
        if len(fits) == 1:
            yield Mention("event", fits[0], match.start(), match.end())


def own_events(known: Known, person: str) -> list[str]:
    """Return the events at which someone speaks or which they chair."""
    return [
        id
        for id, event in known.events.items()
        if person == event.get("chair") or any(talk["speaker"] == person for talk in event["talks"])
    ]


def sentences(text: str) -> list[str]:
    """Split a text into sentences and lines.

    >>> sentences("Hello. The hall is lost!\\nBye")
    ['Hello.', 'The hall is lost!', 'Bye']
    """
    return [part.strip() for part in SENTENCE.split(text) if part and part.strip()]


def layout_in(text: str) -> str:
    """Find the layout that a text names; empty where it names none.

    >>> layout_in("it seats 40 in classroom style"), layout_in("no idea")
    ('classroom', '')
    """
    low = text.lower()
    for layout in LAYOUTS:
        tail = "(?:floor|plan|style|layout|space)" if layout == "open" else "(?:style|layout|seating)?"
        if re.search(rf"\b{layout} ?{tail}", low) and not re.search(rf"{layout} room", low):
            return layout
    return ""


def numbers_in(text: str) -> list[tuple[int, int]]:
    """Find whole numbers that are no times, dates, phone numbers, prices or parts of names: (value, where).

    >>> numbers_in("Papers A1 at 13:30 now seats 120, not 1,150 or 555-0101")
    [(120, 29), (1150, 38)]
    """
    return [(int(match.group().replace(",", "")), match.start()) for match in NUMBER.finditer(text)]


Name = tuple[str, str, str]
_kept: dict[int, tuple[Any, list[Name]]] = {}


def _names_of(known: Known) -> list[Name]:
    """Return every way to name a thing, longest first; made once for each world, whose list of events never changes."""
    events = known.raw["events"]
    kept = _kept.get(id(events))
    if kept is None or kept[0] is not events:
        if len(_kept) > 64:
            _kept.clear()
        kept = _kept[id(events)] = (events, _name_all(known))
    return kept[1]


def _name_all(known: Known) -> list[Name]:
    names: list[Name] = []
    for event in known.events.values():
        for words in (event["short"], event["title"], re.sub(r"^the ", "", event["short"])):
            names.append(("event", event["id"], words))
        names += [("event", event["id"], talk["title"]) for talk in event["talks"]]
    for room in known.rooms.values():
        names += [("room", room["id"], words) for words in _room_names(room, known)]
    for building in known.raw["buildings"]:
        names += [("building", building["id"], words) for words in _building_names(building)]
    names += [("person", person["id"], person["name"]) for person in known.people.values()]
    names += [("item", item, item) for item in EQUIPMENT]
    names += [("item", item, words) for words, item in ALIASES.items()]
    meant: dict[str, set[tuple[str, str]]] = {}
    for kind, thing, words in names:
        meant.setdefault(words.lower(), set()).add((kind, thing))
    # A name that could mean two things means neither.
    unique = [(*next(iter(things)), words) for words, things in meant.items() if len(things) == 1 and len(words) > 2]
    return sorted(unique, key=lambda name: (-len(name[2]), name))


def _room_names(room: Mapping[str, Any], known: Known) -> list[str]:
    house = next(each["name"] for each in known.raw["buildings"] if each["id"] == room["building"]).split()[0]
    short = room["name"].removesuffix(" Room")
    names = [room["name"], f"{room['name']} in {house}", f"{short} in {house}"]
    halls = [other for other in known.rooms.values() if other["building"] == room["building"] and other["usable"]]
    for word, nickname in (("hall", "the big hall"), ("auditorium", "the auditorium")):
        if room.get("kind") == word and sum(other.get("kind") == word for other in halls) == 1:
            names.append(f"{nickname} in {house}")
    return names


def _building_names(building: Mapping[str, Any]) -> list[str]:
    names = [building["name"], re.sub(r"^the ", "", building["name"], flags=re.IGNORECASE)]
    first = names[1].split()[0]
    if len(first) > 4:
        names.append(first)
    if building["id"] in ("union", "hotel"):
        names.append(f"the {building['id']}")
    return names
