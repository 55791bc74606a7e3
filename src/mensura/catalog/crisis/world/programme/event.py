"""The programme: events, and the talks and posters in them."""

from functools import cached_property
from typing import Literal

from mensura.catalog.crisis.world.campus.place import Equipment, Layout
from mensura.catalog.crisis.world.data import Count, Data

EventKind = Literal[
    "keynote", "plenary", "papers", "panel", "posters", "tutorial", "workshop", "exhibit", "social", "meeting"
]

GREAT = ("keynote", "plenary", "social", "exhibit")
"""Kinds of events that everyone asks about."""
HEAVY = ("keynote", "plenary")
"""Kinds of events that nothing else may be beside."""


class Talk(Data):
    """A talk or a poster: a title and who gives it."""

    id: str
    title: str
    speaker: str
    """A person's id."""


class ConferenceEvent(Data):
    """Something that has a room and a time."""

    id: str
    kind: EventKind
    title: str
    short: str
    """What people call it in mail: "Panel A1"."""
    track: str = ""
    length: int = 1
    """Blocks in a row."""
    attendance: Count
    """How many really come."""
    layout: Layout
    needs: tuple[Equipment, ...] = ()
    catering: Count = 0
    """Portions that must be delivered to it; 0: none."""
    talks: tuple[Talk, ...] = ()
    chair: str = ""
    """A person's id."""
    room: str
    """Where the original schedule has it."""
    slot: int
    assumed_attendance: Count = 0
    """What the schedule sheet begins with, which may be wrong; 0: the true number."""
    assumed_needs: tuple[Equipment, ...] | None = None
    """What the schedule sheet says it needs, which may be wrong; None: what it truly needs."""

    @cached_property
    def people(self) -> frozenset[str]:
        """Everyone who must be there: speakers and the chair."""
        return frozenset({talk.speaker for talk in self.talks} | ({self.chair} if self.chair else set()))

    @property
    def alone(self) -> bool:
        """Whether nothing else may be at the same time."""
        return self.kind in HEAVY
