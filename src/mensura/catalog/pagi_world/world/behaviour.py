"""Behaviours: what things do beyond being moved, each a few lines, chosen by the word in the table of kinds."""

from __future__ import annotations

from math import degrees, hypot
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.world.joint import hold
from mensura.catalog.pagi_world.world.kinds import HOOKS
from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan
from mensura.catalog.pagi_world.world.terms import BODY_RADIUS

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.world.avatar import Avatar
    from mensura.catalog.pagi_world.world.room_world import RoomWorld
    from mensura.catalog.pagi_world.world.thing import PlacedThing

TICKING = frozenset(
    {"button", "lever", "switch", "dispenses", "moves", "hangs", "attracts", "bursts", "trigger", "halves"}
)
"""Behaviours that look around at every step."""
BURSTING = 70
"""Steps for which a wall is still there after its dynamite touched it."""
EIGHTH = ((0, 1.2), (0.9, 0.9), (1.2, 0), (0.9, -0.9), (0, -1.2), (-0.9, -0.9), (-1.2, 0), (-0.9, 0.9))
"""Where the body feels."""
PAYS = 3
"""Grips for which an extinction schedule gives apples."""
NEAR = 0.8
"""How near its hook a weight must be let go to hang on it."""


def touch(world: RoomWorld, first: int, second: int) -> None:
    """Act on two things, or a body and a thing, that began to touch."""
    if second < 0:
        return
    if first < 0:
        avatar, thing = world.by_number(first), world.things.get(second)
        if avatar is not None and thing is not None and thing.row.does == "eaten" and not world.is_going(thing):
            _eat(world, avatar, thing)
        return
    one, other = world.things.get(first), world.things.get(second)
    if one is None or other is None or world.is_going(one) or world.is_going(other):
        return
    for actor, met in ((one, other), (other, one)):
        does, has = actor.row.does, met.row.does
        if does in ("heals", "halves") and has == "needs-healing" and not met.memory.get("healthy"):
            _heal(world, actor, met)
            return
        if does == "dynamite" and has == "bursts" and actor.row.of == met.row.of and "burst" not in met.memory:
            met.memory["burst"] = world.tick
            world.happen(f"burst {met.name}")
            world.vanish(actor)
            return
        if does == "key" and has == "lock" and actor.row.of == met.row.of:
            _unlock(world, actor, met)
            return


def _eat(world: RoomWorld, avatar: Avatar, thing: PlacedThing) -> None:
    value = thing.row.endorphin
    avatar.endorphins += value
    place = thing.body.position
    nearest = min(
        range(8), key=lambda n: hypot(*(a - b for a, b in zip(avatar.outward(EIGHTH[n]), place, strict=True)))
    )
    world.tell("RD", (value, nearest), avatar.role)
    world.happen(f"eaten {thing.name}")
    world.vanish(thing)


def _heal(world: RoomWorld, kit: PlacedThing, soldier: PlacedThing) -> None:
    soldier.memory["healthy"] = world.tick
    world.happen(f"healed {soldier.name}")
    world.vanish(kit)
    # A large kit that is not broken is used up whole.
    for joint in world.joints:
        if joint.plan.kind == "weld" and kit.name in (joint.plan.first, joint.plan.second):
            other = world.find(joint.plan.second if joint.plan.first == kit.name else joint.plan.first)
            if other is not None and other.row.does == "halves":
                world.vanish(other)
    world.shape_version += 1


def _unlock(world: RoomWorld, key: PlacedThing, box: PlacedThing) -> None:
    """Open a box: it is gone, and what it held lies there."""
    world.vanish(box)
    world.vanish(key)
    if box.plan.target:
        # The box goes at the end of this step, so what lies there does not meet it.
        at = tuple(box.body.position)
        world.add(ThingPlan(box.plan.target, f"{box.name}_content", (at[0], at[1])))


def was_gripped(world: RoomWorld, thing: PlacedThing, avatar: Avatar) -> None:
    """Act on a thing that a hand begins to hold."""
    if thing.row.does == "dispenses":
        _dispense(world, thing)
    elif thing.row.does == "hangs":
        for joint in [one for one in world.joints if one.plan.kind == "pivot" and one.plan.second == thing.name]:
            world.unjoin(joint)
            thing.memory.pop("hook", None)


