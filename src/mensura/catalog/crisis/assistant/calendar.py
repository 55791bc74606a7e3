"""Days and times of day as people write them."""

import re
from collections.abc import Sequence
from datetime import date

from mensura.catalog.crisis.world.time import BLOCKS, DAYS, EVENING, slot_of

PARTS = {
    "morning": (0, 1),
    "before lunch": (0, 1),
    "before noon": (0, 1),
    "until noon": (0, 1),
    "afternoon": (2, 3),
    "after lunch": (2, 3),
    "evening": (EVENING,),
    "night": (EVENING,),
}
DAYTIME = tuple(range(EVENING))
ALLOWED = re.compile(
    r"(?:the )?(?:morning|afternoon)s? (?:is|are) (?:no problem|fine|all right)|can be the (?:morning|afternoon)"
    r"|before noon would be fine|mornings? i(?:'m| am) |from half past one|until after lunch"
)
"""Words that say when someone can come, in the midst of saying when they cannot."""


def slots_named(low: str, *, days: Sequence[date], whole_day: tuple[int, ...]) -> tuple[int, ...]:
    """Find the slots that a text in lower case names: days, parts of days, times; a day alone is all of it.

    >>> from datetime import date
    >>> week = [date(2027, 5, 17), date(2027, 5, 18), date(2027, 5, 19), date(2027, 5, 20)]
    >>> slots_named("not on tuesday afternoon", days=week, whole_day=(0, 1, 2, 3, 4))
    (7, 8)
    """
    marks: list[tuple[int, str, int]] = []
    for number, day in enumerate(days):
        pattern = (
            rf"\b{day:%A}\b|\b{day:%a}\b\.?|\b{day.day}\.? {day:%B}\b|\b{day:%B} {day.day}\b"
            rf"|\b{day.day}(?:st|nd|rd|th)\b|\b{day.day}/{day.month}\b|\bday {number + 1}\b"
        ).lower()
        marks += [(match.start(), "day", number) for match in re.finditer(pattern, low)]
    marks += blocks_named(low)
    return _combine(sorted(set(marks)), whole_day)


def blocks_named(low: str) -> list[tuple[int, str, int]]:
    """Find parts of days and times that are meant, not those that are said to be fine."""
    open_ = [range(match.start(), match.end()) for match in ALLOWED.finditer(low)]
    marks = [
        (match.start(), "part", sum(1 << block for block in blocks))
        for words, blocks in PARTS.items()
        for match in re.finditer(rf"\b{re.escape(words)}s?\b", low)
    ]
    for block, words in enumerate(BLOCKS):
        hour, minute = words[:5].split(":")
        half = "pm|p\\.m" if int(hour) >= 12 else "am|a\\.m"
        plain = rf"(?<![\d:]){int(hour)}[:.]{minute}|0{int(hour)}[:.]{minute}|block {block + 1}\b"
        for match in re.finditer(rf"{plain}|{int(hour) % 12 or 12}[:.]{minute} ?(?:{half})", low):
            if low[max(0, match.start() - 1)] not in "–-":
                marks.append((match.start(), "part", 1 << block))
    return [mark for mark in marks if not any(mark[0] in span for span in open_)]


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
        # Morning, afternoon and evening together are the whole day.
        named = [block for block in range(EVENING + 1) if mask >> block & 1] or list(whole_day)
        found.update(slot_of(day, block) for block in named)
    return tuple(sorted(found))
