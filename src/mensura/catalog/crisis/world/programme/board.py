"""The board on which a schedule is laid while a world is made: it says what can stand where, and never double-books."""

from collections.abc import Iterable

from mensura.catalog.crisis.schedule import Place, Schedule, cells, span
from mensura.catalog.crisis.world.campus.place import Room
from mensura.catalog.crisis.world.data import grouped
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.time import SLOTS, fits


class Board(Schedule):
    """A schedule of sketches on the rooms of a campus; it is quick, since making a world asks it very often."""

    def __init__(
        self, rooms: Iterable[Room], *, before: Iterable[tuple[str, str]] = (), near: Iterable[tuple[str, str]] = ()
    ) -> None:
        self._lengths: dict[str, int] = {}
        super().__init__({}, length=self._lengths)
        self.rooms = {room.id: room for room in rooms if room.usable}
        self.drafts: dict[str, Sketch] = {}
        self.blocked: frozenset[Place] = frozenset()
        """Lost or closed."""
        self.forbidden: dict[str, frozenset[int]] = {}
        """Slots at which an event may not be, since one of its people is away."""
        self.near = dict(near)
        """Events that must be in the same building as another."""
        pairs = tuple(before)
        self._after = grouped(pairs)
        self._before = grouped((second, first) for first, second in pairs)
        self._people: dict[str, frozenset[str]] = {}

    def lay(self, draft: Sketch, *, room: str, slot: int) -> None:
        """Lay an event down where it can stand."""
        self.drafts[draft.id] = draft
        self._lengths[draft.id] = draft.length
        self._people[draft.id] = frozenset(draft.people)
        self.put(draft.id, (room, slot))

    def learn_people(self) -> None:
        """Take note of who is in what, after people were given to events that lie here already."""
        self._people = {id: frozenset(draft.people) for id, draft in self.drafts.items()}

    def holds(self, draft: Sketch, room: str) -> bool:
        """Return whether a room is large enough for an event in its layout."""
        return self.rooms[room].capacity.get(draft.layout, 0) >= draft.attendance

    def rivals_of(self, draft: Sketch, slot: int) -> set[str] | None:
        """Return the events that bar an event from a time, whatever the room; None when the time itself is barred."""
        if not fits(slot, draft.length):
            return None
        forbidden = self.forbidden.get(draft.id, frozenset())
        people = draft.people
        found = set()
        for each in span(slot, draft.length):
            if each in forbidden:
                return None
            for other in self.during.get(each, ()):
                rival = self.drafts[other]
                if (
                    draft.alone
                    or rival.alone
                    or (draft.track and draft.track == rival.track)
                    or not people.isdisjoint(self._people[other])
                ):
                    found.add(other)
        found.update(other for other in self._after.get(draft.id, ()) if self._begins(other) < slot + draft.length)
        found.update(other for other in self._before.get(draft.id, ()) if self.slots(other).stop > slot)
        return found

    def _begins(self, event: str) -> int:
        return self.place[event][1] if event in self.place else SLOTS

    def occupants_of(self, draft: Sketch, *, room: str, slot: int) -> set[str] | None:
        """Return the events that have the room while this one would last; None when it cannot be had at all."""
        wanted = cells((room, slot), draft.length)
        if not self.blocked.isdisjoint(wanted):
            return None
        return {event for cell in wanted for event in self.at.get(cell, ())}

    def strangers(self, draft: Sketch, room: str) -> set[str]:
        """Return the events that should be in the same building but are in another."""
        building = self.rooms[room].building
        paired = [other if draft.id == one else one for one, other in self.near.items() if draft.id in (one, other)]
        return {id for id in paired if id in self.place and self.rooms[self.place[id][0]].building != building}

    def candidates(self, draft: Sketch, *, slots: Iterable[int]) -> list[Place]:
        """Return every place where an event can stand."""
        rooms = [room for room in self.rooms if self.holds(draft, room) and not self.strangers(draft, room)]
        return [
            (room, slot)
            for slot in slots
            if self.rivals_of(draft, slot) == set()
            for room in rooms
            if self.occupants_of(draft, room=room, slot=slot) == set()
        ]
