"""Time in the conference: four days of five blocks; a slot is one block of one day."""

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

DAYS = 4
BLOCKS = ("08:30–10:00", "10:30–12:00", "13:30–15:00", "15:30–17:00", "18:30–21:30")
EVENING = len(BLOCKS) - 1
SLOTS = DAYS * len(BLOCKS)
EVENINGS = tuple(slot for slot in range(SLOTS) if slot % len(BLOCKS) == EVENING)
DAYTIMES = tuple(slot for slot in range(SLOTS) if slot % len(BLOCKS) != EVENING)
AFTERNOONS = tuple(slot for slot in range(SLOTS) if slot % len(BLOCKS) in (2, 3))
Day = Annotated[date, Field(ge=date(1900, 1, 1), le=date(2999, 12, 31))]
"""A day on which an office may work; weeks before and after it are days as well."""


def slot_of(day: int, block: int) -> int:
    """Number a slot by its day and block, both from 0.

    >>> slot_of(1, 2)
    7
    """
    return day * len(BLOCKS) + block


def day_of(slot: int) -> int:
    """Return on which day a slot is, from 0."""
    return slot // len(BLOCKS)


def block_of(slot: int) -> int:
    """Return which block of its day a slot is, from 0."""
    return slot % len(BLOCKS)


def slot_words(slot: int, *, first: date) -> str:
    """Return when a slot is.

    >>> slot_words(7, first=date(2027, 5, 10))
    'Tuesday 11 May, 13:30–15:00'
    """
    day = first + timedelta(days=day_of(slot))
    return f"{day:%A} {day.day} {day:%B}, {BLOCKS[block_of(slot)]}"


def fits(slot: int, length: int) -> bool:
    """Return whether so many blocks from a slot on stay within the same day's daytime, or are one evening.

    >>> fits(2, 2), fits(3, 2), fits(4, 1)
    (True, False, True)
    """
    if not 0 <= slot < SLOTS or length < 1:
        return False
    last = block_of(slot) + length - 1
    return last < EVENING or (block_of(slot) == EVENING and length == 1)
