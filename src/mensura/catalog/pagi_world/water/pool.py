"""WaterPool: the water of a room: its particles, where it comes from and where it drains."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.pagi_world.water.particles import substep
from mensura.catalog.pagi_world.world.plan import finite, parts_of
from mensura.catalog.pagi_world.world.terms import BODY_RADIUS, FIELD
from mensura.catalog.pagi_world.world.thing import BEHIND
from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.world.room_world import RoomWorld

Floats = NDArray[np.float64]
SPACING = 0.25
DENSITY = 4.0
"""Kilograms of water in a square unit; a thing floats where its mass by its area is less."""
SUBSTEPS, ROUNDS, VISCOSITY = 4, 4, 0.06
MOST = 4000


class WaterPool:
    """The particles of a room's water."""

    def __init__(self, place: Floats, speed: Floats, *, poured: float = 0.0) -> None:
        self.place, self.speed = place, speed
        self.poured = poured
        """How many particles a source has given and not yet whole."""
        self._version = -1
        self._outlines: Any = None

    @classmethod
    def fill(cls, plan: Mapping[str, Any]) -> WaterPool:
        """Fill boxes with particles: {"boxes": [[left, low, right, high], ...]}."""
        places: list[tuple[float, float]] = []
        boxes = plan.get("boxes", [])
        if not isinstance(boxes, list | tuple) or set(plan) - {"boxes"}:
            raise BadParameter(f'Water is {{"boxes": [[left, low, right, high], ...]}}; got {dict(plan)!r:.80}.')
        for box in boxes:
            if not isinstance(box, list | tuple) or len(box) != 4:
                raise BadParameter(f"Water fills boxes, [left, low, right, high]; got {box!r:.60}.")
            left, low, right, high = (finite(one, "A box of water") for one in box)
            across, up = int((right - left) / SPACING), int((high - low) / SPACING)
            if across * up > MOST:
                raise BadParameter(f"A room has at most {MOST} particles of water.")
            places += [
                (left + (i + 0.5) * SPACING, low + (j + 0.5) * SPACING) for j in range(up) for i in range(across)
            ]
        place = np.array(places, float).reshape(-1, 2)
        return cls(place, np.zeros_like(place))

    @classmethod
    def read(cls, state: Mapping[str, Any]) -> WaterPool:
        """Make it again from its state."""
        place = np.array(state["place"], float).reshape(-1, 2)
        return cls(place, np.array(state["speed"], float).reshape(-1, 2), poured=state["poured"])

    def state(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"place": self.place.tolist(), "speed": self.speed.tolist(), "poured": self.poured}

    @property
    def count(self) -> int:
        """How many particles there are."""
        return len(self.place)

    def places(self) -> Floats:
        """Return where the particles are."""
        return self.place

    def step(self, world: RoomWorld) -> None:
        """Move the water on by a tick, and give things the speeds it leaves them."""
        self._pour(world)
        if not self.count:
            return
        bodies, owner, far, first, count, corners = self._gather(world)
        centre = np.array([body.position for body in bodies], float).reshape(-1, 2)
        angle = np.array([body.angle for body in bodies], float)
        motion = np.array([[*body.velocity, body.angular_velocity] for body in bodies], float).reshape(-1, 3)
        inverse = np.array([_inverse(body) for body in bodies], float).reshape(-1, 2)
        tick, dt = world.terms.tick_seconds, world.terms.tick_seconds / SUBSTEPS
        gravity = np.array(world.space.gravity, float)
        # Things fall into the water as they would without it; what it changes of that is its force on them.
        motion[inverse[:, 0] > 0, :2] += gravity * tick
        was = motion.copy()
        for part in range(SUBSTEPS):
            substep(
                self.place, self.speed, gravity, dt, SPACING, DENSITY * SPACING**2, ROUNDS, VISCOSITY, centre, angle,
                motion, inverse, owner, far, first, count, corners, world.tick * SUBSTEPS + part,
            )  # fmt: skip
        for number, body in enumerate(bodies):
            change = motion[number] - was[number]
            if inverse[number, 0] > 0 and change.any() and all(map(isfinite, change)):
                mass, force = body.mass / tick, body.force
                # As a force, so that walls hold against it within the same step.
                body.force = (force.x + mass * float(change[0]), force.y + mass * float(change[1]))
                if inverse[number, 1] > 0:
                    body.torque += body.moment / tick * float(change[2])
        self._drain(world)

    def _gather(self, world: RoomWorld) -> Any:
        """Return the bodies that water may touch, and the outlines of their parts."""
        if self._version == world.shape_version and self._outlines is not None:
            return self._outlines
        bodies: list[Any] = []
        owner: list[int] = []
        far: list[float] = []
        first: list[int] = []
        count: list[int] = []
        corners: list[tuple[float, float]] = []
        for thing in world.things.values():
            if thing.shapes[0].sensor or thing.shapes[0].filter.categories & BEHIND:
                continue
            outline = thing.row.outline
            for part in ((),) if outline[0] == "circle" else parts_of(outline):
                owner.append(len(bodies))
                first.append(len(corners))
                count.append(len(part))
                far.append(outline[1] if outline[0] == "circle" else max(hypot(*corner) for corner in part))
                corners += part
            bodies.append(thing.body)
        for avatar in world.avatars.values():
            owner.append(len(bodies))
            first.append(len(corners))
            count.append(0)
            far.append(BODY_RADIUS)
            bodies.append(avatar.body)
        self._version = world.shape_version
        self._outlines = (
            bodies,
            np.array(owner, np.int64),
            np.array(far, float),
            np.array(first, np.int64),
            np.array(count, np.int64),
            np.array(corners, float).reshape(-1, 2),
        )
        return self._outlines

    def _pour(self, world: RoomWorld) -> None:
        for thing in world.things.values():
            if thing.row.does != "pours" or thing.memory.get("off") or self.count >= MOST:
                continue
            given = thing.memory.get("given", 0.0) + float(thing.row.of) * world.terms.tick_seconds
            whole = int(given)
            thing.memory["given"] = given - whole
            x, y = thing.body.position
            made = int(thing.memory.get("made", 0))
            for _ in range(whole):
                # To and fro, so that no two begin at one place.
                away = ((made * 7) % 5 - 2) * 0.15
                self.place = np.vstack([self.place, [x + away, y - 0.3]])
                self.speed = np.vstack([self.speed, [0.0, -1.0]])
                made += 1
            thing.memory["made"] = made

    def _drain(self, world: RoomWorld) -> None:
        kept = (self.place[:, 0] > FIELD[0]) & (self.place[:, 0] < FIELD[1]) & (self.place[:, 1] > FIELD[2])
        for thing in world.things.values():
            if thing.row.does == "drains":
                box = thing.shapes[0].bb
                kept &= ~(
                    (self.place[:, 0] > box.left) & (self.place[:, 0] < box.right)
                    & (self.place[:, 1] > box.bottom) & (self.place[:, 1] < box.top)
                )  # fmt: skip
        if not kept.all():
            self.place, self.speed = self.place[kept].copy(), self.speed[kept].copy()


def _inverse(body: Any) -> tuple[float, float]:
    if body.body_type != body.DYNAMIC:
        return 0.0, 0.0
    return 1.0 / body.mass, 1.0 / body.moment if isfinite(body.moment) else 0.0
