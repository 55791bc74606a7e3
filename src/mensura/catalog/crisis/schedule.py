"""The schedule: what is where and when, and which rooms can be had.

Makers of worlds, the office, the planner, the assistant, simulated participants and the score all ask here.
"""

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mensura.catalog.crisis.world.campus.place import Room
    from mensura.catalog.crisis.world.conference import Disaster

Place = tuple[str, int]
"""A room and a slot: where an event begins, or one cell of the sheet."""
Placement = Mapping[str, Place | None]
"""Event → where it begins; None: nowhere."""


def span(slot: int, length: int) -> range:
    """Return the slots that an event takes.

    >>> list(span(6, 3))
    [6, 7, 8]
    """
    return range(slot, slot + length)


def cells(place: Place, length: int) -> list[Place]:
    """Return the rooms and slots that an event takes.

    >>> cells(("hall", 6), 2)
    [('hall', 6), ('hall', 7)]
    """
    return [(place[0], slot) for slot in span(place[1], length)]


class Schedule:
    """Which event is where and when; it takes anything, and says who meets whom.

    >>> schedule = Schedule({"a": ("hall", 0), "b": ("hall", 1), "c": None}, length={"a": 2, "b": 1, "c": 1})
    >>> schedule.rivals("a"), schedule.meanwhile("b"), schedule.occupants([("hall", 0)])
    (['b'], ['a'], ['a'])
    """

    def __init__(self, place: Placement, *, length: Mapping[str, int]) -> None:
        self.length = length
        self.place: dict[str, Place] = {}
        """Where each event begins that has a place."""
        self.at: dict[Place, list[str]] = {}
        """Room and slot → the events there; what is empty is not in it."""
        self.during: dict[int, list[str]] = {}
        """Slot → the events at that time."""
        for event, where in place.items():
            if where is not None:
                self.put(event, where)

    def put(self, event: str, where: Place) -> None:
        """Write an event down, in place of where it was."""
        if event in self.place:
            self.lift(event)
        self.place[event] = where
        for cell in cells(where, self.length[event]):
            self.at.setdefault(cell, []).append(event)
            self.during.setdefault(cell[1], []).append(event)

    def lift(self, event: str) -> Place:
        """Take an event off; returns where it was."""
        where = self.place.pop(event)
        for cell in cells(where, self.length[event]):
            self.during[cell[1]].remove(event)
            self.at[cell].remove(event)
            if not self.at[cell]:
                del self.at[cell]
        return where

    def slots(self, event: str) -> range:
        """Return the slots at which an event is; none where it has no place."""
        return span(self.place[event][1], self.length[event]) if event in self.place else range(0)

    def occupants(self, wanted: Iterable[Place], *, but: str = "") -> list[str]:
        """Return the events that are in some cells, in the order of the programme."""
        found = {event for cell in wanted for event in self.at.get(cell, ())} - {but}
        return sorted(found, key=list(self.length).index) if len(found) > 1 else list(found)

    def rivals(self, event: str) -> list[str]:
        """Return the other events that stand in the same room at the same time."""
        where = self.place[event]
        return sorted({other for cell in cells(where, self.length[event]) for other in self.at[cell]} - {event})

    def meanwhile(self, event: str) -> list[str]:
        """Return the other events that are on at any time of this one."""
        return sorted({other for slot in self.slots(event) for other in self.during[slot]} - {event})

    def together(self, one: str, other: str) -> bool:
        """Return whether two events are on at the same time; what has no place never is."""
        here, there = self.slots(one), self.slots(other)
        return max(here.start, there.start) < min(here.stop, there.stop)

    def inside(self, barred: Collection[Place]) -> list[str]:
        """Return the events that stand in some of these rooms at these times, such as those that are lost."""
        return [
            event
            for event, where in self.place.items()
            if any(cell in barred for cell in cells(where, self.length[event]))
        ]


@dataclass(frozen=True)
class Portal:
    """Which rooms can be had when, as the campus's reservation system shows it; our own events are left aside."""

    rooms: frozenset[str]
    """Rooms that are let to conferences."""
    lost: Set[Place]
    """What the disaster takes."""
    closed: frozenset[Place]
    held: Mapping[Place, Any]
    """What someone else has reserved, with the reservation."""
    granted: Set[Place] = frozenset()
    """What owners have given up for us."""

    @classmethod
    def of(cls, rooms: Iterable["Room"], *, loss: "Disaster") -> "Portal":
        """Read it from the rooms of a world and what is lost."""
        rooms = tuple(rooms)
        return cls(
            rooms=frozenset(room.id for room in rooms if room.usable),
            lost=frozenset((room, slot) for room in loss.rooms for slot in loss.slots),
            closed=frozenset((room.id, slot) for room in rooms for slot in room.closed),
            held={(room.id, held.slot): held for room in rooms for held in room.reservations},
        )

    @classmethod
    def shown(cls, office: Mapping[str, Any]) -> "Portal":
        """Read it from what lies open in an office (`mensura.catalog.crisis.office.visible`)."""
        rooms = office["rooms"]
        return cls(
            rooms=frozenset(room["id"] for room in rooms if room["usable"]),
            lost=frozenset((room, slot) for room, slot in office["lost"]),
            closed=frozenset((room["id"], slot) for room in rooms for slot in room["closed"]),
            held={(room["id"], held["slot"]): held for room in rooms for held in room["reservations"]},
            granted=frozenset((room, slot) for room, slot in office["granted"]),
        )

    def status(self, cell: Place) -> str:
        """Return how a room stands at a slot: unusable, lost, closed, held, granted or free."""
        if cell[0] not in self.rooms:
            return "unusable"
        if cell in self.lost:
            return "lost"
        if cell in self.closed:
            return "closed"
        if cell in self.held:
            return "granted" if cell in self.granted else "held"
        return "free"

    def barred(self, wanted: Iterable[Place]) -> tuple[str, Place] | None:
        """Return the first of some cells that the conference cannot have, after why; None where it can have all."""
        found = ((self.status(cell), cell) for cell in wanted)
        return next((one for one in found if one[0] not in ("free", "granted")), None)
