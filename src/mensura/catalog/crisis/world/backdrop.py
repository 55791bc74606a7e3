"""The scene: everything of a world but its mail, drawn step by step, with a repair that proves it can be solved."""

from collections.abc import Set
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from mensura.catalog.crisis.schedule import Place, Portal, span
from mensura.catalog.crisis.world.campus.campus import make_campus
from mensura.catalog.crisis.world.campus.disaster import draw_loss
from mensura.catalog.crisis.world.campus.holding import make_owners, make_way, reserve
from mensura.catalog.crisis.world.campus.place import Building, Room
from mensura.catalog.crisis.world.conference import Disaster
from mensura.catalog.crisis.world.parameters import PackageParameters
from mensura.catalog.crisis.world.people.ensemble import Ensemble, names
from mensura.catalog.crisis.world.people.person import Person
from mensura.catalog.crisis.world.people.staff import Staff, make_staff
from mensura.catalog.crisis.world.programme.agenda import AgendaItem, make_agenda
from mensura.catalog.crisis.world.programme.board import Board
from mensura.catalog.crisis.world.programme.change import (
    Absence,
    EventChange,
    RoomChange,
    change_events,
    change_rooms,
    draw_absences,
)
from mensura.catalog.crisis.world.programme.repair import Repair, repair
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.programme.timetable import give_people, lay_out
from mensura.catalog.crisis.world.programme.titles import Discipline, Titles, fields
from mensura.catalog.crisis.world.supply.purchase import make_orders
from mensura.catalog.crisis.world.supply.stock import make_vendors
from mensura.catalog.crisis.world.supply.vendor import Order, Vendor
from mensura.catalog.crisis.world.time import slot_of
from mensura.errors import BadFile, unknown

_TRIES = 30
_BEGINNINGS = (slot_of(0, 2), slot_of(1, 0), slot_of(1, 2))


@dataclass(frozen=True)
class Backdrop:
    """What the mail is about, and what only the world knows."""

    parameters: PackageParameters
    field: Discipline
    university: str
    first: date
    today: date
    values: dict[str, str]
    buildings: dict[str, Building]
    rooms: dict[str, Room]
    people: dict[str, Person]
    speakers: tuple[str, ...]
    participants: tuple[str, ...]
    """Some who only come to listen."""
    staff: Staff
    agenda: tuple[AgendaItem, ...]
    drafts: dict[str, Sketch]
    origin: dict[str, Place]
    vendors: dict[str, Vendor]
    orders: tuple[Order, ...]
    loss: Disaster
    room_changes: tuple[RoomChange, ...]
    event_changes: tuple[EventChange, ...]
    absences: tuple[Absence, ...]
    displaced: frozenset[str]
    solution: Repair

    def at(self, event: str) -> set[int]:
        """Return the slots that an event takes in the repaired schedule."""
        return set(span(self.solution.place[event][1], self.drafts[event].length))

    def events_of(self, person: str) -> list[str]:
        """Return the events at which someone must be."""
        return [id for id, draft in self.drafts.items() if person in draft.people]


def make_scene(
    parameters: PackageParameters, *, seed: int, first: date, today: date, values: dict[str, str], place: str
) -> Backdrop:
    """Draw a scene that can be solved.

    Raises
    ------
    BadFile
        When no draw gives one that can be solved: the parameters ask too much.
    """
    for attempt in range(_TRIES):
        scene = _attempt(parameters, seed=f"{seed} {attempt}", first=first, today=today, values=values, place=place)
        if scene is not None:
            return scene
    raise BadFile(
        f"{place}: no schedule meets the rules after {parameters.lost_rooms} rooms are lost for "
        f"{parameters.lost_blocks} blocks; lower lost_rooms, lost_blocks, held or papers."
    )


