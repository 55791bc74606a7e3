"""Checking: what is wrong with a room before it begins, in sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import RoomPlan, draw_room
from mensura.catalog.pagi_world.rooms.rules import names_in
from mensura.catalog.pagi_world.world.terms import FIELD
from mensura.errors import MensuraError

DEEP = 0.15
"""How deep two things may lie in each other before it counts."""


@dataclass(frozen=True, slots=True)
class RoomFault:
    """What is wrong with a room, in a sentence; `refused` where it cannot be played so."""

    words: str
    names: tuple[str, ...] = ()
    refused: bool = False


def look_over(described: Mapping[str, Any], seed: int, path: Path) -> tuple[RoomPlan | None, list[RoomFault]]:
    """Draw a room and return it with all that is wrong; `path` is the file in whose folder its pictures lie."""
    try:
        plan = draw_room(described, np.random.default_rng(seed))
        return plan, [*_strange_pictures(plan, path.parent), *_overlapping(plan), *_out_of_reach(plan)]
    except MensuraError as error:
        return None, [RoomFault(str(error), refused=True)]


def _strange_pictures(plan: RoomPlan, folder: Path) -> Iterator[RoomFault]:
    for thing in plan.things:
        if thing.picture and not (folder / thing.picture).resolve().is_relative_to(folder.resolve()):
            words = f"The picture {thing.picture!r:.80} lies outside the folder of the room."
            yield RoomFault(words, (thing.name,), refused=True)


def _overlapping(plan: RoomPlan) -> Iterator[RoomFault]:
    for one, other in overlaps(plan):
        yield RoomFault(f"{one} and {other} lie in each other.", (one, other))


def _out_of_reach(plan: RoomPlan) -> Iterator[RoomFault]:
    """Find what is gone at once, since it lies beyond the field, though its rule needs it."""
    left, right, low = FIELD
    needed = names_in(plan.success) if plan.success else set()
    for thing in plan.things:
        x, y = thing.at
        if thing.name in needed and not (left <= x <= right and low <= y):
            words = f"{thing.name} lies at ({x:g}, {y:g}), and success needs it: nobody can reach that. "
            yield RoomFault(f"{words}The field goes from {left:g} to {right:g}, and down to {low:g}.", (thing.name,))


def overlaps(plan: RoomPlan) -> list[tuple[str, str]]:
    """Return the pairs of things, and of things and bodies, that lie in each other at first."""
    # Water is in nobody's way, and filling it in takes long.
    world = RoomPlay(replace(plan, water={}), PlayTerms()).world
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
