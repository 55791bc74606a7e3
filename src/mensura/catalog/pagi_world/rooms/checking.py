"""Checking: which things of a room lie in each other before it begins."""

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import RoomPlan

DEEP = 0.15
"""How deep two things may lie in each other before it counts."""


def overlaps(plan: RoomPlan) -> list[tuple[str, str]]:
    """Return the pairs of things, and of things and bodies, that lie in each other at first."""
    world = RoomPlay(plan, PlayTerms()).world
    joined = {frozenset((joint.plan.first, joint.plan.second)) for joint in world.joints}
    found: set[tuple[str, str]] = set()
    shapes = [(thing.name, shape, thing.moves) for thing in world.things.values() for shape in thing.shapes]
    shapes += [(role, avatar.shape, True) for role, avatar in world.avatars.items()]
    for name, shape, moves in shapes:
        if shape.sensor or not moves:
            continue
        for hit in world.space.shape_query(shape):
            other = next((title for title, one, _ in shapes if one is hit.shape), name)
            if other == name or hit.shape is None or hit.shape.sensor or frozenset((name, other)) in joined:
                continue
            if any(-point.distance > DEEP for point in hit.contact_point_set.points):
                found.add((min(name, other), max(name, other)))
    return sorted(found)