def _attempt(
    parameters: PackageParameters, *, seed: str, first: date, today: date, values: dict[str, str], place: str
) -> Backdrop | None:
    campus = make_campus(parameters.campus)
    rng = Random(f"programme {seed}")
    field = _field(parameters.field, rng=rng, place=place)
    titles = Titles(field, rng=rng)
    agenda = make_agenda(parameters, titles=titles, rng=rng)
    board = lay_out(agenda, rooms=campus.rooms, rng=rng, place=place)
    cast = Ensemble(rng=Random(f"people {seed}"))
    university = f"University of {Random(f'campus {parameters.campus}').choice(names()['towns'])}"
    staff = make_staff(cast, university=university, rng=rng)
    speakers = give_people(board, cast=cast, titles=titles, rng=rng)
    participants = [cast.add(post="participant").id for _ in range(12)]
    owners = make_owners(cast, rng=rng)
    advertiser = cast.add(post="advertiser", affiliation=cast.firm(), style="plain")
    staff = replace(staff, strangers=(*staff.strangers, advertiser))

    vendors = make_vendors(rng=Random(f"vendors {seed}"))
    rooms_before = {room.id: room for room in campus.rooms}
    orders = make_orders(
        board.drafts.values(), place=board.place, rooms=rooms_before, vendors=vendors, rng=Random(f"orders {seed}")
    )

    rng = Random(f"crisis {seed}")
    rooms = reserve(campus.rooms, board=board, owners=owners, share=parameters.held, rng=rng)
    begin = parameters.lost_from if parameters.lost_from is not None else rng.choice(_BEGINNINGS)
    loss = draw_loss(
        rooms,
        buildings=campus.buildings,
        number=parameters.lost_rooms,
        first=begin,
        blocks=parameters.lost_blocks,
        rng=rng,
    )
    rooms, room_changes = change_rooms(rooms, number=max(1, parameters.room_facts * 2 // 5), rng=rng)
    event_changes = change_events(board.drafts, number=parameters.event_facts, rng=rng)
    portal = Portal.of(rooms, loss=loss)
    board.rooms = {room.id: room for room in rooms if room.usable}
    board.blocked = portal.closed | portal.lost
    displaced = _displaced(board, lost=portal.lost)
    absences = draw_absences(
        board, number=max(1, parameters.availability * 2 // 5), barred=frozenset(displaced), rng=rng
    )
    away = {absence.person: frozenset(absence.slots) for absence in absences}
    board.forbidden = {
        id: frozenset().union(*(away.get(person, frozenset()) for person in draft.people))
        for id, draft in board.drafts.items()
        if any(person in away for person in draft.people)
    }
    for id, forbidden in board.forbidden.items():
        if not forbidden.isdisjoint(board.slots(id)):
            displaced.add(id)
    solution = repair(board, agenda=agenda, displaced=sorted(displaced), held=portal.held, rng=rng)
    if solution is None:
        return None
    rooms = make_way(rooms, slots=solution.bumps, owners=owners, rng=rng)
    still = Portal.of(rooms, loss=loss).held
    return Backdrop(
        parameters=parameters,
        field=field,
        university=university,
        first=first,
        today=today,
        values=values,
        buildings={building.id: building for building in campus.buildings},
        rooms={room.id: room for room in rooms},
        people={person.id: person for person in cast.people},
        speakers=tuple(speakers),
        participants=tuple(participants),
        staff=staff,
        agenda=tuple(agenda),
        drafts=dict(board.drafts),
        origin=dict(board.place),
        vendors={vendor.id: vendor for vendor in vendors},
        orders=orders,
        loss=loss,
        room_changes=tuple(room_changes),
        event_changes=tuple(event_changes),
        absences=tuple(absences),
        displaced=frozenset(displaced),
        solution=replace(solution, bumps=tuple(bump for bump in solution.bumps if bump in still)),
    )


def _field(name: str, *, rng: Random, place: str) -> Discipline:
    drawn = rng.choice(fields())
    if not name:
        return drawn
    known = {field.name: field for field in fields()}
    if name not in known:
        raise BadFile(f"{place}: parameters.field: {unknown('field', name, known=known, see=', '.join(known))}")
    return known[name]


def _displaced(board: Board, *, lost: Set[Place]) -> set[str]:
    """Return what cannot stay: it stood in a lost room, or no longer fits where it is."""
    gone = {id for id, (room, _) in board.place.items() if not board.holds(board.drafts[id], room)}
    gone.update(board.inside(lost))
    # Posters and exhibit of a day go together.
    for one, other in board.near.items():
        if {one, other} & gone and {one, other} <= board.place.keys():
            gone |= {one, other}
    return gone
