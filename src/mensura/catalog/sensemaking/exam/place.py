"""Places on the map and what stands there. Coordinates are grid units, the origin is at the bottom left."""

from dataclasses import dataclass
from typing import NamedTuple


class Place(NamedTuple):
    """A point of the map in grid units."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Attack:
    """A past attack whose group and place are known (a SIGACT)."""

    group: str
    place: Place


@dataclass(frozen=True, slots=True)
class Spread:
    """Where a group attacks: base rate, centre and, where attacks scatter over the plane, one sigma in grid units."""

    group: str
    base_rate: float
    centre: Place
    sigma: float | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """A place that was or may be attacked, with the features the INTs would report there."""

    name: str
    place: Place
    region: str | None = None
    imint: str | None = None
    movint: str | None = None


@dataclass(frozen=True, slots=True)
class Centre:
    """A group's centre, known from HUMINT, with what SIGINT on the group would report."""

    group: str
    place: Place
    sigint: str | None = None
    region: str | None = None
