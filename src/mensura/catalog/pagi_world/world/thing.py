"""PlacedThing: a thing that is in a room, with its body and shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, radians, sqrt
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.world.kinds import ThingKind
from mensura.catalog.pagi_world.world.plan import ThingPlan, parts_of
from mensura.catalog.pagi_world.world.terms import PhysicsTerms

if TYPE_CHECKING:
    import pymunk

THINGS, BODIES, BEHIND = 1, 2, 8
"""Layers: what collides, the bodies of agents, and what nothing touches."""
WATCHED, FELT, LIVELY = 1, 2, 4
"""Bits of a shape's type: its contacts are noted, the force on it is noted, it bounces."""
NOTED = frozenset({"heals", "halves", "dynamite", "key"})
"""What acts on what it touches; bodies are noted by themselves."""
PULLED = frozenset({"breaks"})


@dataclass(slots=True, eq=False)
class PlacedThing:
    """A thing in a room."""

    number: int
    plan: ThingPlan
    row: ThingKind
    body: pymunk.Body
    shapes: list[pymunk.Shape]
    memory: dict[str, Any] = field(default_factory=dict)
    """What its behaviour remembers, as JSON."""
    layer: int = 0
    made: bool = False
    """Whether a client made it, and may push, ask after and destroy it."""

    @property
    def name(self) -> str:
        """Its own name."""
        return self.plan.name

    @property
    def moves(self) -> bool:
        """Whether contacts move it."""
        return self.row.mass is not None


def place_thing(
    number: int, plan: ThingPlan, terms: PhysicsTerms, *, memory: dict[str, Any] | None = None
) -> PlacedThing:
    """Make a thing with its body and shapes; it is in no space yet."""
    import pymunk

    row, memory = plan.row, dict(memory or {})
    untouchable = not row.touchable or bool(memory.get("behind"))
    body_type = _type_of(row, memory)
    if body_type == pymunk.Body.DYNAMIC:
        mass = float(row.mass or 1.0)
        body = pymunk.Body(mass, _moment(row, mass) if row.turns and not memory.get("upright") else inf)
    else:
        body = pymunk.Body(body_type=body_type)
    body.position, body.angle = plan.at, radians(plan.angle)
    if body_type != pymunk.Body.STATIC:
        body.velocity, body.angular_velocity = plan.velocity, radians(plan.spin)
    shapes: list[Any] = []
    if row.outline[0] == "circle":
        shapes.append(pymunk.Circle(body, row.outline[1]))
    else:
        shapes += [pymunk.Poly(body, part) for part in parts_of(row.outline)]
    kind = (
        WATCHED * (row.does in NOTED) | FELT * (row.does in PULLED) | LIVELY * (terms.mixes_by_root and row.bounce > 0)
    )
    for shape in shapes:
        shape.friction = sqrt(row.friction) if terms.mixes_by_root else row.friction
        shape.elasticity = row.bounce
        shape.collision_type = kind
        shape.sensor = untouchable
        # What is hot is felt, even where it is no obstacle.
        shape.filter = pymunk.ShapeFilter(categories=BEHIND if untouchable and not row.temperature else THINGS)
        shape.number = number
    return PlacedThing(number, plan, row, body, shapes, memory)


def _type_of(row: ThingKind, memory: dict[str, Any]) -> int:
    import pymunk

    if row.does == "moves" or memory.get("kinematic"):
        return int(pymunk.Body.KINEMATIC)
    return int(pymunk.Body.STATIC if row.mass is None else pymunk.Body.DYNAMIC)


def _moment(row: ThingKind, mass: float) -> float:
    import pymunk

    if row.outline[0] == "circle":
        return float(pymunk.moment_for_circle(mass, 0, row.outline[1]))
    parts = parts_of(row.outline)
    areas = [abs(_area(part)) for part in parts]
    return float(
        sum(pymunk.moment_for_poly(mass * area / sum(areas), part) for part, area in zip(parts, areas, strict=True))
    )


def _area(points: Any) -> float:
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return float(sum(x * v - u * y for (x, y), (u, v) in pairs)) / 2
