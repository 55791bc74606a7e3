"""Event: one line of a session's log. The log is append-only and its numbers are a total order."""

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "ask",  # a role was asked; content holds prompt and space, value the kind of space
    "tell",  # a role was told something
    "answer",  # a valid answer
    "revise",  # an answer given before was changed; value is the new one, notes["ask"] the number of its ask
    "invalid",  # an answer outside its space; value is what was given, notes say what is wrong
    "refuse",  # the role declined
    "abstain",  # the role said that it does not know
    "lapse",  # an ask reached its deadline
    "withdraw",  # an ask was taken back because the round had what it needed, or its role left
    "fail",  # the subject stopped working or broke the rules; what is asked from here on comes to nothing
    "forfeit",  # an ask that came to nothing because the subject had failed
    "join",
    "leave",
    "replace",
    "pause",  # value names the observer who stopped the clock; none: a break, or the subject's own pause
    "unpause",  # value names the observer who let it continue; none: the subject
    "save",  # value is what a resume needs
    "digest",  # value is the rolling digest of all asks so far
    "end",  # value holds status, outcome and last words
]


@dataclass(slots=True)
class Event:
    """One line of a session's log.

    `content` is the prompt and space of an ask or tell, kept apart because it is large, often repeated and stored
    once under its content address.
    """

    number: int
    kind: Kind
    role: str = ""
    key: str = ""
    tick: int = 0
    value: Any = None
    reward: float | None = None
    until: int | None = None
    nonce: str | None = None
    notes: dict[str, Any] | None = None
    content: Any = None
    address: str | None = None
    """Where the content is stored, for readers that need not load it."""
    time: float | None = None
    """Seconds since 1970 when the driver logged it; no part of what a replay compares."""