def _dispense(world: RoomWorld, thing: PlacedThing) -> None:
    """Drop what the schedule gives for this grip; chance comes from the number of the grip and the room's own draw."""
    count = int(thing.memory.get("given", 0))
    thing.memory["given"] = count + 1
    schedule, pays = thing.row.of if isinstance(thing.row.of, tuple) else (thing.row.of, PAYS)
    given = dispensed(schedule, count, (world.chance, thing.number), pays=int(pays))
    if given:
        x, y = thing.body.position
        world.add(ThingPlan(given, f"{thing.name}_{given}_{count + 1}", (x, y - 1.6)))


def dispensed(schedule: str, count: int, seed: tuple[int, ...] = (), *, pays: int = PAYS) -> str:
    """Return what a dispenser gives at its grip number `count`, from 0; "" for nothing.

    Parameters
    ----------
    pays
        After how many apples extinction begins.

    Examples
    --------
    >>> [dispensed("extinction_hard", count) for count in range(5)]
    ['apple', 'apple', 'apple', 'poison', 'poison']
    """
    if schedule == "bad":
        return "poison"
    if schedule in ("extinction_hard", "extinction_soft"):
        return "apple" if count < pays else "poison" if schedule == "extinction_hard" else ""
    if schedule in ("good_rand", "extinction_rand"):
        import numpy as np

        # Apples one time in five; and, ours, apples that come ever more rarely.
        drawn = np.random.default_rng([*seed, count]).random()
        return "apple" if drawn < (0.2 if schedule == "good_rand" else 0.8 ** (count + 1)) else ""
    return "apple"


def behave(world: RoomWorld, thing: PlacedThing) -> None:
    """Let a thing look around after a step."""
    does = thing.row.does
    if does == "moves":
        _move(thing)
    elif does in ("button", "switch"):
        pressed = _pressed(world, thing, by_hands_only=does == "switch")
        if pressed and not thing.memory.get("pressed"):
            thing.memory["thrown"] = True
            operate(world, thing.plan.target)
        if pressed != bool(thing.memory.get("pressed")):
            thing.memory["pressed"] = pressed
    elif does == "lever":
        leans = degrees(thing.body.angle) - thing.plan.angle
        if leans < -30 and not thing.memory.get("down"):
            thing.memory["down"] = True
            operate(world, thing.plan.target)
        elif leans > 30 and thing.memory.get("down"):
            thing.memory["down"] = False
    elif does == "hangs" and "hook" not in thing.memory and not world.held_by(thing):
        _hang(world, thing)
    elif does == "bursts" and world.tick - thing.memory.get("burst", world.tick) >= BURSTING:
        world.vanish(thing)
    elif does == "trigger":
        _trigger(world, thing)
    elif does == "halves" and not thing.memory.get("halved") and not _is_whole(world, thing):
        thing.memory["halved"] = True
        world.shape_version += 1


def _is_whole(world: RoomWorld, kit: PlacedThing) -> bool:
    """Return whether the joint between the halves of a kit is there."""
    return any(one.plan.kind == "weld" and kit.name in (one.plan.first, one.plan.second) for one in world.joints)


def _move(thing: PlacedThing) -> None:
    """Go to and fro: so far to either side of where it began, so fast."""
    far, fast = thing.row.of
    if thing.memory.get("stopped"):
        thing.body.velocity = (0.0, 0.0)
        return
    way = thing.memory.get("way", 1)
    away = thing.body.position.x - thing.plan.at[0]
    if away * way >= far:
        way = -way
        thing.memory["way"] = way
    thing.body.velocity = (way * fast, 0.0)


def operate(world: RoomWorld, name: str) -> None:
    """Do what a button, lever or switch does to its target."""
    thing = world.find(name) if name else None
    if thing is None:
        return
    does = thing.row.does
    if does == "dispenses":
        _dispense(world, thing)
    elif does == "pours":
        thing.memory["off"] = not thing.memory.get("off")
    elif does == "moves":
        thing.memory["stopped"] = not thing.memory.get("stopped")
    elif does == "hooks":
        for joint in world.joints:
            if joint.plan.second == thing.name and joint.plan.kind == "pivot" and joint.plan.first == "":
                _toggle(world, joint)
    else:
        world.vanish(thing)


def _toggle(world: RoomWorld, joint: Any) -> None:
    if joint.lock is not None:
        world.space.remove(joint.lock)
        joint.made.remove(joint.lock)
        joint.lock = None
        joint.memory["locked"] = False
    else:
        world.space.add(hold(joint))


