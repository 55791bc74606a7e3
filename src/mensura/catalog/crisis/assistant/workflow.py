"""Workflow by example: how the schedule is written into the site, inferred from edits that were made by hand."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.world.time import BLOCKS, block_of, day_of

ENOUGH = 3
"""How many edits must agree before the assistant offers to make the rest."""
Rules = Mapping[str, Mapping[str, int]]


def ways(known: Known, place: tuple[str, int]) -> dict[str, str]:
    """Return every way to write where and when an event is that the assistant can think of."""
    room, slot = place
    name = known.rooms[room]["name"]
    building = next(each["name"] for each in known.raw["buildings"] if each["id"] == known.rooms[room]["building"])
    day = known.days[day_of(slot)]
    return {
        "room": name,
        "room, building": f"{name}, {building}",
        "building": building,
        "room id": room,
        "time": known.when(slot),
        "day": f"{day:%A} {day.day} {day:%B}",
        "weekday": f"{day:%A}",
        "block": BLOCKS[block_of(slot)],
        "begin": BLOCKS[block_of(slot)][:5],
        "room and time": f"{name}, {known.when(slot)}",
    }


def examples(known: Known) -> dict[str, dict[str, int]]:
    """Count, for each field of an announcement, with which ways of writing the edits by hand agree."""
    found: dict[str, dict[str, int]] = {}
    latest: dict[tuple[str, str], str] = {}
    for act in known.raw["history"]:
        if act["call"] == "edit_entry" and act["ok"] and not act["proposal"]:
            given = act["arguments"]
            latest[str(given["entry"]), str(given["field"]).strip()] = str(given["value"]).strip()
    for (entry, field), value in latest.items():
        event = known.entries.get(entry, {}).get("event", "")
        place = known.raw["place"].get(event)
        if place is None:
            continue
        for way, words in ways(known, (place[0], place[1])).items():
            if words == value:
                counts = found.setdefault(field, {})
                counts[way] = counts.get(way, 0) + 1
    return found


def join(one: Rules, other: Rules) -> dict[str, dict[str, int]]:
    """Add counts up.

    >>> join({"room": {"room": 2}}, {"room": {"room": 1}, "time": {"time": 1}})
    {'room': {'room': 3}, 'time': {'time': 1}}
    """
    total: dict[str, dict[str, int]] = {}
    for rules in (one, other):
        for field, counts in rules.items():
            for way, count in counts.items():
                mine = total.setdefault(field, {})
                mine[way] = mine.get(way, 0) + count
    return total


class Workflow:
    """Proposes the edits that the schedule asks for, once it has seen how they are made."""

    def __init__(self, learned: Rules) -> None:
        self._learned = learned

    def rules(self, known: Known) -> dict[str, str]:
        """Return the way to write each field, where enough examples agree; the likeliest if several do."""
        counts = join(self._learned, examples(known))
        return {
            field: max(sorted(ways_of), key=lambda way: ways_of[way])
            for field, ways_of in sorted(counts.items())
            if max(ways_of.values()) >= ENOUGH
        }

    def edits(self, known: Known) -> list[dict[str, Any]]:
        """Return the edits that are still to be made: (entry, field, value) of every announcement that is not true."""
        rules = self.rules(known)
        edits: list[dict[str, Any]] = []
        for entry in known.raw["entries"]:
            place = known.raw["place"].get(entry["event"]) if entry["event"] else None
            if place is None:
                continue
            written = ways(known, (place[0], place[1]))
            for field, way in rules.items():
                now = known.raw["site"].get(entry["id"], {}).get(field)
                if now is not None and now != written[way]:
                    edits.append({"entry": entry["id"], "field": field, "value": written[way]})
        return edits
