"""Avatar: the round body of an agent with its two hands, and what its effectors do."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, hypot, inf, radians, sin, sqrt
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.world.terms import (
    BODY_BOUNCE,
    BODY_FRICTION,
    BODY_MASS,
    BODY_RADIUS,
    HAND_DRAG,
    HAND_MASS,
    JUMP,
    MOST_FORCE,
    SHOULDERS,
    WRIST,
    PhysicsTerms,
)
from mensura.catalog.pagi_world.world.thing import BODIES, LIVELY, THINGS, WATCHED

if TYPE_CHECKING:
    import pymunk

HANDS = ("L", "R")
EFFECTORS = ("LHH", "LHV", "LHvec", "RHH", "RHV", "RHvec", "BMH", "BMV", "BMvec", "J", "BR", "LHG", "LHR", "RHG", "RHR")
"""What an agent can do: push its hands and itself along, jump, turn, grip and release."""
Pair = tuple[float, float]


@dataclass(slots=True, eq=False)
class Avatar:
    """One agent in a room."""

    role: str
    number: int
    """Its number among shapes: below 0."""
    terms: PhysicsTerms
    body: pymunk.Body
    shape: pymunk.Shape
    hands: tuple[pymunk.Body, pymunk.Body]
    tethers: tuple[Any, Any]
    grips: list[list[tuple[int, Any]]] = field(default_factory=lambda: [[], []])
    """For each hand, the numbers of what it holds, with the joints."""
    endorphins: float = 0.0
    work: float = 0.0
    firings: int = 0
    commands: int = 0
    jumping: bool = False
    _hand_forces: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0], [0.0, 0.0]])
    _body_force: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _pushing: list[tuple[Any, Pair, Pair]] = field(default_factory=list)

    def push(self, effector: str, first: float, second: float = 0.0) -> None:
        """Take note of a force in the axes of the body, to be exerted in this tick."""
        if effector[-1] == "H":
            force = (first, 0.0)
        elif effector[-1] == "V":
            force = (0.0, first)
        else:
            force = (first, second)
        into = self._body_force if effector[0] == "B" else self._hand_forces[HANDS.index(effector[0])]
        for axis in (0, 1):
            into[axis] = min(max(into[axis] + force[axis], -MOST_FORCE), MOST_FORCE)

    def turn(self, degrees: float) -> None:
        """Turn the body; its hands follow where their tethers pull them."""
        self.body.angle += radians(degrees % 360 if abs(degrees) >= 360 else degrees)

    def exert(self) -> None:
        """Hand the forces of this tick to the bodies: every force on a hand pushes back on the body."""
        turned = (cos(self.body.angle), sin(self.body.angle))
        self._pushing.clear()
        step, whole = self.terms.tick_seconds, [0.0, 0.0]
        for hand, force in zip(self.hands, self._hand_forces, strict=True):
            velocity = hand.velocity
            if velocity != (0.0, 0.0):
                hand.velocity = velocity * (1 / (1 + HAND_DRAG * step))
            if force[0] or force[1]:
                x, y = _turn(force, turned)
                hand.force = (hand.force.x + x, hand.force.y + y)
                whole[0] -= x
                whole[1] -= y
                self._pushing.append((hand, (x, y), _pair(hand.velocity - self.body.velocity)))
                force[0] = force[1] = 0.0
        own = _turn(self._body_force, turned) if self._body_force != [0.0, 0.0] else (0.0, 0.0)
        if self.jumping:
            own = (own[0], own[1] + JUMP / step)
            self.jumping = False
        if own != (0.0, 0.0):
            self._pushing.append((None, own, _pair(self.body.velocity)))
        self._body_force[0] = self._body_force[1] = 0.0
        if whole != [0.0, 0.0] or own != (0.0, 0.0):
            before = self.body.force
            self.body.force = (before.x + whole[0] + own[0], before.y + whole[1] + own[1])

    def count_work(self) -> None:
        """Add the work done in the step that was just made: force times way, where it is positive."""
        step = self.terms.tick_seconds
        for hand, force, before in self._pushing:
            now = self.body.velocity if hand is None else hand.velocity - self.body.velocity
            way = ((before[0] + now[0]) / 2 * step, (before[1] + now[1]) / 2 * step)
            self.work += max(0.0, force[0] * way[0] + force[1] * way[1])

    def lift_hands(self, gravity: Pair) -> None:
        """Take gravity off the hands for the step that comes."""
        force = (-gravity[0] * HAND_MASS, -gravity[1] * HAND_MASS)
        for hand in self.hands:
            hand.force = (hand.force.x + force[0], hand.force.y + force[1])

    def reading(self, code: str) -> tuple[float, ...]:
        """Return velocity `S`, place `BP`, hands `LP` and `RP` in the axes of the body, or rotation `A` in radians."""
        body = self.body
        if code == "A":
            return (body.angle,)
        if code == "S":
            return tuple(body.velocity)
        if code == "BP":
            return tuple(body.position)
        away = self.hands[HANDS.index(code[0])].position - body.position
        c, s = cos(body.angle), sin(body.angle)
        return (away.x * c + away.y * s, away.y * c - away.x * s)

    def hand_place(self, side: int) -> Pair:
        """Return where a hand is in the room."""
        return _pair(self.hands[side].position)

    def outward(self, point: Pair) -> Pair:
        """Return where a point of the body lies in the room."""
        x, y = _turn(point, (cos(self.body.angle), sin(self.body.angle)))
        place = self.body.position
        return (place.x + x, place.y + y)


def place_avatar(role: str, number: int, at: Pair, degrees: float, terms: PhysicsTerms) -> Avatar:
    """Make a body with its hands; they are in no space yet."""
    import pymunk

    # Contacts never turn it.
    body = pymunk.Body(BODY_MASS, inf)
    body.position, body.angle = at, radians(degrees)
    shape: Any = pymunk.Circle(body, BODY_RADIUS)
    shape.friction = sqrt(BODY_FRICTION) if terms.mixes_by_root else BODY_FRICTION
    shape.elasticity = BODY_BOUNCE
    shape.collision_type = WATCHED | LIVELY * terms.mixes_by_root
    shape.filter = pymunk.ShapeFilter(categories=BODIES, mask=THINGS | BODIES)
    shape.number = number
    hands, tethers = [], []
    turned = (cos(body.angle), sin(body.angle))
    for shoulder, reach in zip(SHOULDERS, terms.reach, strict=True):
        hand = pymunk.Body(HAND_MASS, inf)
        x, y = _turn((shoulder[0] - WRIST[0], shoulder[1] - WRIST[1]), turned)
        hand.position = (at[0] + x, at[1] + y)
        hands.append(hand)
        tethers.append(pymunk.SlideJoint(body, hand, shoulder, WRIST, 0.0, reach))
    return Avatar(role, number, terms, body, shape, tuple(hands), tuple(tethers))  # type: ignore[arg-type]


def stretch(avatar: Avatar, side: int) -> float:
    """Return how far a hand is from its shoulder."""
    there = avatar.hand_place(side)
    shoulder = avatar.outward(SHOULDERS[side])
    return hypot(there[0] + WRIST[0] - shoulder[0], there[1] + WRIST[1] - shoulder[1])


def _pair(vector: Any) -> Pair:
    return float(vector[0]), float(vector[1])


def _turn(pair: Any, turned: Pair) -> Pair:
    return (pair[0] * turned[0] - pair[1] * turned[1], pair[0] * turned[1] + pair[1] * turned[0])
