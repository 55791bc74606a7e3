"""Candidate: a form entry that a pattern reads out of a mail."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.reader import Mention, Reader


@dataclass(frozen=True)
class Candidate:
    """A form entry, the pattern that read it, and how sure the pattern's maker was of it."""

    act: dict[str, Any]
    pattern: str
    sure: float


Pattern = Callable[[Mapping[str, Any], Known, Reader], Iterator[Candidate]]


def candidate(call: str, pattern: str, sure: float, **arguments: Any) -> Candidate:
    """Write a candidate."""
    return Candidate({"call": call, "arguments": arguments}, pattern, sure)


def named(found: list[Mention], kind: str) -> list[str]:
    """Return the ids of one kind that a text names, each once.

    >>> named([Mention("room", "a", 0, 1), Mention("item", "screen", 2, 3), Mention("room", "a", 4, 5)], "room")
    ['a']
    """
    return list(dict.fromkeys(one.id for one in found if one.kind == kind))


def denied(low: str, value: int) -> bool:
    """Return whether a sentence names a number only to say that it is wrong.

    >>> denied("it seats 40, not 60", 60), denied("it seats 40, not 60", 40)
    (True, False)
    """
    return bool(re.search(rf"(?:not|instead of|rather than|no longer|from|were|was|than) (?:the )?{value}\b", low))


def within(at: int, found: list[Mention]) -> bool:
    """Return whether a place in a text belongs to something that it names.

    >>> within(3, [Mention("room", "a", 2, 5)])
    True
    """
    return any(one.start <= at < one.end for one in found)
