"""Parameters: what may differ between worlds, within bounds that keep them comparable."""

from typing import Self

from pydantic import Field, model_validator

from mensura.catalog.crisis.world.data import Data
from mensura.catalog.crisis.world.programme.agenda import ROMAN

FIXED = 5
"""Messages that every package has: two on the disaster, one on publishing, two on the briefing."""


class PackageParameters(Data):
    """What may differ between packages, within bounds that keep them comparable."""

    campus: int = Field(1, ge=1, le=999)
    """Which campus: packages with the same number share buildings and rooms."""
    field: str = ""
    """What the conference is about; drawn when empty."""
    tracks: int = Field(8, ge=2, le=8)
    papers: int = Field(46, ge=8, le=48)
    panels: int = Field(9, ge=2, le=9)
    plenaries: int = Field(4, ge=1, le=4)
    posters: int = Field(4, ge=1, le=4)
    tutorials: int = Field(5, ge=1, le=6)
    workshops: int = Field(3, ge=1, le=3)
    exhibits: int = Field(4, ge=1, le=4)
    socials: int = Field(4, ge=1, le=4)
    meetings: int = Field(4, ge=1, le=4)
    lost_rooms: int = Field(9, ge=4, le=10)
    lost_blocks: int = Field(7, ge=3, le=8)
    """Seven of five blocks a day are a day and a half."""
    lost_from: int | None = Field(None, ge=0, le=12)
    """The first slot at which rooms are lost; drawn when left out."""
    held: float = Field(0.3, ge=0.05, le=0.4)
    """The share of free slots that others have reserved."""
    messages: int = Field(107, ge=20, le=160)
    """Messages that arrive while the subject works, noise among them."""
    noise: int = Field(42, ge=4, le=80)
    backstory: int = Field(64, ge=16, le=120)
    """Messages in the predecessor's mailbox, besides the vendors' receipts."""
    room_facts: int = Field(14, ge=2, le=20)
    event_facts: int = Field(12, ge=2, le=18)
    availability: int = Field(11, ge=2, le=16)
    preferences: int = Field(10, ge=2, le=16)
    web: int = Field(13, ge=2, le=20)
    queries: int = Field(10, ge=2, le=16)
    orders: int = Field(5, ge=1, le=8)
    minutes: int = Field(120, ge=10, le=240)

    @model_validator(mode="after")
    def _tracks_can_hold_the_papers(self) -> Self:
        if self.papers > self.tracks * len(ROMAN):
            raise ValueError(
                f"{self.papers} paper sessions do not fit into {self.tracks} tracks: a track holds at most {len(ROMAN)}"
            )
        return self

    @model_validator(mode="after")
    def _messages_can_carry_the_tasks(self) -> Self:
        if not 0 <= self.doubled <= (self.signals - FIXED) // 2:
            raise ValueError(
                f"{self.tasks} tasks cannot be carried by {self.signals - FIXED} messages, of which at most half may "
                f"have two: messages - noise must lie between {FIXED + -(-self.tasks * 2 // 3)} and "
                f"{FIXED + self.tasks}"
            )
        return self

    @property
    def tasks(self) -> int:
        """How many tasks the drawn messages bring."""
        return (
            self.room_facts
            + self.event_facts
            + self.availability
            + self.preferences
            + self.web
            + self.queries
            + self.orders
        )

    @property
    def signals(self) -> int:
        """How many of the messages ask for something."""
        return self.messages - self.noise

    @property
    def doubled(self) -> int:
        """How many messages bring two tasks."""
        return self.tasks + FIXED - self.signals
