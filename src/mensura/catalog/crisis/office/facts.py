"""Facts: what the planner's tables say of rooms and events, right or wrong; the subject corrects them."""

from dataclasses import dataclass
from typing import Any

from mensura.catalog.crisis.world.conference import Conference


@dataclass
class Facts:
    """The planner's tables as they stand."""

    capacity: dict[tuple[str, str], int]
    """(room, layout) → seats; a pair that is missing cannot be set up."""
    equipment: dict[str, tuple[str, ...]]
    attendance: dict[str, int]
    needs: dict[str, tuple[str, ...]]
    layout: dict[str, str]
    catering: dict[str, int]

    @classmethod
    def assumed(cls, world: Conference) -> "Facts":
        """Begin with what the predecessor assumed."""
        return cls(
            {(room.id, layout): seats for room in world.rooms for layout, seats in room.assumed.items()},
            {room.id: tuple(room.assumed_equipment) for room in world.rooms},
            {event.id: event.assumed_attendance or event.attendance for event in world.events},
            {
                event.id: tuple(event.needs if event.assumed_needs is None else event.assumed_needs)
                for event in world.events
            },
            {event.id: event.layout for event in world.events},
            {event.id: event.catering for event in world.events},
        )

    def copy(self) -> "Facts":
        """Copy the tables, so that one office's corrections are its own."""
        return Facts(*(dict(table) for table in vars(self).values()))

    def json(self) -> dict[str, Any]:
        """Return the tables as JSON: capacity by room and layout."""
        capacity: dict[str, dict[str, int]] = {room: {} for room in self.equipment}
        for (room, layout), seats in self.capacity.items():
            capacity[room][layout] = seats
        return {
            "capacity": capacity,
            "equipment": {room: list(items) for room, items in self.equipment.items()},
            "attendance": dict(self.attendance),
            "needs": {event: list(items) for event, items in self.needs.items()},
            "layout": dict(self.layout),
            "catering": dict(self.catering),
        }


def read_list(text: str, *, known: tuple[str, ...]) -> tuple[str, ...] | str:
    """Read a list of words that someone typed, or give the first word that is not known.

    >>> from mensura.catalog.crisis.world.campus.place import EQUIPMENT
    >>> read_list("screen and Projector", known=EQUIPMENT)
    ('screen', 'projector')
    >>> read_list("none", known=EQUIPMENT)
    ()
    >>> read_list("screen, samovar", known=EQUIPMENT)
    'samovar'
    """
    words = text.lower().replace("[", " ").replace("]", " ").replace(",", " ").replace(";", " ").split()
    kept: list[str] = []
    for word in (word.strip("'\"") for word in words if word not in ("and", "none", "nothing", "-")):
        if word not in known:
            return word
        if word not in kept:
            kept.append(word)
    return tuple(kept)


def read_whole(text: str) -> int | None:
    """Read a whole number that someone typed; None where it is none.

    >>> read_whole(" 1,200 "), read_whole("many"), read_whole("-3"), read_whole("²")
    (1200, None, None, None)
    """
    plain = text.strip().replace(",", "").replace(" ", "")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= 7 else None
