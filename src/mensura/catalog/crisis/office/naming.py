"""Naming: which thing of the world a word means, and what is said where it means none."""

from difflib import get_close_matches
from typing import TYPE_CHECKING

from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.lookup import day_words
from mensura.catalog.crisis.world.time import BLOCKS, DAYS, slot_of

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState

WHERE = {
    "room": "the room list has them all",
    "event": "the schedule has them all",
    "person": "the list of people has them all",
    "vendor": "the list of vendors has them all",
    "entry": "the site's database has them all",
    "building": "the map has them all",
}


def find(office: "OfficeState", kind: str, text: str) -> str | None:
    """Find a thing by its id or its name; None where there is none."""
    return office.index.id_of(kind, text)


def nothing(office: "OfficeState", kind: str, text: str) -> Said:
    """Say that there is no such thing, and which were near."""
    near = get_close_matches(text.lower(), office.index.names[kind], n=1, cutoff=0.75)
    hint = f"Did you mean {near[0]}?" if near else f"Look it up: {WHERE[kind]}."
    return Said(False, f"There is no {kind} {text[:60]!r}. {hint}")


def find_slot(day: int, block: int) -> int | Said:
    """Give the slot of a day and block that count from 1, or say that there is none."""
    if not 1 <= day <= DAYS:
        return Said(False, f"The conference has {DAYS} days, 1 to {DAYS}; there is no day {day}.")
    if not 1 <= block <= len(BLOCKS):
        blocks = "; ".join(day_words(number) for number in range(len(BLOCKS)))
        return Said(False, f"There is no block {block}. A day has {blocks}.")
    return slot_of(day - 1, block - 1)
