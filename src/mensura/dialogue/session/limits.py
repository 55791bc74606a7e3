"""Limits: how long, how often and how wrong a subject may be before a session ends."""

from dataclasses import dataclass
from typing import Any

from mensura.errors import BadParameter


@dataclass(frozen=True)
class Limits:
    """How long, how often and how wrong a subject may be before a session ends.

    Parameters
    ----------
    answer_seconds
        Longest wait for one answer of a program; None: no limit.
    session_seconds
        Longest session of a program; None: no limit.
    turns
        Most answers in a session.
    invalid_in_a_row
        How many invalid answers to one ask end the session as invalid.
    """

    answer_seconds: float | None = 60.0
    session_seconds: float | None = None
    turns: int = 10_000_000
    invalid_in_a_row: int = 3

    def __post_init__(self) -> None:
        require_positive(self)


def require_positive(limits: Any) -> None:
    """Raise a sentence for a limit that nobody could keep."""
    for name, value in vars(limits).items():
        if value is not None and not value > 0:
            raise BadParameter(f"A limit is a number above 0; got {value:g} for {name.replace('_', ' ')}.")
