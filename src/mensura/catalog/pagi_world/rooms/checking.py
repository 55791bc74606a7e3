"""Checking: which things of a room lie in each other before it begins."""

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import RoomPlan

DEEP = 0.15
"""How deep two things may lie in each other before it counts."""


def overlaps(plan: RoomPlan) -> list[tuple[str, str]]:
    """Return the pairs of things, and of things and bodies, that lie in each other at first."""
    world = RoomPlay(plan, PlayTerms()).world
    joined = {frozenset((joint.plan.first, joint.plan.second)) for joint in world.joints}
    hooked = {thing.name for thing in world.things.values() if thing.row.does in ("hangs", "hooks")}
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
            if {name, other} <= hooked:
                continue
            # Of two alike at one place the solver knows no way out: a normal of no length.
            points = hit.contact_point_set
            if points.normal == (0, 0) or any(-point.distance > DEEP for point in points.points):
                found.add((min(name, other), max(name, other)))
    return sorted(found)
