"""Facts told by mail: rooms and events that are not as the sheet has them."""

from collections.abc import Sequence
from random import Random

from mensura.catalog.crisis.mail.reference import References
from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.world.change import EventChange, RoomChange
from mensura.catalog.crisis.world.place import Room
from mensura.catalog.crisis.world.scene import Scene

_LAYOUTS = {
    "theatre": "theatre style", "classroom": "classroom style", "banquet": "banquet style",
    "boardroom": "boardroom style", "open": "open floor",
}  # fmt: skip


def room_facts(scene: Scene, *, references: References, rng: Random) -> list[Stimulus]:
    """Tell what has changed in rooms, and then where the sheet was wrong from the beginning."""
    told = [_room(scene, change, references=references, rng=rng) for change in scene.room_changes]
    said = {(change.room, change.fact) for change in scene.room_changes}
    # A removed and an added item are the same fact, the room's equipment: one letter a room, so that none is outdated.
    spoken = {change.room for change in scene.room_changes if change.fact in ("removed", "added")}
    wrong: list[RoomChange] = []
    for room in scene.rooms.values():
        wrong += [
            change for change in _wrong(room, rng) if (change.room, change.fact) not in said and _once(change, spoken)
        ]
    rng.shuffle(wrong)
    rest = scene.parameters.room_facts - len(told)
    for change in wrong[:rest]:
        told.append(_room(scene, change, references=references, rng=rng))
    return told


def _once(change: RoomChange, spoken: set[str]) -> bool:
    if change.fact not in ("removed", "added"):
        return True
    if change.room in spoken:
        return False
    spoken.add(change.room)
    return True


def _wrong(room: Room, rng: Random) -> list[RoomChange]:
    if not room.usable:
        return []
    found = [
        RoomChange(room=room.id, fact=f"capacity.{layout}", value=number)
        for layout, number in room.capacity.items()
        if abs(number - room.assumed.get(layout, 0)) > 0.08 * number
    ]
    missing: Sequence[str] = [item for item in room.assumed_equipment if item not in room.equipment]
    if missing:
        found.append(RoomChange(room=room.id, fact="removed", value=rng.choice(missing)))
    return found


def _room(scene: Scene, change: RoomChange, *, references: References, rng: Random) -> Stimulus:
    room = scene.rooms[change.room]
    writers = [scene.staff.managers[room.building], scene.staff.managers[room.building], scene.staff.volunteer]
    values: dict[str, object] = {"room": references.room(room.id, rng=rng)}
    target: dict[str, object] = {"room": room.id}
    if change.fact.startswith("capacity."):
        values |= {"layout": _LAYOUTS[change.fact.split(".")[1]], "number": change.value}
        target |= {"fact": change.fact, "value": change.value}
        case = "room_fact.capacity"
    else:
        values |= {"item": _article(str(change.value))}
        target |= {"fact": "equipment", "value": list(room.equipment), "item": change.value}
        target |= {"present": change.fact == "added"}
        case = f"room_fact.{change.fact}"
    return Stimulus(
        kind="room_fact", case=case, sender=rng.choice(writers).id, values=values, target=target, about=(room.id,)
    )


def event_facts(scene: Scene, *, references: References, rng: Random) -> list[Stimulus]:
    """Tell what has changed in events."""
    return [_event(scene, change, references=references, rng=rng) for change in scene.event_changes]


def _event(scene: Scene, change: EventChange, *, references: References, rng: Random) -> Stimulus:
    draft = scene.drafts[change.event]
    near = sorted(draft.people) if draft.kind not in ("posters", "social") else []
    writer = rng.choice(near) if near and rng.random() < 0.75 else scene.staff.registrar.id
    values: dict[str, object] = {"event": references.event(draft.id, writer=writer, rng=rng)}
    if change.fact == "attendance":
        values |= {"number": change.value}
        case = "event_fact.catered" if draft.catering else "event_fact.attendance"
        value: object = change.value
    else:
        values |= {"item": _article(str(change.value))}
        case, value = "event_fact.need", list(draft.needs)
    target = {"event": draft.id, "fact": change.fact, "value": value}
    if change.fact == "needs":
        target["item"] = change.value
    return Stimulus(kind="event_fact", case=case, sender=writer, values=values, target=target, about=(draft.id,))


def _article(item: str) -> str:
    return {"internet": "wireless internet"}.get(item, f"a {item}")
