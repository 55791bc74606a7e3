"""Published: what the conference's web site says of rooms and times, as a reader would understand it."""

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.time import BLOCKS, DAYS, slot_of

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def published(office: "OfficeState") -> dict[str, tuple[str, int]]:
    """Return room and slot of every event whose entry names both in a way that can be understood."""
    found: dict[str, tuple[str, int]] = {}
    rooms = office.index.names["room"]
    for entry in office.world.site:
        if not entry.event or entry.event in found:
            continue
        fields = office.site[entry.id]
        room = rooms.get(" ".join(fields.get("room", "").lower().split()))
        slot = read_time(fields.get("time", ""), office.world)
        if room is not None and slot is not None:
            found[entry.event] = room, slot
    return found


def read_time(text: str, world: Conference) -> int | None:
    """Read when something is: a day by its name or date, and a block by when it begins; None where it is not clear.

    A day is a weekday, "11 May" or "day 2"; a block is "13:30" or "13:30–15:00".
    """
    lowered = text.lower()
    days = [day for day, names in enumerate(_days(world.first)) if names.search(lowered)]
    starts = re.findall(r"\d{1,2}:\d{2}", lowered)
    blocks = [block for block, words in enumerate(BLOCKS) if starts and starts[0].zfill(5) == words[:5]]
    if len(days) != 1 or len(blocks) != 1:
        return None
    return slot_of(days[0], blocks[0])


@lru_cache(maxsize=64)
def _days(first: date) -> list[re.Pattern[str]]:
    dates = [first + timedelta(days=day) for day in range(DAYS)]
    return [
        re.compile(rf"\b({day:%A}|{day.day} {day:%B}|{day:%B} {day.day}|day {number})\b".lower())
        for number, day in enumerate(dates, start=1)
    ]
