"""Changes of fact: what is no longer as the planner's sheet has it. The world holds the truth; letters tell of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from mensura.catalog.crisis.schedule import span
from mensura.catalog.crisis.world.campus.place import Equipment, Layout, Room
from mensura.catalog.crisis.world.programme.board import Board
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.time import EVENING, block_of, day_of, slot_of

_EXTRA: tuple[Equipment, ...] = ("microphone", "whiteboard", "internet")
_COMMON: tuple[Equipment, ...] = ("projector", "screen", "microphone", "whiteboard", "internet")


@dataclass(frozen=True)
class RoomChange:
    """A room holds another number, or has lost or won equipment."""

    room: str
    fact: str
    """`capacity.theatre` and so on, `removed` or `added`."""
    value: int | str


@dataclass(frozen=True)
class EventChange:
    """An event has another attendance, or needs something more."""

    event: str
    fact: str
    """`attendance` or `needs`."""
    value: int | str


@dataclass(frozen=True)
class Absence:
    """Someone cannot come at certain slots."""

    person: str
    slots: tuple[int, ...]
    case: str
    """How it is said: `day`, `morning`, `afternoon`, `half`."""


def change_rooms(rooms: Sequence[Room], *, number: int, rng: Random) -> tuple[list[Room], list[RoomChange]]:
    """Alter so many rooms; return the rooms as they now are."""
    made = {room.id: room for room in rooms}
    # Halls and auditoria keep their seats, so that plenaries always have somewhere to go.
    pool = [room.id for room in rooms if room.usable]
    rng.shuffle(pool)
    changes: list[RoomChange] = []
    for id in pool[:number]:
        room = made[id]
        way = rng.random()
        lost = [item for item in room.equipment if item in _COMMON]
        new = [item for item in _COMMON if item not in room.equipment]
        if way < 0.5 and room.kind not in ("hall", "auditorium"):
            layout: Layout = rng.choice(list(room.capacity))
            value = max(10, round(room.capacity[layout] * rng.choice((0.75, 0.8, 0.85, 1.15, 1.25))))
            made[id] = room.model_copy(update={"capacity": room.capacity | {layout: value}})
            changes.append(RoomChange(room=id, fact=f"capacity.{layout}", value=value))
        elif (way < 0.8 and lost) or not new:
            item = rng.choice(lost)
            made[id] = _refit(room, tuple(one for one in room.equipment if one != item))
            changes.append(RoomChange(room=id, fact="removed", value=item))
        else:
            item = rng.choice(new)
            made[id] = _refit(room, (*room.equipment, item))
            changes.append(RoomChange(room=id, fact="added", value=item))
    return [made[room.id] for room in rooms], changes


def _refit(room: Room, equipment: tuple[Equipment, ...]) -> Room:
    """Change what is built in; the sheet had it right until then, so that one letter puts it right again."""
    return room.model_copy(update={"equipment": equipment, "assumed_equipment": room.equipment})


def change_events(drafts: Mapping[str, Sketch], *, number: int, rng: Random) -> list[EventChange]:
    """Alter so many events, in place; what they were before is what the sheet goes on saying."""
    pool = [id for id, draft in drafts.items() if draft.kind in ("papers", "panel", "tutorial", "workshop")]
    pool += [id for id in ("reception", "dinner", "farewell", "posters-1", "posters-2") if id in drafts]
    changes: list[EventChange] = []
    for id in rng.sample(pool, min(number, len(pool))):
        draft = drafts[id]
        more = [item for item in _EXTRA if item not in draft.needs]
        if rng.random() < 0.35 and more and draft.kind not in ("social", "posters"):
            item = rng.choice(more)
            draft.assumed_needs, draft.needs = draft.needs, (*draft.needs, item)
            changes.append(EventChange(event=id, fact="needs", value=item))
        else:
            large = draft.kind in ("social", "posters")
            scale = rng.choice((0.8, 1.1, 1.15)) if large else rng.choice((0.7, 1.2, 1.35, 1.5))
            draft.assumed_attendance, draft.attendance = draft.attendance, max(12, round(draft.attendance * scale))
            if draft.catering:
                draft.catering = draft.attendance
            changes.append(EventChange(event=id, fact="attendance", value=draft.attendance))
    return changes


def draw_absences(board: Board, *, number: int, barred: frozenset[str], rng: Random) -> list[Absence]:
    """Keep so many people from coming when their event was to be, so that it must move."""
    pool = [
        (talk.speaker, id)
        for id, draft in board.drafts.items()
        if draft.kind in ("papers", "panel", "tutorial") and id not in barred
        for talk in draft.talks
        if sum(talk.speaker in other.people for other in board.drafts.values()) == 1
    ]
    rng.shuffle(pool)
    found: dict[str, Absence] = {}
    for person, id in pool:
        if len(found) == number:
            break
        if id not in found:
            found[id] = around(person, board.place[id][1], length=board.drafts[id].length, rng=rng)
    return list(found.values())


def around(person: str, slot: int, *, length: int, rng: Random) -> Absence:
    """Make an absence that covers an event."""
    day = day_of(slot)
    last = block_of(slot) + length - 1
    if rng.random() < 0.5 or (block_of(slot) < 2 <= last):
        return Absence(person, slots=tuple(span(slot_of(day, 0), EVENING + 1)), case="day")
    if last < 2:
        return Absence(person, slots=(slot_of(day, 0), slot_of(day, 1)), case="morning")
    return Absence(person, slots=(slot_of(day, 2), slot_of(day, 3)), case="afternoon")
