"""ChatLog: what people and programs have said to each other, and what one of them may still say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt

QUIET = "An empty text says nothing until someone else has spoken."


@dataclass(frozen=True)
class Utterance:
    """One message: who said what, at which tick."""

    role: str
    text: str
    tick: int = 0


@dataclass(frozen=True)
class ChatLog(Prompt):
    """A talk so far, as one role sees it.

    Parameters
    ----------
    said
        All messages, the oldest first.
    role
        Who sees it.
    names
        What each role that takes part is called.
    words
        What the talk is about, in Markdown.
    longest, left
        How long a message may be, and how many this role may still write; 0 while others have the word.
    typing
        Whether people are shown who is typing.

    Examples
    --------
    >>> print(ChatLog([Utterance("b", "Half?"), Utterance("a", "No.")], "a", {"a": "Ann", "b": "Bo"}, left=1).text())
    Bo: Half?
    You: No.
    <BLANKLINE>
    You may write 1 more, of at most 500 characters. An empty text says nothing until someone else has spoken.
    """

    kind: ClassVar[str] = "chat"
    page: ClassVar[dict[str, str]] = {
        "package": "mensura.dialogue.prompts",
        "template": "chat.html",
        "script": "chat.js",
        "style": "chat.css",
        "alone": "yes",
        "poll": "1",
    }
    said: Sequence[Utterance]
    role: str
    names: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    longest: int = 500
    left: int = 0
    typing: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "words": self.words,
            "said": [
                {"name": self.names.get(one.role, one.role), "text": one.text, "mine": one.role == self.role}
                for one in self.said
            ],
            "longest": self.longest,
            "left": self.left,
            "typing": self.typing,
        }

    def text(self) -> str:
        lines = [self.words, ""] if self.words else []
        for one in self.said:
            name = "You" if one.role == self.role else self.names.get(one.role, one.role)
            # Set in, so that nobody can write a line of someone else's.
            lines.append(f"{name}: " + one.text.replace("\n", "\n    "))
        lines += [] if self.said else ["Nothing has been said yet."]
        return "\n".join([*lines, "", f"You may write {self.left} more, of at most {self.longest} characters. {QUIET}"])

    def meanwhile(self, role: str) -> "ChatLog | None":
        """Return what a role sees that takes part and does not have the word; None for others."""
        return replace(self, role=role, left=0) if role in self.names else None
