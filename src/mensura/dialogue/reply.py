"""Replies that a subject may give instead of a plain answer."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Noted:
    """An answer with notes for the record: advice that was given, tokens that were used, members' votes."""

    value: Any
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Refused:
    """The subject declines to answer; counted as refused, which is neither wrong nor missing."""

    reason: str = ""


@dataclass(slots=True)
class Abstained(Refused):
    """The subject says that it does not know; counted apart from a refusal."""


@dataclass(slots=True)
class Wait:
    """The subject lets the ask lapse at its deadline."""
