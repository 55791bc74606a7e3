"""Known: what lies open in the office, made ready for who works in it. Nothing of the hidden truth is in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any

from mensura.catalog.crisis.world.time import DAYS, slot_words

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Known:
    """The office's JSON (`mensura.catalog.crisis.office.visible`) with look-ups."""

    raw: Json

    @cached_property
    def rooms(self) -> dict[str, Json]:
        """Rooms by id."""
        return {room["id"]: room for room in self.raw["rooms"]}

    @cached_property
    def events(self) -> dict[str, Json]:
        """Events by id."""
        return {event["id"]: event for event in self.raw["events"]}

    @cached_property
    def people(self) -> dict[str, Json]:
        """People by id."""
        return {person["id"]: person for person in self.raw["people"]}

    @cached_property
    def letters(self) -> dict[str, Json]:
        """Messages by id."""
        return {letter["id"]: letter for letter in self.raw["letters"]}

    @cached_property
    def entries(self) -> dict[str, Json]:
        """Entries of the site by id: page and event."""
        return {entry["id"]: entry for entry in self.raw["entries"]}

    @cached_property
    def first(self) -> date:
        """The first day of the conference."""
        return date.fromisoformat(self.raw["first"])

    @cached_property
    def days(self) -> list[date]:
        """The days of the conference."""
        return [self.first + timedelta(days=day) for day in range(DAYS)]

    @cached_property
    def confirmed(self) -> dict[tuple[str, str], Any]:
        """Facts of rooms that someone has set in this office, or has looked up when asked to: (room, fact) → value.

        Someone who opens a room's page when the assistant asks, and changes nothing, has found right what the assistant
        said it assumes.
        """
        asked: dict[str, dict[str, Any]] = {}
        for proposal in self.raw["proposals"]:
            if proposal["kind"] == "elicit" and proposal["ranked"]:
                first = proposal["ranked"][0]
                asked.setdefault(first["room"], {}).update(first["facts"])
        found: dict[tuple[str, str], Any] = {}
        entered: set[tuple[str, str]] = set()
        for act in self.raw["history"]:
            given = act["arguments"]
            if act["call"] == "set_room_fact" and act["ok"]:
                entered.add((self._room(given.get("room", "")), str(given.get("fact", "")).strip().lower()))
            elif act["call"] == "look" and act["ok"] and str(given.get("page", "")).strip().lower() == "room":
                room = self._room(given.get("item", ""))
                found.update({(room, fact): assumed for fact, assumed in asked.get(room, {}).items()})
        return found | {(room, fact): self.table(room, fact) for room, fact in entered}

    @cached_property
    def campus(self) -> str:
        """Which campus this is: rooms and buildings by name; two conferences on one campus have the same."""
        names = sorted(f"{room['building']}/{room['id']}/{room['name']}" for room in self.raw["rooms"])
        return sha256("\n".join(names).encode()).hexdigest()[:16]

    def table(self, room: str, fact: str) -> Any:
        """Return what the tables say of a room: what is built in, or how many it holds in a layout."""
        facts = self.raw["facts"]
        if fact == "equipment":
            return list(facts["equipment"].get(room, ()))
        return facts["capacity"].get(room, {}).get(fact.removeprefix("capacity."))

    def _room(self, named: str) -> str:
        low = str(named).strip().lower()
        return next((id for id, room in self.rooms.items() if low in (id.lower(), room["name"].lower())), low)

    def when(self, slot: int) -> str:
        """Return when a slot is."""
        return slot_words(slot, first=self.first)

    def room_class(self, room: str) -> str:
        """Return which class of rooms one belongs to: rooms of one class begin with the same assumptions."""
        kind = str(self.rooms[room].get("kind", ""))
        return kind or " ".join(sorted(self.raw["facts"]["capacity"].get(room, {})))
