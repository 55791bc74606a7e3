"""Mailbox: messages in folders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt


@dataclass(frozen=True)
class Message:
    """One message."""

    id: str
    sender: str
    subject: str
    body: str
    tick: int = 0
    folder: str = "inbox"
    read: bool = False

    def data(self) -> dict[str, Any]:
        """Return the message as JSON."""
        return {
            "id": self.id,
            "sender": self.sender,
            "subject": self.subject,
            "body": self.body,
            "tick": self.tick,
            "folder": self.folder,
            "read": self.read,
        }


@dataclass(frozen=True)
class Mailbox(Prompt):
    """Messages, newest last.

    >>> print(Mailbox([Message("m1", "Ada", "Room", "Which room?", tick=3)]).text())
    [m1] at 3 from Ada: Room
        Which room?
    """

    kind: ClassVar[str] = "mailbox"
    messages: Sequence[Message]
    title: str = ""

    def text(self) -> str:
        lines = [self.title] if self.title else []
        for message in self.messages:
            lines.append(f"[{message.id}] at {message.tick} from {message.sender}: {message.subject}")
            lines += [f"    {line}" for line in message.body.splitlines()]
        return "\n".join(lines) or "No messages."
