"""The disaster: which rooms are lost, when and why."""

from collections.abc import Sequence
from random import Random

from mensura.catalog.crisis.world.campus.place import Building, Room
from mensura.catalog.crisis.world.conference import Disaster
from mensura.catalog.crisis.world.time import SLOTS

CAUSES = (
    "A water main has burst under {building}; the cellars are flooded and the power is off.",
    "The inspectors found loose ceiling panels in {building} and have closed it until they are fixed.",
    "A fire in a ventilation shaft has filled {building} with smoke; it must be cleaned and aired.",
    "The heating plant of {building} has failed and the fire alarm with it; nobody may be let in.",
    "A gas smell in {building} made the safety office seal it for repairs.",
    "The county has taken {building} over as an emergency shelter after the storm.",
)
_WAYS = (("union", "north", "south"), ("union", "hotel", "south"), ("union", "south", "north"))
"""In which order buildings are hit; the union always is, so that most rooms of the conference are lost."""
_SPARED = {"hall", "auditorium"}


def draw_loss(
    rooms: Sequence[Room], *, buildings: Sequence[Building], number: int, first: int, blocks: int, rng: Random
) -> Disaster:
    """Take away so many rooms for so many blocks from a slot on.

    One room for plenaries is always spared: a conference without any is no crisis but the end.
    """
    usable = [room for room in rooms if room.usable]
    way = rng.choice(_WAYS)
    ordered = [room for key in way for room in usable if room.building == key]
    lost: list[Room] = []
    for room in ordered:
        left = [one for one in usable if one not in lost and one != room]
        if (
            len(lost) < number
            and any(one.kind == "hall" for one in left)
            and len({r.kind for r in left} & _SPARED) >= 1
        ):
            lost.append(room)
    named = " and ".join(building.name for building in buildings if any(room.building == building.id for room in lost))
    return Disaster(
        rooms=tuple(room.id for room in lost),
        slots=tuple(slot for slot in range(first, first + blocks) if slot < SLOTS),
        cause=rng.choice(CAUSES).format(building=named),
    )
