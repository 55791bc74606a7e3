"""Mail: messages as they lie in the world, and what each asks to be done."""

from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from mensura.catalog.crisis.world.data import Data

TaskKind = Literal[
    "crisis",  # rooms are lost
    "room_fact",  # a room's capacity or equipment is not what the sheet says
    "event_fact",  # an event's attendance, needs or layout
    "availability",  # a person cannot come at certain times
    "preference",  # someone would like a time, a building or a room
    "web",  # one entry of the site must change
    "publish",  # the schedule must be on the site
    "query",  # someone wants an answer
    "order",  # something must be ordered, changed or cancelled
    "briefing",  # the chair wants a briefing
]


class MailTask(Data):
    """Something a message asks for, with what would settle it."""

    id: str
    kind: TaskKind
    rules: tuple[str, ...] = ()
    """Rules that it brings into force."""
    target: dict[str, Any] = Field(default_factory=dict)
    """room_fact: {room, fact, value}; event_fact: {event, fact, value}; web: {entry, field, value};
    query: {answer: [words of which one must be in the reply]}; availability: {person, slots}; ..."""


class Letter(Data):
    """A message of the world."""

    id: str
    tick: int
    """When it arrives; negative for what lay in the predecessor's mailbox already."""
    sender: str
    """A person's id, or a vendor's."""
    subject: str
    body: str
    tasks: tuple[MailTask, ...] = ()
    """Empty: noise, or backstory."""
    folder: str = "inbox"
    about: tuple[str, ...] = ()
    """Ids of what it speaks of (events, rooms, people, orders), for tests and the linter only."""
    order: str = ""
    """The order whose receipt it is; the page links to change and cancel."""

    @cached_property
    def header(self) -> dict[str, Any]:
        """What the mailbox shows of it before it is opened, as JSON."""
        shown = {"id", "tick", "sender", "subject", "folder"}
        return self.model_dump(mode="json", include=shown | {"order"} if self.order else shown)
