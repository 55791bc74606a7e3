"""Rules: what a good schedule must meet, each with its weight; the score and the optimiser read the same ones."""

from typing import Literal

from mensura.catalog.crisis.world.data import Amount, Data

RuleKind = Literal[
    "placed",  # event: has a usable room that nobody else has, for its whole length
    "capacity",  # event: the room holds its attendance in its layout
    "equipment",  # event, item: built in, or ordered for this room and slot
    "catering",  # event: enough portions ordered for this room and slot
    "speakers",  # event: none of its people is in another event at the same time
    "away",  # person, slots: no event of theirs in these slots
    "slots",  # event, slots: begins in one of these
    "before",  # event, other: ends before the other begins
    "apart",  # event, other: never at the same time
    "same_building",  # event, other
    "building",  # event, place: in this building
    "room",  # event, place: in this room
    "alone",  # event: nothing else at the same time (plenaries)
    "stay",  # event: stays where and when it was, since it was announced
]

LEAVES = (
    "placed",
    "capacity",
    "equipment",
    "catering",
    "speakers",
    "plenaries",
    "sequence",
    "availability",
    "times",
    "places",
    "requests",
    "announced",
)
"""Leaves of the score tree for the schedule: every rule counts in one of them."""


class Requirement(Data):
    """One thing to be met, where it comes from, and what it weighs."""

    id: str
    kind: RuleKind
    leaf: str
    """The leaf of the score tree it counts in."""
    event: str = ""
    other: str = ""
    person: str = ""
    slots: tuple[int, ...] = ()
    place: str = ""
    item: str = ""
    weight: Amount = 1.0
    source: str = "manual"
    """"manual", or the id of the message that asks for it."""
    words: str = ""
    """The rule as a sentence, for those who ask why a point was lost."""
