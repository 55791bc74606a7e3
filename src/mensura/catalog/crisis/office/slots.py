"""Slots as people write them: DAY.BLOCK, or DAY for all of it, both from 1."""

from collections.abc import Iterable

from mensura.catalog.crisis.office.facts import read_whole
from mensura.catalog.crisis.world.time import BLOCKS, DAYS, SLOTS, block_of, day_of, slot_of


def read_slots(text: str) -> tuple[int, ...] | str:
    """Read slots, or say what is wrong.

    >>> read_slots("2.1, 2.2 1")
    (0, 1, 2, 3, 4, 5, 6)
    >>> read_slots("7.1")
    '7.1 is no slot: days are 1 to 4, blocks 1 to 5.'
    >>> read_slots("2.²")
    '2.² is no slot: days are 1 to 4, blocks 1 to 5.'
    """
    found: set[int] = set()
    words = text.replace(",", " ").replace(";", " ").split()
    for word in words:
        first, dot, second = word.partition(".")
        day, block = read_whole(first) or 0, read_whole(second) or 0
        if not 1 <= day <= DAYS or (dot and not 1 <= block <= len(BLOCKS)):
            return f"{word[:20]} is no slot: days are 1 to {DAYS}, blocks 1 to {len(BLOCKS)}."
        blocks = [block - 1] if dot else range(len(BLOCKS))
        found.update(slot_of(day - 1, each) for each in blocks)
    return tuple(sorted(found)) if found else "No slots were named; write them as 2.1 2.2, or 2 for a whole day."


def slots_text(slots: Iterable[int]) -> str:
    """Write slots so that `read_slots` reads them again.

    >>> slots_text([0, 1, 2, 3, 4, 6])
    '1 2.2'
    """
    wanted = {slot for slot in slots if 0 <= slot < SLOTS}
    parts = []
    for day in range(DAYS):
        here = sorted(slot for slot in wanted if day_of(slot) == day)
        if len(here) == len(BLOCKS):
            parts.append(str(day + 1))
        else:
            parts += [f"{day + 1}.{block_of(slot) + 1}" for slot in here]
    return " ".join(parts)
