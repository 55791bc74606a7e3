"""Repair: a schedule after the disaster that meets every rule. It proves that a world can be solved; it is hidden."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from mensura.catalog.crisis.schedule import Place, cells
from mensura.catalog.crisis.world.campus.place import Reservation
from mensura.catalog.crisis.world.programme.agenda import AgendaItem
from mensura.catalog.crisis.world.programme.board import Board
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.time import day_of

_TRIES = 6
_STEPS = 250
_ENOUGH = 3
"""The best of so many repairs is taken."""


@dataclass(frozen=True)
class Repair:
    """Where everything is after the repair, what had to move, and which reservations had to be asked for."""

    place: Mapping[str, Place]
    moved: frozenset[str]
    bumps: tuple[Place, ...]


def repair(
    board: Board,
    *,
    agenda: Sequence[AgendaItem],
    displaced: Iterable[str],
    held: Mapping[Place, Reservation],
    rng: Random,
) -> Repair | None:
    """Find a place for everything displaced, on a board whose blocked slots and forbidden times say the truth.

    Ejection chains: each event goes to the cheapest place; whatever stands there and cannot stay is displaced in turn,
    and costs more the oftener it was. None when no try ends within its steps. Places that someone holds cost much but
    not barred: an owner who stands in the way for good is replaced afterwards by someone who yields
    (`mensura.catalog.crisis.world.campus.holding.make_way`).
    """
    times = {item.draft.id: item.allowed for item in agenda if item.ruled}
    daytime = sorted({slot for item in agenda for slot in item.times if not item.ruled})
    origin = dict(board.place)
    waiting = list(displaced)
    found: list[Repair] = []
    for _ in range(_TRIES):
        search = _Search(board, origin=origin, held=held, times=times, daytime=daytime, rng=rng)
        solution = search.run(waiting)
        _restore(board, origin)
        if solution is not None:
            found.append(solution)
        if len(found) == _ENOUGH:
            break
    return min(found, key=lambda one: len(one.moved) + 2 * len(one.bumps), default=None)


class _Search:
    def __init__(
        self,
        board: Board,
        *,
        origin: Mapping[str, Place],
        held: Mapping[Place, Reservation],
        times: Mapping[str, tuple[int, ...]],
        daytime: Sequence[int],
        rng: Random,
    ) -> None:
        self._board, self._origin, self._held, self._rng = board, origin, held, rng
        self._times, self._daytime = times, daytime
        self._lifted: Counter[str] = Counter()

    def run(self, displaced: Sequence[str]) -> Repair | None:
        board = self._board
        queue = list(displaced)
        for id in queue:
            board.lift(id)
        for _ in range(_STEPS):
            if not queue:
                return self._solution()
            queue.sort(key=lambda id: _size(board.drafts[id]))
            draft = board.drafts[queue.pop()]
            best = self._best(draft)
            if best is None:
                return None
            room, slot, rivals = best
            for id in sorted(rivals):
                board.lift(id)
                self._lifted[id] += 1
                queue.append(id)
            board.put(draft.id, (room, slot))
        return None

    def _best(self, draft: Sketch) -> tuple[str, int, set[str]] | None:
        board = self._board
        rooms = [
            (room, board.strangers(draft, room), self._fit(draft, room))
            for room in board.rooms
            if board.holds(draft, room)
        ]
        dear = {id: self._dear(other) for id, other in board.drafts.items()}
        best: tuple[float, str, int, set[str]] | None = None
        for slot in self._times.get(draft.id, self._daytime):
            rivals = board.rivals_of(draft, slot)
            if rivals is None:
                continue
            for room, strangers, fit in rooms:
                occupants = board.occupants_of(draft, room=room, slot=slot)
                if occupants is None:
                    continue
                out = rivals | strangers | occupants
                cost = self._cost(draft, (room, slot), fit) + sum([dear[id] for id in out])
                if best is None or cost < best[0]:
                    best = (cost, room, slot, out)
        return best[1:] if best else None

    def _dear(self, draft: Sketch) -> float:
        """Return what it costs to displace an event."""
        return (6.0 + 30.0 * draft.alone + 2.0 * draft.length + draft.attendance / 40) * (1 + self._lifted[draft.id])

    def _fit(self, draft: Sketch, room_id: str) -> tuple[float, float, float]:
        """Return what a room costs an event at any time: for what it lacks, for its size and for its price."""
        room = self._board.rooms[room_id]
        lacks = len(set(draft.needs) - set(room.equipment))
        return 0.8 * lacks, 0.4 * room.capacity[draft.layout] / draft.attendance, 0.005 * room.price

    def _cost(self, draft: Sketch, place: Place, fit: tuple[float, float, float]) -> float:
        slot, was = place[1], self._origin[draft.id][1]
        held = [self._held[cell] for cell in cells(place, draft.length) if cell in self._held]
        asked = sum([4.0 if reservation.yields else 7.0 for reservation in held])
        moved = 1.0 * (slot != was) + 0.5 * (day_of(slot) != day_of(was))
        return asked + moved + fit[0] + fit[1] + fit[2] + self._rng.random()

    def _solution(self) -> Repair:
        place = dict(self._board.place)
        moved = frozenset(id for id, where in place.items() if where != self._origin[id])
        bumps = {cell for cell in self._board.at if cell in self._held}
        return Repair(place=place, moved=moved, bumps=tuple(sorted(bumps)))


def _restore(board: Board, origin: Mapping[str, Place]) -> None:
    for id in list(board.place):
        board.lift(id)
    for id, (room, slot) in origin.items():
        board.put(id, (room, slot))


def _size(draft: Sketch) -> tuple[int, int, int]:
    return (draft.alone, draft.length, draft.attendance)
