"""Places on the map and what stands there. Coordinates are grid units, the origin is at the bottom left."""

from dataclasses import dataclass
from typing import NamedTuple


class GridPoint(NamedTuple):
    """A point of the map in grid units."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Attack:
    """A past attack whose group and place are known (a SIGACT)."""

    group: str
    place: GridPoint


@dataclass(frozen=True, slots=True)
class Dispersion:
    """Where a group attacks: base rate, centre and, where attacks scatter over the plane, one sigma in grid units."""

    group: str
    base_rate: float
    centre: GridPoint
    sigma: float | None = None


@dataclass(frozen=True, slots=True)
class AttackSite:
    """A place that was or may be attacked, with the features the INTs would report there."""

    name: str
    place: GridPoint
    region: str | None = None
    imint: str | None = None
    movint: str | None = None


@dataclass(frozen=True, slots=True)
class Centre:
    """A group's centre, known from HUMINT, with what SIGINT on the group would report."""

    group: str
    place: GridPoint
    sigint: str | None = None
    region: str | None = None
