"""Sight: the two fields of points that a body sees, fixed to it and turning with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, sin
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.pagi_world.senses.seeing import find_at, near_any
from mensura.catalog.pagi_world.world.behaviour import seen_as
from mensura.catalog.pagi_world.world.kinds import WATER
from mensura.catalog.pagi_world.world.plan import parts_of
from mensura.catalog.pagi_world.world.terms import BODY_RADIUS, TERMS
from mensura.catalog.pagi_world.world.thing import BEHIND

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.speech import Bubble
    from mensura.catalog.pagi_world.world.avatar import Avatar
    from mensura.catalog.pagi_world.world.room_world import RoomWorld

FIELDS = {"V": (31, 21), "P": (16, 11)}
CORNERS = {"V": (-2.25, 1.65), "P": (-14.5, 0.5)}
"""Place of the lower left point against the body."""
PERIPHERAL = (2.0, 2.0)
NOTHING = ("", "", (0.0, 0.0, 0.0, 0.0))
BODY_SEEN = (0.95, 0.8, 0.3, 0.2)
NEAR_WATER = 0.2
Seen = tuple[str, str, tuple[float, ...]]
"""Type, name and visual numbers of what is at a point."""


@lru_cache(maxsize=16)
def points_of(field: str, physics: str) -> NDArray[np.float64]:
    """Return the points of a field against the body, x outside and y inside.

    >>> points_of("V", "paper").shape, points_of("P", "paper")[0].tolist()
    ((651, 2), [-14.5, 0.5])
    """
    wide, high = FIELDS[field]
    step = TERMS[physics].detailed if field == "V" else PERIPHERAL
    x, y = CORNERS[field]
    across, up = np.meshgrid(x + step[0] * np.arange(wide), y + step[1] * np.arange(high), indexing="ij")
    points = np.column_stack([across.ravel(), up.ravel()])
    points.setflags(write=False)
    return points


@dataclass(eq=False)
class _Outlines:
    version: int
    owners: list[tuple[int, Any]]
    far: NDArray[np.float64]
    first: NDArray[np.int64]
    count: NDArray[np.int64]
    corners: NDArray[np.float64]


class Sight:
    """What can be seen in a room; outlines are kept until things come or go."""

    def __init__(self, world: RoomWorld) -> None:
        self.world = world
        self._outlines: _Outlines | None = None

    def look(self, avatar: Avatar, field: str, bubbles: list[Bubble] | None = None) -> list[Seen]:
        """Return what is at every point of a field, x outside and y inside."""
        points = points_of(field, self.world.terms.physics)
        return self._at(avatar, points, bubbles or [])

    def look_at(self, avatar: Avatar, field: str, x: int, y: int, bubbles: list[Bubble] | None = None) -> Seen:
        """Return what is at one point of a field."""
        high = FIELDS[field][1]
        return self._at(avatar, points_of(field, self.world.terms.physics)[[x * high + y]], bubbles or [])[0]

    def numbers(self, avatar: Avatar, field: str) -> NDArray[np.float64]:
        """Return the visual numbers at every point of a field as an array, width by height by 4."""
        seen = self.look(avatar, field)
        return np.array([one[2] for one in seen]).reshape(*FIELDS[field], 4)

    def find(self, avatar: Avatar, name: str, mode: str, bubbles: list[Bubble] | None = None) -> list[str]:
        """Return the sensors at which a thing of that name or type is seen: detailed first, x in the outer loop."""
        found = []
        for field in ("V", "P"):
            if {"V": "D", "P": "P"}[field] not in mode:
                continue
            high = FIELDS[field][1]
            for place, (kind, title, _) in enumerate(self.look(avatar, field, bubbles)):
                if name in (kind, title):
                    found.append(f"{field}{place // high}.{place % high}")
        return found

    def _at(self, avatar: Avatar, points: NDArray[np.float64], bubbles: list[Bubble]) -> list[Seen]:
        body = avatar.body
        c, s = cos(body.angle), sin(body.angle)
        x, y = body.position
        there = np.empty_like(points)
        there[:, 0] = x + points[:, 0] * c - points[:, 1] * s
        there[:, 1] = y + points[:, 0] * s + points[:, 1] * c
        outlines = self._current()
        place, turn = np.empty((len(outlines.owners), 2)), np.empty((len(outlines.owners), 2))
        for n, (_, owner) in enumerate(outlines.owners):
            place[n] = owner.position
            turn[n] = owner.rotation_vector
        found = find_at(there, place, turn, outlines.far, outlines.first, outlines.count, outlines.corners)
        seen: dict[int, Seen] = {-1: NOTHING}
        for n in np.unique(found).tolist():
            if n >= 0:
                seen[n] = self._seen(outlines.owners[n][0], avatar)
        everything = [seen[n] for n in found.tolist()]
        if self.world.pool is not None and self.world.pool.count:
            # Water lies before what is in it only where nothing else is.
            for n in np.flatnonzero(near_any(there, self.world.pool.places(), NEAR_WATER)).tolist():
                if everything[n] is NOTHING:
                    everything[n] = ("water", "water", WATER)
        for bubble in bubbles:
            left, low, right, high = bubble.box
            inside = (left <= there[:, 0]) & (there[:, 0] <= right) & (low <= there[:, 1]) & (there[:, 1] <= high)
            for n in np.flatnonzero(inside).tolist():
                everything[n] = ("speechBubble", f"{bubble.speaker}: {bubble.text}", (1.0, 1.0, 1.0, 1.0))
        return everything

    def _seen(self, number: int, avatar: Avatar) -> Seen:
        shows = self.world.terms.shows
        if number < 0:
            other = self.world.by_number(number)
            if other is None or other is avatar:
                return NOTHING
            return "agent", other.role, BODY_SEEN if shows else NOTHING[2]
        thing = self.world.things[number]
        kind, visual = seen_as(thing)
        return kind, thing.name, tuple(visual) if shows else NOTHING[2]

    def _current(self) -> _Outlines:
        version = self.world.shape_version + 100_000 * len(self.world.avatars)
        if self._outlines is None or self._outlines.version != version:
            self._outlines = self._gather(version)
        return self._outlines

    def _gather(self, version: int) -> _Outlines:
        owners: list[tuple[int, Any]] = []
        far: list[float] = []
        first: list[int] = []
        count: list[int] = []
        corners: list[tuple[float, float]] = []
        # What was made last lies on top.
        for number in sorted(self.world.things, reverse=True):
            thing = self.world.things[number]
            if thing.shapes[0].filter.categories & BEHIND:
                continue
            outline = thing.row.outline
            for part in ((),) if outline[0] == "circle" else parts_of(outline):
                owners.append((number, thing.body))
                first.append(len(corners))
                count.append(len(part))
                far.append(outline[1] if outline[0] == "circle" else max(hypot(*corner) for corner in part))
                corners += part
        for avatar in self.world.avatars.values():
            owners.append((avatar.number, avatar.body))
            first.append(len(corners))
            count.append(0)
            far.append(BODY_RADIUS)
        return _Outlines(
            version,
            owners,
            np.array(far),
            np.array(first, np.int64),
            np.array(count, np.int64),
            np.array(corners, float).reshape(-1, 2),
        )