def _pressed(world: RoomWorld, thing: PlacedThing, *, by_hands_only: bool) -> bool:
    for avatar in world.avatars.values():
        for side in (0, 1):
            if by_hands_only and not avatar.grips[side]:
                continue
            if by_hands_only and all(number != thing.number for number, _ in avatar.grips[side]):
                continue
            if any(shape.point_query(avatar.hand_place(side)).distance <= 0 for shape in thing.shapes):
                return True
    return not by_hands_only and any(_rests_on(world, thing, number) for number in world.overlapping(thing))


def _rests_on(world: RoomWorld, thing: PlacedThing, number: int) -> bool:
    other = world.things.get(number)
    return number < 0 or (other is not None and other.moves)


def hooks_of(thing: PlacedThing) -> tuple[float, ...]:
    """Return where hooks are along a beam."""
    return thing.plan.hooks or HOOKS


def _hang(world: RoomWorld, weight: PlacedThing) -> None:
    """Hang a weight on the nearest free hook, if one is near."""
    place = weight.body.position
    taken = {tuple(one.memory["hook"]) for one in world.things.values() if "hook" in one.memory}
    best: tuple[float, PlacedThing, int] | None = None
    for beam in world.things.values():
        if beam.row.does != "hooks":
            continue
        for number, along in enumerate(hooks_of(beam)):
            if (beam.name, number) in taken:
                continue
            x, y = beam.body.local_to_world((along, 0.0))
            distance = hypot(place.x - x, place.y - y)
            if distance <= NEAR and (best is None or distance < best[0]):
                best = (distance, beam, number)
    if best is not None:
        hang(world, weight, best[1], best[2])


def hang(world: RoomWorld, weight: PlacedThing, beam: PlacedThing, hook: int) -> None:
    """Hang a weight on a hook of a beam."""
    x, y = beam.body.local_to_world((hooks_of(beam)[hook], 0.0))
    weight.body.position, weight.body.velocity = (x, y), beam.body.velocity_at_world_point((x, y))
    weight.memory["hook"] = [beam.name, hook]
    world.join(JointPlan("pivot", beam.name, weight.name, (x, y)))


def attract(world: RoomWorld, magnet: PlacedThing) -> None:
    """Pull what is of metal, and be pulled by it."""
    here = magnet.body.position
    for thing in world.things.values():
        if thing.row.of == "metal" and thing.moves and thing is not magnet:
            away = here - thing.body.position
            distance = max(away.length, 0.7)
            force = away * (magnet.row.of / distance**3)
            for body, sign in ((thing.body, 1), (magnet.body, -1)):
                body.force = (body.force.x + sign * force.x, body.force.y + sign * force.y)


DEFAULT_EVENTS = ("BE", "BX")


def _trigger(world: RoomWorld, box: PlacedThing) -> None:
    """Tell who is in the box that was not, and who is not that was."""
    wanted = box.plan.events or DEFAULT_EVENTS
    inside: dict[str, bool] = {}
    shape = box.shapes[0]
    for avatar in world.avatars.values():
        for side, letter in enumerate("LR"):
            inside[f"{letter}|{avatar.role}"] = shape.point_query(avatar.hand_place(side)).distance <= 0
            inside[f"{letter}G|{avatar.role}"] = inside[f"{letter}|{avatar.role}"] and bool(avatar.grips[side])
        inside[f"B|{avatar.role}"] = shape.point_query(avatar.body.position).distance <= BODY_RADIUS
    if any(event[0] == "O" for event in wanted):
        inside["O|"] = any(number > 0 and _rests_on(world, box, number) for number in world.overlapping(box))
    before = box.memory.get("inside", [])
    now = sorted(name for name, there in inside.items() if there)
    if now == before:
        return
    for name in sorted(inside):
        if (name in now) == (name in before):
            continue
        part, _, role = name.partition("|")
        enters = name in now
        if part.endswith("G"):
            event = f"{part[0]}{'G' if enters else 'R'}"
            if not enters and f"{part[0]}|{role}" not in now:
                continue
        else:
            event = f"{part}{'E' if enters else 'X'}"
        if event in wanted:
            world.tell("TB", (box.name, event), role)
    box.memory["inside"] = now


def seen_as(thing: PlacedThing) -> tuple[str, tuple[float, ...]]:
    """Return type and visual numbers of a thing as vision has them."""
    kind, visual = thing.plan.kind, thing.row.visual
    if thing.row.does == "needs-healing":
        if "healthy" in thing.memory:
            return "soldier_healthy", (0.3, 0.5, 0.25, 0.7)
        return "soldier_injured", visual
    if kind == "healthySoldier":
        return "soldier_healthy", visual
    if kind == "largeMedkit" and thing.memory.get("halved"):
        return "largeMedkit_halved", visual
    return kind, visual
