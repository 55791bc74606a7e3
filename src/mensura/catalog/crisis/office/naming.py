"""Naming: which thing of the world a word means, and what is said where it means none."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

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


class Declined(Exception):
    """An act that names what is not there, with what the world says to it."""


def named(office: "OfficeState", kind: str, text: str) -> str:
    """Return the id of a thing by its id or its name; decline where there is none, and say which were near."""
    found = office.index.id_of(kind, text)
    if found is None:
        hint = near(text.lower(), office.index.names[kind]) or f"Look it up: {WHERE[kind]}."
        raise Declined(f"There is no {kind} {text[:60]!r}. {hint}")
    return found


def near(text: str, known: Iterable[str], *, cutoff: float = 0.75) -> str:
    """Ask whether a word of those that are known was meant; empty where none is near."""
    found = get_close_matches(text, known, n=1, cutoff=cutoff)
    return f"Did you mean {found[0]}?" if found else ""


def find_slot(day: int, block: int) -> int:
    """Return the slot of a day and block that count from 1, or decline."""
    if not 1 <= day <= DAYS:
        raise Declined(f"The conference has {DAYS} days, 1 to {DAYS}; there is no day {day}.")
    if not 1 <= block <= len(BLOCKS):
        blocks = "; ".join(f"block {number} ({words})" for number, words in enumerate(BLOCKS, start=1))
        raise Declined(f"There is no block {block}. A day has {blocks}.")
    return slot_of(day - 1, block - 1)
