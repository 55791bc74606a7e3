"""Tables 4 and 5 and the criteria, read from data."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from mensura.errors import BadParameter


@dataclass(frozen=True)
class BrainSystem:
    """A brain system to be modelled, with the functions it is expected to perform (Table 4)."""

    name: str
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Waypoint:
    """What is required at a month of the programme (Table 5); only some are assessed officially."""

    month: int
    date: str
    phase: int
    implemented: int
    integrated: int
    passed: int | None = None

    @property
    def official(self) -> bool:
        """Whether components are scored pass or fail here."""
        return self.passed is not None


@cache
def _data() -> Mapping[str, Any]:
    text = (files("mensura.catalog.sensemaking") / "data" / "neural_fidelity.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def systems() -> tuple[BrainSystem, ...]:
    """The seven required brain systems.

    >>> len(systems())
    7
    """
    return tuple(BrainSystem(each["name"], tuple(each["functions"])) for each in _data()["system"])


def waypoints() -> tuple[Waypoint, ...]:
    """All waypoints, in order of months.

    >>> [waypoint.month for waypoint in waypoints() if waypoint.official]
    [23, 42]
    """
    return tuple(Waypoint(**each) for each in _data()["waypoint"])


def find_waypoint(month: int) -> Waypoint:
    """Find the waypoint of a month."""
    for waypoint in waypoints():
        if waypoint.month == month:
            return waypoint
    months = ", ".join(str(waypoint.month) for waypoint in waypoints())
    raise BadParameter(f"There is no waypoint at month {month}; they are at {months}.")


def criteria() -> Mapping[str, str]:
    """The four criteria, by name."""
    return dict(_data()["criteria"])


def questions() -> Mapping[str, str]:
    """What is asked besides the criteria."""
    return dict(_data()["questions"])


def preliminary_items() -> Mapping[str, str]:
    """Fidelity and completeness, anatomical and functional."""
    return dict(_data()["preliminary"])


WaypointMonth = Annotated[
    int,
    f"The month of the programme, which decides what is required: {', '.join(str(one.month) for one in waypoints())}. "
    "A submission says its own.",
]
