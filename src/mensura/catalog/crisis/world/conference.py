"""World: everything that is so before the subject begins. What changes while they work is the office's."""

from functools import cached_property

from pydantic import Field

from mensura.catalog.crisis.schedule import Place, Portal
from mensura.catalog.crisis.world.campus.place import Building, Room
from mensura.catalog.crisis.world.data import Amount, Data
from mensura.catalog.crisis.world.mail import Letter, MailTask
from mensura.catalog.crisis.world.people.person import Person
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.site import SiteEntry
from mensura.catalog.crisis.world.supply.vendor import Order, Vendor
from mensura.catalog.crisis.world.time import Day, slot_words
from mensura.dialogue.canonical import short_hash

FOUND = {"floor_money", "floor_bumps", "ceiling", "best"}
"""What the linter finds out about a world; no part of what it is."""


class Disaster(Data):
    """Rooms that the crisis takes away, at which slots."""

    rooms: tuple[str, ...]
    slots: tuple[int, ...]
    cause: str


class Conference(Data):
    """A conference, its campus, people, vendors, site, rules and mail."""

    name: str
    """The package it was made from."""
    purpose: str = "test"
    """"test", "training" or "practice"; what was learned from a test world may never be used in a test."""
    seed: int
    today: Day
    """The day on which the subject sits in the office."""
    first: Day
    """The first day of the conference."""
    title: str
    """What the conference is called."""
    boss: str
    """The conference chair, who wants the briefing: a person's id."""
    predecessor: str
    buildings: tuple[Building, ...]
    rooms: tuple[Room, ...]
    people: tuple[Person, ...]
    events: tuple[ConferenceEvent, ...]
    vendors: tuple[Vendor, ...]
    orders: tuple[Order, ...]
    site: tuple[SiteEntry, ...]
    rules: tuple[Requirement, ...]
    """All rules, also those that are in force only once a message has arrived."""
    letters: tuple[Letter, ...]
    """In the order of arrival."""
    loss: Disaster
    manual: str
    """The planner's manual, as Markdown."""
    pages: dict[str, str] = Field(default_factory=dict)
    """Other pages to read, as Markdown, noise included: directions, parking, the tools' manuals."""
    budget: Amount = 0.0
    minutes: int = Field(120, ge=1)
    """How long the subject has; letters' ticks are seconds of that."""
    floor_money: float = 0.0
    """What the cheapest good schedule spends; computed by the linter and stored beside the package."""
    floor_bumps: int = 0
    """How many rooms a good schedule must ask for."""
    ceiling: dict[str, float] = Field(default_factory=dict)
    """What someone who knows everything reaches: `quality` of the schedule."""
    best: dict[str, tuple[str, int]] = Field(default_factory=dict)
    """The schedule by which floors and ceiling were found; hidden, and known to the oracle only."""

    @cached_property
    def hash(self) -> str:
        """What world this is, as sixteen digits; what the linter found out about it is not part of it."""
        return short_hash(self.model_dump(mode="json", exclude_defaults=True, exclude=FOUND))

    @cached_property
    def portal(self) -> Portal:
        """Which rooms can be had when, before anyone was asked."""
        return Portal.of(self.rooms, loss=self.loss)

    @cached_property
    def origin(self) -> dict[str, Place]:
        """The original schedule: event → room and slot."""
        return {event.id: (event.room, event.slot) for event in self.events}

    @cached_property
    def length(self) -> dict[str, int]:
        """How many blocks each event takes."""
        return {event.id: event.length for event in self.events}

    def announcement(self, place: Place) -> dict[str, str]:
        """Return what the site should say of an event that is at a place: its room's name, and its time in words."""
        return {"room": self.room[place[0]].name, "time": slot_words(place[1], first=self.first)}

    @cached_property
    def room(self) -> dict[str, Room]:
        """Rooms by id."""
        return {room.id: room for room in self.rooms}

    @cached_property
    def event(self) -> dict[str, ConferenceEvent]:
        """Events by id."""
        return {event.id: event for event in self.events}

    @cached_property
    def person(self) -> dict[str, Person]:
        """People by id."""
        return {person.id: person for person in self.people}

    @cached_property
    def vendor(self) -> dict[str, Vendor]:
        """Vendors by id."""
        return {vendor.id: vendor for vendor in self.vendors}

    @cached_property
    def entry(self) -> dict[str, SiteEntry]:
        """Entries of the site by id."""
        return {entry.id: entry for entry in self.site}

    @cached_property
    def rule(self) -> dict[str, Requirement]:
        """Rules by id."""
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def letter(self) -> dict[str, Letter]:
        """Messages by id."""
        return {letter.id: letter for letter in self.letters}

    @cached_property
    def tasks(self) -> dict[str, tuple[Letter, MailTask]]:
        """Tasks by id, each with the message that brings it."""
        return {task.id: (letter, task) for letter in self.letters for task in letter.tasks}
