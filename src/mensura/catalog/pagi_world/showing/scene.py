"""Scene: a room as it stands now, with the parts of its JSON, for pages and films."""

from math import degrees
from typing import Any

from mensura.catalog.pagi_world.play import RoomPlay
from mensura.catalog.pagi_world.showing.look import room_look
from mensura.catalog.pagi_world.world.thing import PlacedThing

DRAWN = ("kind", "name", "size", "visual", "picture", "of")
"""What a picture needs of a plan."""


def scene_of(play: RoomPlay) -> dict[str, Any]:
    """Return all that there is to draw of a room."""
    world = play.world
    scene: dict[str, Any] = {
        "things": [_thing(thing) for thing in world.things.values()],
        "agents": [body_of(play, role) for role in play.places],
        "joints": [joint.plan.data() for joint in world.joints if joint.plan.kind in ("rope", "pivot")],
        "bubbles": [bubble.data() for bubble in play.bubbles],
    }
    if world.pool is not None:
        scene["water"] = {"places": [round(one, 2) for one in world.pool.places().ravel().tolist()]}
    return scene


def body_of(play: RoomPlay, role: str) -> dict[str, Any]:
    """Return where a body and its hands are."""
    avatar = play.places[role].avatar
    return {
        "role": role,
        "at": _pair(avatar.body.position),
        "angle": round(degrees(avatar.body.angle), 2),
        "hands": [_pair(hand.position) for hand in avatar.hands],
        "grips": [bool(held) for held in avatar.grips],
    }


def look_of(play: RoomPlay) -> dict[str, Any]:
    """Return how what is in a room is drawn; a page is sent it again and again, so it has no other kinds."""
    look = room_look()
    here = {thing.plan.kind for thing in play.world.things.values()} | {"block", "healthySoldier"}
    return look | {"kinds": {name: row for name, row in look["kinds"].items() if name in here}}


def _thing(thing: PlacedThing) -> dict[str, Any]:
    plan = thing.plan.data()
    shown = {name: plan[name] for name in DRAWN if name in plan}
    shown |= {"at": _pair(thing.body.position), "angle": round(degrees(thing.body.angle), 2)}
    if kept := {name: True for name in ("healthy", "behind") if name in thing.memory}:
        shown["memory"] = kept
    return shown


def _pair(place: Any) -> list[float]:
    return [round(place[0], 3), round(place[1], 3)]
