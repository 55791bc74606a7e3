"""Places: buildings, rooms, and who has reserved them."""

from typing import Literal, get_args

from pydantic import Field

from mensura.catalog.crisis.world.data import Amount, Count, Data

Layout = Literal["theatre", "classroom", "banquet", "boardroom", "open"]
Equipment = Literal["projector", "screen", "microphone", "stage", "internet", "whiteboard", "piano"]

LAYOUTS: tuple[str, ...] = get_args(Layout)
EQUIPMENT: tuple[str, ...] = get_args(Equipment)


class Building(Data):
    """A building of the campus, and where it stands on the map (metres east and south)."""

    id: str
    name: str
    about: str = ""
    x: float = 0.0
    y: float = 0.0


class Reservation(Data):
    """A slot that someone else has, and whether they would give it up: the second is hidden until they are asked."""

    slot: int
    owner: str
    """A person's id."""
    purpose: str
    yields: bool
    """Whether the owner gives the slot up when asked."""


class Room(Data):
    """A room: what it holds in each layout, what is built in, when it can be had."""

    id: str
    name: str
    building: str
    floor: int = 0
    capacity: dict[Layout, Count]
    """How many it really holds, by layout; a layout that is missing cannot be set up."""
    equipment: tuple[Equipment, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    closed: tuple[int, ...] = ()
    """Slots at which nobody can have it."""
    usable: bool = True
    """False for rooms that are only there to be looked at: laboratories, offices, stores."""
    price: Amount = 0.0
    """What a block of it costs the conference."""
    assumed: dict[Layout, Count] = Field(default_factory=dict)
    """The capacities that the schedule sheet begins with, which may be wrong."""
    assumed_equipment: tuple[Equipment, ...] = ()
    about: str = ""
    """What its specification page says besides, for people."""
    kind: str = ""
    """The class of room by which the sheet's defaults go: hall, auditorium, large, medium, small."""
