"""References: what people call events and rooms when they write: often loosely, never so that two could be meant."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from random import Random

from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.time import block_of, day_of

_KINDS = {
    "papers": "session", "panel": "panel", "posters": "poster session", "tutorial": "tutorial", "workshop": "workshop",
    "exhibit": "exhibit", "meeting": "meeting", "plenary": "plenary",
}  # fmt: skip
_PARTS = ("early morning", "late morning", "early afternoon", "late afternoon", "evening")
_ROOMS = {"hall": "the big hall", "auditorium": "the auditorium"}


class References:
    """Knows what can be meant by which words in a scene."""

    def __init__(self, scene: Backdrop) -> None:
        self._scene = scene
        self._ways: tuple[Callable[[Sketch], str], ...] = (
            self._short, self._title, self._track_day, self._kind_day, self._kind_time, self._speaker, self._talk,
        )  # fmt: skip
        self._meant: dict[Callable[[Sketch], str], Counter[str]] = {
            way: Counter(way(draft) for draft in scene.drafts.values()) for way in self._ways
        }
        self._rooms = Counter(self._nickname(id) for id in scene.rooms)

    def event(self, id: str, *, writer: str, rng: Random) -> str:
        """Name an event as this writer might; the original schedule is what everyone has in mind."""
        draft = self._scene.drafts[id]
        if self._scene.events_of(writer) == [id] and rng.random() < 0.45:
            own = {talk.speaker: talk for talk in draft.talks}.get(writer)
            if own is None:
                return "the session I chair" if draft.kind in ("papers", "panel") else f"the {_kind(draft)} I chair"
            return {"posters": "my poster session", "tutorial": "my tutorial", "panel": "my panel"}.get(
                draft.kind, "my session"
            )
        # Nobody speaks of themselves by name.
        own_name = bool(draft.talks) and draft.talks[0].speaker == writer
        ways = [
            way
            for way in self._ways
            if way(draft) and self._meant[way][way(draft)] == 1 and not (own_name and way == self._speaker)
        ]
        weights = [4 if way == self._short else 2 for way in ways]
        return rng.choices(ways, weights=weights)[0](draft)

    def room(self, id: str, *, rng: Random) -> str:
        """Name a room: as on its door, with its house, or by its nickname."""
        room = self._scene.rooms[id]
        house = self._scene.buildings[room.building].name
        nickname = self._nickname(id)
        ways = [room.name, f"{room.name} in {house}", f"{room.name.removesuffix(' Room')} in {house.split()[0]}"]
        if nickname and self._rooms[nickname] == 1:
            ways.append(nickname)
        return rng.choice(ways)

    def building(self, id: str, *, rng: Random) -> str:
        """Name a building."""
        name = self._scene.buildings[id].name
        also = {"union": "the union", "hotel": "the hotel"}.get(id, name.split()[0])
        return rng.choice((name, name, also))

    def _nickname(self, id: str) -> str:
        room = self._scene.rooms[id]
        if room.kind not in _ROOMS:
            return ""
        house = self._scene.buildings[room.building].name
        return f"{_ROOMS[room.kind]} in {house.split()[0]}"

    def _day(self, draft: Sketch) -> str:
        slot = self._scene.origin[draft.id][1]
        return f"{self._scene.first + timedelta(days=day_of(slot)):%A}"

    def _short(self, draft: Sketch) -> str:
        return (
            draft.short
            if draft.kind not in ("keynote", "social", "meeting")
            else f"the {draft.short[0].lower()}{draft.short[1:]}"
        )

    def _title(self, draft: Sketch) -> str:
        return f'"{draft.title}"' if draft.kind not in ("social", "exhibit", "posters", "meeting") else ""

    def _track_day(self, draft: Sketch) -> str:
        return f"the {draft.track.lower()} {_kind(draft)} on {self._day(draft)}" if draft.track else ""

    def _kind_day(self, draft: Sketch) -> str:
        return f"the {_kind(draft)} on {self._day(draft)}" if draft.kind in _KINDS else ""

    def _kind_time(self, draft: Sketch) -> str:
        if not draft.track:
            return ""
        part = _PARTS[block_of(self._scene.origin[draft.id][1])]
        return f"the {draft.track.lower()} {_kind(draft)} on {self._day(draft)} {part}"

    def _speaker(self, draft: Sketch) -> str:
        if not draft.talks or draft.kind == "posters":
            return ""
        speaker = draft.talks[0].speaker
        if len(self._scene.events_of(speaker)) > 1:
            return ""
        return f"the {_kind(draft)} with {self._scene.people[speaker].name}"

    def _talk(self, draft: Sketch) -> str:
        if draft.kind not in ("papers", "panel") or not draft.talks:
            return ""
        return f'the {_kind(draft)} where "{draft.talks[-1].title}" is given'


def _kind(draft: Sketch) -> str:
    return _KINDS.get(draft.kind, draft.short)
