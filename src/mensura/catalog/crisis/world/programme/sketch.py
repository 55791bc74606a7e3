"""Drafts of events while a world is made: what is asked of a place, and who must be there."""

from dataclasses import dataclass, field

from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.world.campus.place import Equipment, Layout
from mensura.catalog.crisis.world.programme.event import HEAVY, ConferenceEvent, EventKind, Talk


@dataclass
class Sketch:
    """An event that has not been written down yet."""

    id: str
    kind: EventKind
    title: str
    short: str
    attendance: int
    layout: Layout
    length: int = 1
    track: str = ""
    needs: tuple[Equipment, ...] = ()
    catering: int = 0
    talks: list[Talk] = field(default_factory=list)
    chair: str = ""
    assumed_attendance: int = 0
    assumed_needs: tuple[Equipment, ...] | None = None

    @property
    def people(self) -> set[str]:
        """Everyone who must be there."""
        return {talk.speaker for talk in self.talks} | ({self.chair} if self.chair else set())

    @property
    def alone(self) -> bool:
        """Whether nothing else may be at the same time."""
        return self.kind in HEAVY

    def event(self, place: Place) -> ConferenceEvent:
        """Write it down, at its original place."""
        return ConferenceEvent(**vars(self), room=place[0], slot=place[1])
