"""Facts told by mail: rooms and events that are not as the sheet has them."""

from random import Random

from mensura.catalog.crisis.mail.reference import References
from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.campus.place import Equipment, Room
from mensura.catalog.crisis.world.programme.change import EventChange, RoomChange

_LAYOUTS = {
    "theatre": "theatre style", "classroom": "classroom style", "banquet": "banquet style",
    "boardroom": "boardroom style", "open": "open floor",
}  # fmt: skip


def room_facts(scene: Backdrop, *, references: References, rng: Random) -> list[Stimulus]:
    """Tell what has changed in rooms, and then where the sheet was wrong from the beginning."""
    told = [_room(scene, change, references=references, rng=rng) for change in scene.room_changes]
    said = {(change.room, change.fact) for change in scene.room_changes}
    # One letter on a room's equipment, so that none is outdated.
    spoken = {change.room for change in scene.room_changes if not change.fact.startswith("capacity.")}
    wrong: list[RoomChange] = []
    for room in scene.rooms.values():
        wrong += [
            change
            for change in _wrong(room)
            if (room.id, change.fact) not in said and not (change.fact == "equipment" and room.id in spoken)
        ]
    rng.shuffle(wrong)
    rest = scene.parameters.room_facts - len(told)
    for change in wrong[:rest]:
        told.append(_room(scene, change, references=references, rng=rng))
    return told


def _wrong(room: Room) -> list[RoomChange]:
    if not room.usable:
        return []
    found = [
        RoomChange(room=room.id, fact=f"capacity.{layout}", value=number)
        for layout, number in room.capacity.items()
        if abs(number - room.assumed.get(layout, 0)) > 0.08 * number
    ]
    if set(room.assumed_equipment) != set(room.equipment):
        found.append(RoomChange(room=room.id, fact="equipment", value=_listed(room.equipment)))
    return found


def _room(scene: Backdrop, change: RoomChange, *, references: References, rng: Random) -> Stimulus:
    room = scene.rooms[change.room]
    writers = [scene.staff.managers[room.building], scene.staff.managers[room.building], scene.staff.volunteer]
    values: dict[str, object] = {"room": references.room(room.id, rng=rng)}
    target: dict[str, object] = {"room": room.id}
    if change.fact.startswith("capacity."):
        values |= {"layout": _LAYOUTS[change.fact.split(".")[1]], "number": change.value}
        target |= {"fact": change.fact, "value": change.value}
        case = "room_fact.capacity"
    else:
        values |= {"items": change.value} if change.fact == "equipment" else {"item": _article(str(change.value))}
        target |= {"fact": "equipment", "value": list(room.equipment)}
        if change.fact != "equipment":
            target |= {"item": change.value, "present": change.fact == "added"}
        case = f"room_fact.{change.fact}"
    return Stimulus(
        kind="room_fact", case=case, sender=rng.choice(writers).id, values=values, target=target, about=(room.id,)
    )


def event_facts(scene: Backdrop, *, references: References, rng: Random) -> list[Stimulus]:
    """Tell what has changed in events."""
    return [_event(scene, change, references=references, rng=rng) for change in scene.event_changes]


def _event(scene: Backdrop, change: EventChange, *, references: References, rng: Random) -> Stimulus:
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


def _listed(items: tuple[Equipment, ...]) -> str:
    """Name things in a sentence."""
    words = [_article(item) for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "nothing at all"


def _article(item: str) -> str:
    return {"internet": "wireless internet"}.get(item, f"a {item}")
