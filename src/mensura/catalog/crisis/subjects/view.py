"""Screen: what a simulated participant has before them, read from what the pages show; never the hidden truth."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.planning.belief import believed_events, placed
from mensura.catalog.crisis.planning.manual import believed_rules
from mensura.catalog.crisis.schedule import Place, Portal, Schedule
from mensura.catalog.crisis.world.data import grouped
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.requirement import Requirement

CONCERNED = re.compile(r"chair|committee|manager|desk|treasurer|web|volunteer|speaker|panellist|participant|sponsor")
"""Posts of those who write about the conference."""


class OfficeView(Known):
    """The office as its pages show it at one moment."""

    @cached_property
    def let(self) -> dict[str, Mapping[str, Any]]:
        """Rooms that are let, by id."""
        return {id: room for id, room in self.rooms.items() if room["usable"]}

    @cached_property
    def building(self) -> dict[str, str]:
        """Room → the building in which it is."""
        return {id: room["building"] for id, room in self.let.items()}

    @cached_property
    def believed(self) -> dict[str, ConferenceEvent]:
        """Events by id, with what the tables say of them."""
        return {event.id: event for event in believed_events(self.raw)}

    @cached_property
    def needed(self) -> dict[str, frozenset[str]]:
        """Event → who must be there."""
        return {name: event.people for name, event in self.believed.items()}

    @cached_property
    def place(self) -> dict[str, Place | None]:
        """The schedule as it stands."""
        return {event: placed(at) for event, at in self.raw["place"].items()}

    @cached_property
    def schedule(self) -> Schedule:
        """The schedule with who meets whom."""
        return Schedule(self.place, length={name: event["length"] for name, event in self.events.items()})

    @cached_property
    def portal(self) -> Portal:
        """Which rooms can be had."""
        return Portal.shown(self.raw)

    @cached_property
    def refused(self) -> set[Place]:
        """Slots that their owners keep."""
        return {(bump["room"], bump["slot"]) for bump in self.raw["bumps"] if bump["answer"] is False}

    @cached_property
    def asked(self) -> set[Place]:
        """Slots for which someone has been asked."""
        return {(bump["room"], bump["slot"]) for bump in self.raw["bumps"]}

    @cached_property
    def driven_out(self) -> list[str]:
        """Events that stand in a lost room or nowhere, the greatest first."""
        nowhere = [event for event, at in self.place.items() if at is None]
        return self._greatest([*nowhere, *self.schedule.inside(self.portal.lost)])

    @cached_property
    def entry_of(self) -> dict[str, str]:
        """Event → its entry of the site."""
        return {entry["event"]: entry["id"] for entry in self.raw["entries"] if entry["event"]}

    @cached_property
    def orders(self) -> dict[str, list[Mapping[str, Any]]]:
        """Event → orders that stand for it."""
        return grouped((order["event"], order) for order in self.raw["orders"])

    @cached_property
    def gives(self) -> dict[tuple[str, str], str]:
        """Vendor and item → what it brings."""
        return {(one["id"], item["id"]): item["gives"] for one in self.raw["vendors"] for item in one["items"]}

    def seller(self, gives: str) -> tuple[str, str] | None:
        """Find who sells something cheapest, with delivery."""
        offers = [
            (item["price"] + one["delivery"], one["id"], item["id"])
            for one in self.raw["vendors"]
            for item in one["items"]
            if item["gives"] == gives
        ]
        return min(offers)[1:] if offers else None

    def moved(self) -> list[str]:
        """Name the events that are elsewhere than at the beginning, the greatest first."""
        return self._greatest(
            [event for event, at in self.schedule.place.items() if at != placed(self.events[event]["original"])]
        )

    def _greatest(self, events: list[str]) -> list[str]:
        attendance = self.raw["facts"]["attendance"]
        return sorted(events, key=lambda event: (-attendance[event], event))

    def sender(self, message: str) -> str:
        """Return who wrote a message."""
        return next((str(each["sender"]) for each in self.raw["mailbox"] if each["id"] == message), "")

    def outsider(self, person: str) -> bool:
        """Return whether the address book shows that someone has no part in the conference."""
        post = str(self.people.get(person, {}).get("post", ""))
        return bool(post) and not CONCERNED.search(post) and not any(person in who for who in self.needed.values())

    def manual(self) -> list[Requirement]:
        """Return the manual's rules, as a reader would write them down."""
        return list(believed_rules(tuple(self.believed.values()), self.raw))


def read_specification(page: str) -> tuple[dict[str, int], list[str]]:
    """Read from a room's page how many it seats in each layout, and what is built in.

    >>> read_specification("# Blue Room\\n- theatre: 120\\n- built in: screen, stage\\n- hire: 20.00 a block")
    ({'theatre': 120}, ['screen', 'stage'])
    """
    said = dict(line[2:].split(": ", 1) for line in page.splitlines() if line.startswith("- ") and ": " in line)
    items = said.get("built in", "nothing")
    return {name: int(seats) for name, seats in said.items() if seats.isdecimal()}, (
        [] if items == "nothing" else items.split(", ")
    )
