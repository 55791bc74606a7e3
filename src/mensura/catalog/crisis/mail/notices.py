"""Notices that every package has: the disaster, the wish to see the schedule published, and the briefing."""

from datetime import timedelta

from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.time import BLOCKS, block_of, day_of


def notices(scene: Backdrop) -> list[Stimulus]:
    """Tell of the disaster, twice, and ask for the schedule on the site and for the briefing, twice."""
    loss, staff = scene.loss, scene.staff
    begin, end = loss.slots[0], loss.slots[-1]
    rooms = [scene.rooms[id] for id in loss.rooms]
    by_house = "; ".join(
        f"{house.name}: {', '.join(room.name for room in rooms if room.building == id)}"
        for id, house in scene.buildings.items()
        if any(room.building == id for room in rooms)
    )
    spared = ", ".join(room.name for room in scene.rooms.values() if room.usable and room.id not in loss.rooms)
    values: dict[str, object] = {
        "cause": loss.cause,
        "houses": " and ".join(
            house.name for id, house in scene.buildings.items() if any(room.building == id for room in rooms)
        ),
        "count": len(rooms),
        "rooms": by_house,
        "spared": spared,
        "from_day": scene.first + timedelta(days=day_of(begin)),
        "from_time": BLOCKS[block_of(begin)].split("–")[0],
        "to_day": scene.first + timedelta(days=day_of(end)),
        "to_time": BLOCKS[block_of(end)].split("–")[1],
    }
    manager = next(staff.managers[room.building] for room in rooms)
    lost = {"rooms": list(loss.rooms), "slots": list(loss.slots)}
    about = tuple(loss.rooms)
    return [
        Stimulus("crisis", "crisis.main", staff.boss.id, values, target=lost, about=about),
        Stimulus("crisis", "crisis.detail", manager.id, values, target=lost, about=about),
        Stimulus("publish", "publish.ask", staff.webmaster.id, {}, target={}),
        Stimulus("briefing", "briefing.ask", staff.boss.id, {}, target={}),
        Stimulus("briefing", "briefing.remind", staff.secretary.id, {}, target={}),
    ]
