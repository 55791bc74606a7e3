"""Losses: rooms that a mail says cannot be used, and from when to when."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, candidate, named
from mensura.catalog.crisis.assistant.reader import Reader
from mensura.catalog.crisis.office.slots import slots_text
from mensura.catalog.crisis.world.time import BLOCKS, EVENING, slot_of

LOST = re.compile(r"\bshut\b|out of use|cannot be used", re.IGNORECASE)
SPARED = re.compile(r"not \w+:|can still have|open as usual", re.IGNORECASE)
"""What is listed after these words can be used."""
BEGINS, ENDS = ({block[at]: number for number, block in enumerate(BLOCKS)} for at in (slice(5), slice(-5, None)))
"""When a block begins, and when it is over → its number."""


def losses(letter: Mapping[str, Any], known: Known, reader: Reader) -> Iterator[Candidate]:
    """Read which rooms are lost, where the portal does not mark them so already."""
    text = f"{letter['subject']}\n{letter['body']}"
    rooms = named(reader.find(SPARED.split(text, maxsplit=1)[0]), "room")
    at = {number: text.find(f"{day:%A}") for number, day in enumerate(known.days)}
    days = sorted((number for number in at if at[number] >= 0), key=lambda number: at[number])
    if not rooms or not days or not LOST.search(text):
        return
    times = re.findall(r"\b\d\d:\d\d\b", text)
    begin = next((BEGINS[time] for time in times if time in BEGINS), 0)
    end = next((ENDS[time] for time in reversed(times) if time in ENDS), EVENING)
    lost = range(slot_of(days[0], begin), slot_of(days[-1], end) + 1)
    marked = {(room, slot) for room, slot in known.raw["lost"]}
    for room in rooms:
        if any((room, slot) not in marked for slot in lost):
            yield candidate("set_room_fact", "room lost", 0.9, room=room, fact="lost", value=slots_text(lost))
