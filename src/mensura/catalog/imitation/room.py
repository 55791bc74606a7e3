"""Rooms: what each role sees of an interrogation. Pages look the same for everyone; nothing in them says who is who."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue import Prompt

PAGES = "mensura.catalog.imitation"
NOBODY = "Nothing has been said yet."


@dataclass(frozen=True)
class TalkLine:
    """One message as it is shown: its number within its talk, who wrote it, and whether the reader did."""

    id: str
    name: str
    text: str
    mine: bool = False

    def data(self) -> dict[str, Any]:
        """Return the message as JSON."""
        return {"id": self.id, "name": self.name, "text": self.text, "mine": self.mine}


@dataclass(frozen=True)
class WitnessTalk:
    """What was said with one witness, the oldest message first."""

    side: str
    lines: tuple[TalkLine, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return the talk as JSON."""
        return {"side": self.side, "lines": [line.data() for line in self.lines]}


def talks_text(talks: Sequence[WitnessTalk]) -> str:
    """Return talks in plain text; lines within a message are set in, so that nobody can write someone else's."""
    parts = []
    for talk in talks:
        title = [f"With {talk.side}:"] if len(talks) > 1 else []
        lines = [f"[{one.id}] {'You' if one.mine else one.name}: " + _set_in(one.text) for one in talk.lines]
        parts.append("\n".join([*title, *(lines or [NOBODY])]))
    return "\n\n".join(parts)


@dataclass(frozen=True)
class QuestionRoom(Prompt):
    """A talk that goes on, as one role sees it.

    Parameters
    ----------
    words
        What the role was told, in Markdown.
    talks
        One for each witness that the role sees.
    to
        To whom a judge may write; empty: there is one place only where a message can go.
    note
        Why the last message was not passed on; "" where it was.
    longest, left
        How long a message may be, and how many may still be written; 0 while others have the word.
    done
        What an empty message says, on the button that sends it; "" where it cannot be sent.
    awaited
        The witnesses whose answer is awaited.
    typing
        Whether these are shown as typing, all alike and whatever they do.

    Examples
    --------
    >>> talk = WitnessTalk("A", (TalkLine("A1", "You", "Hello?", True),))
    >>> print(QuestionRoom("Ask.", (talk,), longest=80, left=2).text())
    Ask.
    <BLANKLINE>
    [A1] You: Hello?
    <BLANKLINE>
    You may write 2 more messages of at most 80 characters.
    """

    kind: ClassVar[str] = "imitation-room"
    page: ClassVar[dict[str, str]] = {
        "package": PAGES,
        "template": "room.html",
        "script": "room.js",
        "style": "imitation.css",
        "alone": "yes",
        "title": "A conversation",
        "poll": "0.5",
        "held": "yes",
    }
    words: str
    talks: tuple[WitnessTalk, ...]
    to: tuple[str, ...] = ()
    note: str = ""
    longest: int = 500
    left: int = 0
    done: str = ""
    awaited: tuple[str, ...] = ()
    typing: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "words": self.words,
            "talks": [talk.data() for talk in self.talks],
            "to": list(self.to),
            "note": self.note,
            "longest": self.longest,
            "left": self.left,
            "done": self.done,
            "awaited": list(self.awaited),
            "typing": self.typing,
        }

    def text(self) -> str:
        more = "message" if self.left == 1 else "messages"
        end = [f"You may write {self.left} more {more} of at most {self.longest} characters."] if self.left else []
        if self.done and self.left:
            end.append(f"An empty message says: {self.done}.")
        return "\n\n".join([self.words, talks_text(self.talks), *([self.note] if self.note else []), " ".join(end)])


@dataclass(frozen=True)
class Hearing(Prompt):
    """What was said so far, and what the reader is to make of it.

    Parameters
    ----------
    words
        What is asked, in Markdown.
    talks
        What was said.
    choosing
        The place of the question that is answered by a click on a message; None: messages are only read.
    marking
        The place of the question in which messages are named, several of them; None: there is none.
    """

    kind: ClassVar[str] = "imitation-hearing"
    page: ClassVar[dict[str, str]] = {
        "package": PAGES,
        "template": "hearing.html",
        "script": "hearing.js",
        "style": "imitation.css",
        "title": "Your verdict",
    }
    words: str
    talks: tuple[WitnessTalk, ...]
    choosing: int | None = None
    marking: int | None = None

    def data(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "words": self.words,
            "talks": [talk.data() for talk in self.talks],
            "choosing": self.choosing,
            "marking": self.marking,
        }

    def text(self) -> str:
        return f"{talks_text(self.talks)}\n\n{self.words}"


def _set_in(text: str) -> str:
    return text.replace("\n", "\n    ")
