"""History: what the office keeps of what was done in it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Kept:
    """Something that the office keeps."""

    def json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(slots=True)
class Said(Kept):
    """What the world says to an act: whether it was done, the words of the answer, and a few data for pages."""

    ok: bool
    words: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Happening(Kept):
    """One act: when, by whom, what, and how the world answered."""

    tick: int
    role: str
    call: str
    arguments: dict[str, Any]
    ok: bool
    words: str
    proposal: str = ""
    """The assistant's proposal of which it was a part, if it was accepted from one."""


@dataclass(slots=True)
class Bump(Kept):
    """A request to give up a room; `answer` is None until the owner has written."""

    role: str
    room: str
    slot: int
    owner: str
    tick: int
    due: int
    answer: bool | None = None


@dataclass(slots=True)
class Sent(Kept):
    """A message that was sent from the office."""

    id: str
    tick: int
    role: str
    to: str
    subject: str
    text: str
    reply_to: str = ""


@dataclass(slots=True)
class Note(Kept):
    """A note that everyone in the office can read."""

    tick: int
    role: str
    text: str


@dataclass(slots=True)
class Charge(Kept):
    """Money that an act cost, or brought back."""

    tick: int
    order: str
    what: str
    amount: float


@dataclass(slots=True)
class Proposed(Kept):
    """A proposal of the assistant, and which of its parts were accepted."""

    id: str
    tick: int
    kind: str
    about: dict[str, Any]
    words: str
    acts: list[dict[str, Any]]
    ranked: list[Any]
    accepted: list[int] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        """Return it as JSON, as it is now; parts count from 1."""
        return {**Kept.json(self), "accepted": list(self.accepted)}
