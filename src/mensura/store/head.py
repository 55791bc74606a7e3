"""RunHead and SessionHead: what is known of a run and a session besides their events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mensura.dialogue import Address, Trace


@dataclass(frozen=True)
class RunHead:
    """Many sessions of one test, one cast, one condition."""

    id: str
    test: str
    parameters: Mapping[str, Any]
    cast: Mapping[str, str]
    """Role → name of the subject, as given by the user."""
    condition: str
    """Name of the setting or of the study's condition; "" for none."""
    instance_hash: str
    environment_hash: str
    seed: int | None
    """None where a secret seed was left out of the archive this run came from; it can be scored but not resumed."""
    seed_public: bool
    trace: Trace
    created: float
    details: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else a reader should know: phases of a course, limits, study."""


@dataclass(frozen=True)
class SessionHead:
    """One administration."""

    id: str
    run: str
    address: Address
    cast: Mapping[str, str]
    status: str = "open"
    created: float = 0.0
    ended: float | None = None
    last_words: str = ""
