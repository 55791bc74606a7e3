"""Sensors: what each code reads, and the aspects of them that conditions and expressions name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import degrees
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.senses.sight import FIELDS, Sight
from mensura.catalog.pagi_world.world.behaviour import EIGHTH
from mensura.catalog.pagi_world.world.thing import BODIES, THINGS
from mensura.errors import Invalid

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.speech import Bubble
    from mensura.catalog.pagi_world.world.avatar import Avatar
    from mensura.catalog.pagi_world.world.room_world import RoomWorld

PALM = ((0.0, 0.65), (0.6, 0.0), (0.0, -0.65), (-0.6, 0.0), (0.0, 0.0))
"""Where a hand feels."""
TOUCH = re.compile(r"(B[0-7]|[LR][0-4])\Z")
POINT = re.compile(r"([VP])(\d{1,3})\.(\d{1,3})\Z")
PLACES = ("S", "BP", "LP", "RP", "A")
MAPS = {"MDN": "V", "MPN": "P"}
FELT = {"p": 0, "tmp": 1, "tx1": 2, "tx2": 3, "tx3": 4, "tx4": 5, "e": 6}
NUMBER = re.compile(
    r"(?:(S|BP|LP|RP)([xy])|(A)|(B[0-7]|[LR][0-4])_(p|tmp|tx[1-4]|e)|([VP]\d{1,3}\.\d{1,3})_vq([1-4]))\Z"
)
Feeling = tuple[float, ...]
"""Whether something is touched, its temperature, four textures, and endorphins."""
NO_FEELING: Feeling = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Felt:
    """What is touched at a point, with the name and type of it."""

    values: Feeling
    name: str = ""
    kind: str = ""


UNFELT = Felt(NO_FEELING)


class Senses:
    """The senses of one body in a room."""

    def __init__(
        self, world: RoomWorld, avatar: Avatar, sight: Sight, bubbles: list[Bubble], *, names: bool = True
    ) -> None:
        import pymunk

        self.world, self.avatar, self.sight, self.bubbles, self.names = world, avatar, sight, bubbles, names
        self._filter = pymunk.ShapeFilter(mask=THINGS | BODIES)

    def touch(self, code: str) -> Felt:
        """Return what one tactile point feels."""
        if not TOUCH.match(code):
            raise unknown_sensor(code)
        if code[0] == "B":
            place = self.avatar.outward(EIGHTH[int(code[1])])
        else:
            x, y = self.avatar.hand_place("LR".index(code[0]))
            dx, dy = PALM[int(code[1])]
            place = (x + dx, y + dy)
        return self._feel(place)

    def _feel(self, place: tuple[float, float]) -> Felt:
        best = 0
        for hit in self.world.space.point_query(place, 0.0, self._filter):
            number = getattr(hit.shape, "number", 0)
            if number != self.avatar.number and number != 0 and (best == 0 or number > best):
                best = number
        if best < 0:
            other = self.world.by_number(best)
            return (
                UNFELT if other is None else Felt((1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), self._named(other.role), "agent")
            )
        if best == 0:
            return UNFELT
        thing = self.world.things[best]
        row = thing.row
        texture = row.texture if self.world.terms.shows else (0.0, 0.0, 0.0, 0.0)
        values = (1.0, float(row.temperature), *map(float, texture), float(row.endorphin))
        return Felt(values, self._named(thing.name), self._named(row.name))

    def _named(self, name: str) -> str:
        return name if self.names else ""

    def see(self, code: str) -> tuple[str, str, tuple[float, ...]]:
        """Return type, name and visual numbers at one point of vision."""
        match = POINT.match(code)
        if not match:
            raise unknown_sensor(code)
        field, x, y = match[1], int(match[2]), int(match[3])
        wide, high = FIELDS[field]
        if x >= wide or y >= high:
            raise Invalid(
                f"{code} is outside vision: {field}0.0 to {field}{wide - 1}.{high - 1} are inside; got {x}.{y}."
            )
        kind, name, visual = self.sight.look_at(self.avatar, field, x, y, self.bubbles)
        return (kind, name, visual) if self.names else ("", "", visual)

    def map(self, code: str) -> list[str]:
        """Return all names of a field, row by row from below; empty for background."""
        field = MAPS[code]
        wide, high = FIELDS[field]
        seen = self.sight.look(self.avatar, field, self.bubbles)
        return [self._named(seen[x * high + y][1]) for y in range(high) for x in range(wide)]

    def find(self, name: str, mode: str) -> list[str]:
        """Return the sensors that see a thing of a name; with names off, none can."""
        if mode not in ("P", "D", "PD", "DP"):
            raise Invalid(f"findObj looks with P, D or PD; got {mode!r:.20}.")
        return self.sight.find(self.avatar, name, mode, self.bubbles) if self.names else []

    def number(self, aspect: str) -> float:
        """Return one number, as conditions and expressions name it: Sx, BPy, A, L0_tmp, V3.4_vq1."""
        return aspect_reader(aspect)(self)


@lru_cache(maxsize=4096)
def aspect_reader(aspect: str) -> Callable[[Senses], float]:
    """Return what reads an aspect; raises a sentence for one that there is not."""
    match = NUMBER.match(aspect)
    if not match:
        raise unknown_sensor(aspect)
    if match[1]:
        code, axis = match[1], "xy".index(match[2])
        return lambda senses: senses.avatar.reading(code)[axis]
    if match[3]:
        return _angle
    if match[4]:
        touched, part = match[4], FELT[match[5]]
        return lambda senses: senses.touch(touched).values[part]
    seen, which = match[6], int(match[7]) - 1
    field, x, y = _point(seen)
    if x >= FIELDS[field][0] or y >= FIELDS[field][1]:
        raise Invalid(f"{seen} is outside vision.")
    return lambda senses: senses.see(seen)[2][which]


def _angle(senses: Senses) -> float:
    angle: float = senses.avatar.body.angle
    # The program of 2018 has it in degrees here, and in radians where the sensor is asked.
    return degrees(angle) if senses.world.terms.physics == "original" else angle


def _point(code: str) -> tuple[str, int, int]:
    match: Any = POINT.match(code)
    return match[1], int(match[2]), int(match[3])


def unknown_sensor(code: str) -> Invalid:
    """Return what is wrong with a code that no sensor has."""
    return Invalid(
        f"There is no sensor {code!r:.40}; there are B0-B7, L0-L4, R0-R4, S, BP, LP, RP, A, V0.0-V30.20, P0.0-P15.10, "
        "MDN and MPN."
    )
