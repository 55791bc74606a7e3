"""Memory: what a simulated participant believes of rooms, events and rules; the sheet's defaults until told better."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mensura.catalog.crisis.planning.met import PAIRS, met_alone, met_by_both
from mensura.catalog.crisis.schedule import Place, span
from mensura.catalog.crisis.subjects.view import OfficeView
from mensura.catalog.crisis.world.requirement import Requirement


@dataclass
class Memory:
    """What someone keeps in mind beside what stands in the tables."""

    capacity: dict[tuple[str, str], int] = field(default_factory=dict)
    equipment: dict[str, frozenset[str]] = field(default_factory=dict)
    attendance: dict[str, int] = field(default_factory=dict)
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    """Rooms whose specification they have seen."""
    rules: dict[str, Requirement] = field(default_factory=dict)
    by_event: dict[str, list[Requirement]] = field(default_factory=dict)
    away: dict[str, frozenset[int]] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    """Pages of the campus that they have read."""

    def learn(self, rules: Iterable[Requirement]) -> None:
        """Take up rules."""
        for rule in rules:
            if rule.id in self.rules:
                continue
            self.rules[rule.id] = rule
            for event in {rule.event, rule.other} - {""}:
                self.by_event.setdefault(event, []).append(rule)
            if rule.person:
                self.away[rule.person] = self.away.get(rule.person, frozenset()) | frozenset(rule.slots)

    def look_up(self, room: str, *, capacity: Mapping[Any, int], equipment: Iterable[str]) -> None:
        """Take in a room's specification."""
        self.looked_up.add(room)
        self.equipment[room] = frozenset(equipment)
        for layout, seats in capacity.items():
            self.capacity[room, layout] = seats

    def told(self, target: Mapping[str, Any]) -> None:
        """Take in a fact of a room or an event, written as one enters it in the tables."""
        fact, value = str(target["fact"]), str(target["value"])
        items = tuple(item for item in value.split(", ") if item != "none")
        if fact == "equipment":
            self.equipment[target["room"]] = frozenset(items)
        elif fact == "attendance":
            self.attendance[target["event"]] = int(value)
        elif fact == "needs":
            self.needs[target["event"]] = items
        else:
            self.capacity[target["room"], fact.removeprefix("capacity.")] = int(value)

    def seats(self, screen: OfficeView, room: str, layout: str) -> int:
        """Return how many they believe a room holds."""
        table = screen.raw["facts"]["capacity"].get(room, {})
        return int(self.capacity.get((room, layout), table.get(layout, 0)))

    def built_in(self, screen: OfficeView, room: str) -> frozenset[str]:
        """Return what they believe a room has."""
        return self.equipment.get(room, frozenset(screen.raw["facts"]["equipment"].get(room, ())))

    def comes(self, screen: OfficeView, event: str) -> int:
        """Return how many they believe will come."""
        return self.attendance.get(event, int(screen.raw["facts"]["attendance"][event]))

    def wants(self, screen: OfficeView, event: str) -> tuple[str, ...]:
        """Return what they believe an event needs."""
        return self.needs.get(event, tuple(screen.raw["facts"]["needs"][event]))

    def broken(self, screen: OfficeView, event: str, at: Place) -> float:
        """Weigh the rules they know that an event would break at a place."""
        found = sum(rule.weight for rule in self.by_event.get(event, ()) if _breaks(rule, screen, event, at))
        slots = span(at[1], screen.events[event]["length"])
        for person in screen.needed[event]:
            if person in self.away and any(slot in self.away[person] for slot in slots):
                found += 1.0
        return found


def _breaks(rule: Requirement, screen: OfficeView, event: str, at: Place) -> bool:
    building = screen.building
    if rule.kind in ("slots", "building", "room"):
        return not met_alone(rule, at, building=building[at[0]])
    there = screen.place.get(rule.other if rule.event == event else rule.event)
    if rule.kind not in PAIRS or there is None or (rule.kind == "same_building" and there[0] not in building):
        return False
    first, second = (at, there) if rule.event == event else (there, at)
    return not met_by_both(rule, first, second, length=screen.schedule.length, building=building)
