"""Encoded: a schedule that coders read from a sheet of paper, in the form of `mensura study encode`, scored."""

import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.scoring.schedule import grade_schedule
from mensura.catalog.crisis.scoring.scoring import scores
from mensura.catalog.crisis.scoring.snapshot import untouched
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.time import BLOCKS, DAYS, slot_of
from mensura.dialogue import Scores
from mensura.errors import BadFile
from mensura.exhibit import Exhibit, FileScores, Group
from mensura.table_file import read_table

METHOD = "weighted share of the rules and requests that are met; one schedule, no interval"
VALUE = re.compile(r"(.+?)[ ,]+(\d+)\.(\d+)")


def score_encoded(path: str | Path, *, package: str) -> FileScores:
    """Score the schedule of a CSV of `item,value`; events that it does not name have no place."""
    world = build_world(package)
    place: dict[str, Place | None] = dict.fromkeys(world.event)
    for line, row in read_table(path, ("item", "value"), absent="the columns are item,value."):
        event = row["item"]
        if event not in world.event:
            raise BadFile(f"{path}:{line}: there is no event {event!r} in {world.name}.")
        if place[event] is None:
            # Of two copies in a sheet the first counts.
            place[event] = _read(row["value"], world, where=f"{path}:{line}")
    start = untouched(world)
    graded, floor = grade_schedule(replace(start, place=place)), grade_schedule(start).quality
    values: dict[str, Any] = {"quality": graded.quality, **graded.leaves}
    n, placed = graded.rules + graded.asked, sum(at is not None for at in place.values())
    return FileScores(
        f"A schedule of {world.name}",
        f"The schedule meets {graded.quality:.4f} of its {n} rules and requests by weight; doing nothing, {floor:.4f}.",
        [score for score in scores() if score.name in values],
        [Group(Path(path).name, "", {"package": world.name}, [Scores(values)])],
        [Exhibit("What the schedule meets", "Shares by weight, from 0 to 1.", ("part", "met"), list(values.items()))],
        ["One schedule, so there is no interval.", f"{placed} of {len(place)} events have a place."],
        {str(path): sha256(Path(path).read_bytes()).hexdigest()},
        {
            "package": world.name, "quality": graded.quality, "floor": floor, "n": n, "method": METHOD,
            "placed": placed, "events": len(place), "leaves": dict(graded.leaves),
        },
    )  # fmt: skip


def _read(value: str, world: Conference, *, where: str) -> Place | None:
    if not value:
        return None
    found = VALUE.fullmatch(value)
    if found is None:
        raise BadFile(f"{where}: a place is written ROOM DAY.BLOCK, as garden-room 2.3; got {value!r}.")
    room, day, block = found[1].strip(), int(found[2]), int(found[3])
    names = {one.name.casefold(): one.id for one in world.rooms} | {one.id: one.id for one in world.rooms}
    if room.casefold() not in names:
        raise BadFile(f"{where}: there is no room {room!r} in {world.name}.")
    if not (1 <= day <= DAYS and 1 <= block <= len(BLOCKS)):
        raise BadFile(f"{where}: days go from 1 to {DAYS} and blocks from 1 to {len(BLOCKS)}; got {day}.{block}.")
    return names[room.casefold()], slot_of(day - 1, block - 1)
