"""Percepts: what an agent is told before it acts: the tick, and what came since it last acted."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from mensura.dialogue.prompts.base import Prompt

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.play import RoomPlay


@dataclass(frozen=True, slots=True)
class Percepts(Prompt):
    """What an agent senses: replies to what it called, and what it was told unasked, in their order."""

    kind: ClassVar[str] = "percepts"
    page: ClassVar[dict[str, str]] = {
        "package": __package__,
        "template": "play.html",
        "script": "play.js",
        "style": "play.css",
        "title": "The room",
        "alone": "yes",
        "wide": "yes",
        "retells": "words",
    }
    tick: int
    replies: list[list[Any]] = field(default_factory=list)
    array: Any = field(default=None, compare=False)
    """The senses in a row, for agents that take arrays."""
    play: "RoomPlay | None" = field(default=None, repr=False, compare=False)
    """The room, which stands still while it is asked: a page draws it."""
    role: str = field(default="", compare=False)

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Percepts":
        """Make it again from its data."""
        return cls(data["tick"], data["replies"], data.get("array"))

    def data(self) -> dict[str, Any]:
        """Return it as JSON."""
        shown: dict[str, Any] = {"kind": self.kind, "tick": self.tick, "replies": self.replies}
        return shown if self.array is None else {**shown, "array": [float(one) for one in self.array]}

    def page_data(self) -> dict[str, Any]:
        """Return what the page draws: the room, or what the body senses of it, by the condition."""
        if self.play is None:
            return self.data()
        from mensura.catalog.pagi_world.showing.playing import playing_view

        return self.data() | playing_view(self.play, self.role)

    def __reduce__(self) -> tuple[Any, ...]:
        # The room behind it never leaves this process.
        return type(self), (self.tick, self.replies, self.array)

    def of(self, kind: str) -> list[list[Any]]:
        """Return the contents of all replies of a kind."""
        return [reply[1:] for reply in self.replies if reply[0] == kind]

    def text(self) -> str:
        """Return it in plain text, a line for each reply."""
        lines = [f"Tick {self.tick}."]
        for reply in self.replies:
            lines.append(": ".join([str(reply[0]), ", ".join(_word(part) for part in reply[1:])]))
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class LastPercepts(Percepts):
    """What an agent is told at the end; on a page it is read, not played."""

    kind: ClassVar[str] = "last-percepts"
    page: ClassVar[dict[str, str]] = {"package": __package__, "template": "over.html", "style": "play.css"}


def _word(part: Any) -> str:
    if isinstance(part, float):
        return f"{part:.4g}"
    return "[" + ", ".join(_word(one) for one in part) + "]" if isinstance(part, list) else str(part)
