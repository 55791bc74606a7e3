"""The board on which a schedule is laid while a world is made: it says what can stand where, and never double-books."""

from collections import defaultdict
from collections.abc import Iterable

from mensura.catalog.crisis.world.campus.place import Room
from mensura.catalog.crisis.world.programme.sketch import Sketch, span
from mensura.catalog.crisis.world.time import SLOTS, fits


class Board:
    """Rooms by slots; `can` is quick, since making a world asks it very often."""

    def __init__(self, rooms: Iterable[Room], *, before: Iterable[tuple[str, str]] = ()) -> None:
        self.rooms = {room.id: room for room in rooms if room.usable}
        self.place: dict[str, tuple[str, int]] = {}
        self.drafts: dict[str, Sketch] = {}
        self.blocked: set[tuple[str, int]] = set()
        """Lost, closed, or held by someone who does not give it up."""
        self.forbidden: dict[str, frozenset[int]] = {}
        """Slots at which an event may not be, since one of its people is away."""
        self._taken: dict[tuple[str, int], str] = {}
        self._at: dict[int, set[str]] = defaultdict(set)
        self._people: dict[str, frozenset[str]] = {}
        self._after: dict[str, list[str]] = defaultdict(list)
        self._before: dict[str, list[str]] = defaultdict(list)
        for first, second in before:
            self._after[first].append(second)
            self._before[second].append(first)
        self.near: dict[str, str] = {}
        """Events that must be in the same building as another."""

    def put(self, draft: Sketch, *, room: str, slot: int) -> None:
        """Lay an event down; whoever calls has asked `can` first."""
        self.drafts[draft.id] = draft
        self._people[draft.id] = frozenset(draft.people)
        self.place[draft.id] = (room, slot)
        for each in span(slot, draft.length):
            self._taken[room, each] = draft.id
            self._at[each].add(draft.id)

    def lift(self, id: str) -> tuple[str, int]:
        """Take an event off the board; gives where it was."""
        room, slot = self.place.pop(id)
        for each in span(slot, self.drafts[id].length):
            del self._taken[room, each]
            self._at[each].discard(id)
        return room, slot

    def learn_people(self) -> None:
        """Take note of who is in what, after people were given to events that lie here already."""
        self._people = {id: frozenset(draft.people) for id, draft in self.drafts.items()}

    def taken(self, room: str, slot: int) -> bool:
        """Say whether an event stands there."""
        return (room, slot) in self._taken

    def at(self, slot: int) -> set[str]:
        """Give the events at a slot."""
        return self._at[slot]

    def holds(self, draft: Sketch, room: str) -> bool:
        """Say whether a room is large enough for an event in its layout."""
        return self.rooms[room].capacity.get(draft.layout, 0) >= draft.attendance

    def timely(self, draft: Sketch, slot: int) -> bool:
        """Say whether an event may be at a time, whatever the room."""
        rivals = self.rivals(draft, slot)
        return rivals is not None and not rivals

    def rivals(self, draft: Sketch, slot: int) -> set[str] | None:
        """Give the events that bar an event from a time, whatever the room; None when the time itself is barred."""
        if not fits(slot, draft.length):
            return None
        forbidden = self.forbidden.get(draft.id, frozenset())
        people = draft.people
        found = set()
        for each in span(slot, draft.length):
            if each in forbidden:
                return None
            for other in self._at[each]:
                rival = self.drafts[other]
                if (
                    draft.alone
                    or rival.alone
                    or (draft.track and draft.track == rival.track)
                    or not people.isdisjoint(self._people[other])
                ):
                    found.add(other)
        end = slot + draft.length - 1
        for other in self._after[draft.id]:
            if other in self.place and self.place[other][1] <= end:
                found.add(other)
        for other in self._before[draft.id]:
            if other in self.place and self.place[other][1] + self.drafts[other].length - 1 >= slot:
                found.add(other)
        return found

    def occupants(self, draft: Sketch, *, room: str, slot: int) -> set[str] | None:
        """Give the events that have the room while this one would last; None when it cannot be had at all."""
        found = set()
        for each in span(slot, draft.length):
            if (room, each) in self.blocked:
                return None
            if (room, each) in self._taken:
                found.add(self._taken[room, each])
        return found

    def strangers(self, draft: Sketch, room: str) -> set[str]:
        """Give the events that should be in the same building but are in another."""
        building = self.rooms[room].building
        found = set()
        for one, other in self.near.items():
            if draft.id in (one, other):
                there = other if draft.id == one else one
                if there in self.place and self.rooms[self.place[there][0]].building != building:
                    found.add(there)
        return found

    def candidates(self, draft: Sketch, *, slots: Iterable[int] = range(SLOTS)) -> list[tuple[str, int]]:
        """Give every place where an event can stand."""
        rooms = [room for room in self.rooms if self.holds(draft, room) and not self.strangers(draft, room)]
        return [
            (room, slot)
            for slot in slots
            if self.timely(draft, slot)
            for room in rooms
            if self.occupants(draft, room=room, slot=slot) == set()
        ]
