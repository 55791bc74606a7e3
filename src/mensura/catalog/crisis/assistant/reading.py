"""Reading: what a mail speaks of. Engineered, the same whether the assistant has learned or not."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.world.time import BLOCKS, DAYS, EVENING, slot_of

EQUIPMENT = ("projector", "screen", "microphone", "stage", "internet", "whiteboard", "piano")
ALIASES = {
    "beamer": "projector",
    "projectors": "projector",
    "mic": "microphone",
    "mics": "microphone",
    "microphones": "microphone",
    "wifi": "internet",
    "wi-fi": "internet",
    "network": "internet",
    "white board": "whiteboard",
    "grand": "piano",
}
LAYOUTS = ("theatre", "classroom", "banquet", "boardroom", "open")
LAYOUT_WORDS = {
    "theater": "theatre",
    "lecture style": "theatre",
    "rows": "theatre",
    "dinner tables": "banquet",
    "round tables": "banquet",
    "reception style": "open",
    "standing": "open",
}
PARTS = {
    "morning": (0, 1),
    "a.m.": (0, 1),
    "before lunch": (0, 1),
    "before noon": (0, 1),
    "afternoon": (2, 3),
    "after lunch": (2, 3),
    "evening": (EVENING,),
    "night": (EVENING,),
}
DAYTIME = tuple(range(EVENING))
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


@dataclass(frozen=True)
class Found:
    """Something that a text names: its kind, its id, and where in the text."""

    kind: str
    id: str
    start: int
    end: int


class Reader:
    """Finds events, rooms, buildings, people, equipment, times and numbers in texts of one office."""

    def __init__(self, known: Known) -> None:
        self.known = known

    @cached_property
    def _names(self) -> list[tuple[str, str, str]]:
        """Every way to name a thing, longest first: (kind, id, words)."""
        names: list[tuple[str, str, str]] = []
        for event in self.known.events.values():
            for words in (event["short"], event["title"], re.sub(r"^the ", "", event["short"])):
                names.append(("event", event["id"], words))
            for talk in event["talks"]:
                names.append(("talk", event["id"], talk["title"]))
        for room in self.known.rooms.values():
            names.append(("room", room["id"], room["name"]))
            names.append(("room", room["id"], re.sub(r"^the ", "", room["name"], flags=re.IGNORECASE)))
        for building in self.known.raw["buildings"]:
            names.append(("building", building["id"], building["name"]))
            names.append(("building", building["id"], re.sub(r"^the ", "", building["name"], flags=re.IGNORECASE)))
        for person in self.known.people.values():
            names.append(("person", person["id"], person["name"]))
        names += [(kind, id, words) for (kind, words), id in self._short_names.items()]
        names += [("item", item, item) for item in EQUIPMENT]
        names += [("item", item, words) for words, item in ALIASES.items()]
        unique = {(kind, words.lower()): id for kind, id, words in names if len(words) > 2}
        return sorted(((kind, id, words) for (kind, words), id in unique.items()), key=lambda name: -len(name[2]))

    @cached_property
    def _short_names(self) -> dict[tuple[str, str], str]:
        """Family names and first words of rooms and buildings, where only one thing has them."""
        found: dict[tuple[str, str], set[str]] = {}
        for person in self.known.people.values():
            found.setdefault(("person", person["name"].split()[-1]), set()).add(person["id"])
        for building in self.known.raw["buildings"]:
            found.setdefault(("building", _first_word(building["name"])), set()).add(building["id"])
        for room in self.known.rooms.values():
            words = room["name"].split()
            if len(words) > 1:
                found.setdefault(("room", _first_word(room["name"])), set()).add(room["id"])
        buildings = {words for kind, words in found if kind == "building"}
        return {
            (kind, words): next(iter(ids))
            for (kind, words), ids in found.items()
            if len(ids) == 1 and len(words) > 3 and not (kind == "room" and words in buildings)
        }

    def find(self, text: str) -> list[Found]:
        """Find everything that a text names, in its order; longer names win over shorter ones in them."""
        low = text.lower()
        taken = [False] * len(low)
        found: list[Found] = []
        for kind, id, words in self._names:
            start = low.find(words)
            while start >= 0:
                end = start + len(words)
                whole = not (low[start - 1 : start].isalnum() or low[end : end + 1].isalnum())
                if whole and not any(taken[start:end]):
                    taken[start:end] = [True] * len(words)
                    found.append(Found("event" if kind == "talk" else kind, id, start, end))
                start = low.find(words, end)
        return sorted(found, key=lambda one: one.start)

    def slots(self, text: str, *, whole_day: Iterable[int] = range(EVENING + 1)) -> tuple[int, ...]:
        """Find the slots that a text names: days, parts of days, times; a day alone is all of it."""
        low = text.lower()
        marks: list[tuple[int, str, int]] = []
        for number, day in enumerate(self.known.days):
            pattern = (
                rf"\b{day:%A}\b|\b{day:%a}\b\.?|\b{day.day}\.? {day:%B}\b|\b{day:%B} {day.day}\b"
                rf"|\b{day.day}(?:st|nd|rd|th)\b|\b{day.day}/{day.month}\b|\bday {number + 1}\b"
            ).lower()
            marks += [(match.start(), "day", number) for match in re.finditer(pattern, low)]
        for words, blocks in PARTS.items():
            marks += [
                (match.start(), "part", sum(1 << block for block in blocks))
                for match in re.finditer(rf"\b{re.escape(words)}s?", low)
            ]
        for block, words in enumerate(BLOCKS):
            start = words[:5]
            hour, minute = start.split(":")
            twelve = f"{int(hour) % 12 or 12}[:.]{minute} ?(?:{'pm' if int(hour) >= 12 else 'am'}|p\\.m|a\\.m)"
            plain = rf"(?<![\d:]){int(hour)}[:.]{minute}|0{int(hour)}[:.]{minute}|block {block + 1}\b"
            for match in re.finditer(f"{plain}|{twelve}", low):
                if low[max(0, match.start() - 1)] not in "–-":
                    marks.append((match.start(), "part", 1 << block))
        return _combine(sorted(set(marks)), tuple(whole_day))


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
        if re.search(rf"\b{layout}\b", low) and (
            layout != "open" or re.search(r"\bopen (layout|floor|plan|style)\b", low)
        ):
            return layout
    return next((layout for words, layout in LAYOUT_WORDS.items() if words in low), "")


def numbers_in(text: str) -> list[tuple[int, int]]:
    """Find whole numbers that are no times, dates, phone numbers or parts of names: (value, where).

    >>> numbers_in("Papers A1 at 13:30 now seats 120, not 1,150 or 555-0101")
    [(120, 29), (1150, 38)]
    """
    return [
        (int(match.group().replace(",", "")), match.start())
        for match in re.finditer(
            r"(?<![\w.:+-])\d{1,3}(?:,\d{3})+(?![\w:-])|(?<![\w.:+-])\d{1,4}(?![\w:]|[.-]\d)", text
        )
    ]


def _first_word(name: str) -> str:
    words = re.sub(r"^the ", "", name, flags=re.IGNORECASE).split()
    return words[0] if words else name


def _combine(marks: list[tuple[int, str, int]], whole_day: tuple[int, ...]) -> tuple[int, ...]:
    """Join days and parts of days: a part goes with the day before it, or with the first one after it."""
    days = [(at, value) for at, kind, value in marks if kind == "day"]
    parts = [(at, value) for at, kind, value in marks if kind == "part"]
    blocks: dict[int, int] = {day: 0 for _, day in days}
    for at, mask in parts:
        before = [day for where, day in days if where < at]
        after = [(where, day) for where, day in days if where > at]
        if after and (not before or after[0][0] - at < 15):
            blocks[after[0][1]] |= mask
        elif before:
            blocks[before[-1]] |= mask
        else:
            for day in range(DAYS):
                blocks[day] = blocks.get(day, 0) | mask
    found: set[int] = set()
    for day, mask in blocks.items():
        named = [block for block in range(EVENING + 1) if mask >> block & 1] or list(whole_day)
        found.update(slot_of(day, block) for block in named)
    return tuple(sorted(found))
