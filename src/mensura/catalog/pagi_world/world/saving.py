"""Saving: a room that moves as JSON, and a room again from that.

A copy does not go on with the same bits as the room it was taken from: the solver's contacts are not in it. Who saves
goes on with the copy, so that a session which was not cut off and one that is resumed are the same.
"""

from __future__ import annotations

from typing import Any

from mensura.catalog.pagi_world.world.behaviour import TICKING
from mensura.catalog.pagi_world.world.joint import place_joint
from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan
from mensura.catalog.pagi_world.world.room_world import RoomWorld
from mensura.catalog.pagi_world.world.terms import TERMS
from mensura.catalog.pagi_world.world.thing import place_thing

MOTION = ("x", "y", "vx", "vy", "angle", "spin")


def save_world(world: RoomWorld) -> dict[str, Any]:
    """Return all that a room needs to go on, as JSON."""
    return {
        "physics": world.terms.physics,
        "tick_seconds": world.terms.tick_seconds,
        "gravity": list(world.space.gravity),
        "tick": world.tick,
        "next": world.next_number,
        "chance": world.chance,
        "happened": dict(world.happened),
        "things": world.describe(),
        "joints": [{"plan": joint.plan.data(), "memory": _plain(joint.memory)} for joint in world.joints],
        "avatars": [_avatar(avatar) for avatar in world.avatars.values()],
        "pool": None if world.pool is None else world.pool.state(),
    }


def load_world(state: dict[str, Any]) -> RoomWorld:
    """Return the room that was saved."""
    from dataclasses import replace

    terms = replace(TERMS[state["physics"]], tick_seconds=state["tick_seconds"])
    world = RoomWorld(terms, tuple(state["gravity"]))
    world.tick = state["tick"]
    for one in state["things"]:
        thing = place_thing(one["number"], ThingPlan.read(one["plan"]), terms, memory=one["memory"])
        thing.made = one["made"]
        _move(thing.body, one, static=thing.body.body_type == thing.body.STATIC)
        world.things[thing.number] = thing
        world.by_name[thing.plan.name] = thing.number
        world.space.add(thing.body, *thing.shapes)
        if thing.row.does in TICKING:
            world.ticking[thing.number] = thing
    for one in state["avatars"]:
        _enter(world, one)
    for one in state["joints"]:
        plan = JointPlan.read(one["plan"])
        ends = [
            world.things[world.by_name[name]].body if name else world.space.static_body
            for name in (plan.first, plan.second)
        ]
        joint = place_joint(plan, ends[0], ends[1], one["memory"])
        world.space.add(*joint.made)
        world.joints.append(joint)
    for one in state["avatars"]:
        _grip(world, one)
    world.next_number, world.chance = state["next"], state["chance"]
    world.happened = dict(state["happened"])
    if state["pool"] is not None:
        from mensura.catalog.pagi_world.water.pool import WaterPool

        world.pool = WaterPool.read(state["pool"])
    return world


def again(world: RoomWorld) -> RoomWorld:
    """Return the room with which one goes on after a save."""
    copy = load_world(save_world(world))
    copy.notices = world.notices
    return copy


def _avatar(avatar: Any) -> dict[str, Any]:
    return {
        "role": avatar.role,
        "body": _motion(avatar.body),
        "hands": [_motion(hand) for hand in avatar.hands],
        "grips": [
            [[number, list(joint.anchor_a), list(joint.anchor_b)] for number, joint in held] for held in avatar.grips
        ],
        "endorphins": avatar.endorphins,
        "work": avatar.work,
        "firings": avatar.firings,
        "commands": avatar.commands,
    }


def _enter(world: RoomWorld, one: dict[str, Any]) -> None:
    avatar = world.enter(one["role"], (one["body"]["x"], one["body"]["y"]))
    for body, motion in zip((avatar.body, *avatar.hands), (one["body"], *one["hands"]), strict=True):
        _move(body, motion)
    avatar.endorphins, avatar.work = one["endorphins"], one["work"]
    avatar.firings, avatar.commands = one["firings"], one["commands"]


def _grip(world: RoomWorld, one: dict[str, Any]) -> None:
    import pymunk

    avatar = world.avatars[one["role"]]
    for side, held in enumerate(one["grips"]):
        for number, own, other in held:
            joint: Any = pymunk.PivotJoint(avatar.hands[side], world.things[number].body, tuple(own), tuple(other))
            world.space.add(joint)
            avatar.grips[side].append((number, joint))


def _motion(body: Any) -> dict[str, float]:
    return {
        "x": body.position.x,
        "y": body.position.y,
        "vx": body.velocity.x,
        "vy": body.velocity.y,
        "angle": body.angle,
        "spin": body.angular_velocity,
    }


def _move(body: Any, motion: dict[str, Any], *, static: bool = False) -> None:
    body.angle = motion["angle"]
    body.position = (motion["x"], motion["y"])
    if not static:
        body.velocity = (motion["vx"], motion["vy"])
        body.angular_velocity = motion["spin"]


def _plain(memory: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in memory.items()}
