"""PlacedJoint: what holds two things together in a room."""

from dataclasses import dataclass, field
from math import degrees, radians
from typing import Any

from mensura.catalog.pagi_world.world.plan import JointPlan

STIFF, DAMPED = 2000.0, 40.0
"""How hard a bendable hinge resists, in newton metres a radian, and how soon it comes to rest."""


@dataclass(slots=True, eq=False)
class PlacedJoint:
    """A joint and what pymunk made of it; the first of `made` is the one whose force is watched."""

    plan: JointPlan
    made: list[Any]
    first: Any
    second: Any
    lock: Any = None
    memory: dict[str, Any] = field(default_factory=dict)

    @property
    def watched(self) -> bool:
        """Whether something can come of the force on it."""
        return self.plan.breaks is not None or self.plan.kind == "hinge"

    def strained(self, step: float) -> bool:
        """Return whether it breaks; a hinge that is bent too far keeps the bend."""
        if self.plan.kind == "hinge":
            spring, angle = self.made[1], self.first.angle - self.second.angle
            most = radians(self.plan.bends)
            away = angle - spring.rest_angle
            if abs(away) > most:
                spring.rest_angle = angle - (most if away > 0 else -most)
                self.memory["bend"] = spring.rest_angle
        return self.plan.breaks is not None and self.made[0].impulse / step > self.plan.breaks


def place_joint(plan: JointPlan, first: Any, second: Any, memory: dict[str, Any] | None = None) -> PlacedJoint:
    """Make a joint between two bodies; it is in no space yet."""
    import pymunk

    memory = dict(memory or {})
    anchors = memory.get("anchors")
    if anchors is None:
        anchors = [list(first.world_to_local(plan.at)), list(second.world_to_local(plan.at))]
        memory["anchors"] = anchors
        memory["turned"] = second.angle - first.angle
    one, two = tuple(anchors[0]), tuple(anchors[1])
    made: list[Any]
    if plan.kind == "rope":
        made = [pymunk.SlideJoint(first, second, (0, 0), (0, 0), 0.0, plan.length)]
    else:
        made = [pymunk.PivotJoint(first, second, one, two)]
        made[0].collide_bodies = False
    if plan.kind == "weld":
        made.append(pymunk.GearJoint(first, second, memory["turned"], 1.0))
    if plan.kind == "hinge":
        made.append(pymunk.DampedRotarySpring(first, second, memory.get("bend", -memory["turned"]), STIFF, DAMPED))
    if plan.limits:
        low, high = plan.limits
        made.append(pymunk.RotaryLimitJoint(first, second, radians(low), radians(high)))
    joint = PlacedJoint(plan, made, first, second, memory=memory)
    if memory.get("locked", plan.locked):
        hold(joint, memory.get("held"))
    return joint


def hold(joint: PlacedJoint, at: float | None = None) -> Any:
    """Lock a joint where it stands; returns the lock, which is the last of what was made."""
    import pymunk

    angle = joint.second.angle - joint.first.angle if at is None else at
    joint.lock = pymunk.RotaryLimitJoint(joint.first, joint.second, angle, angle)
    joint.made.append(joint.lock)
    joint.memory |= {"locked": True, "held": angle}
    return joint.lock


def angle_of(joint: PlacedJoint) -> float:
    """Return how far the second is turned against the first, in degrees."""
    return degrees(joint.second.angle - joint.first.angle)
