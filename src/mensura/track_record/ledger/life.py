"""The life of a question: what follows from its events, and what may come next."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from mensura.errors import BadParameter
from mensura.track_record.ledger.question import Question

NEXT = {
    "draft": {"opened": "open"},
    "open": {"forecast": "open", "closed": "closed", "resolved": "resolved", "annulled": "annulled"},
    "closed": {"resolved": "resolved", "annulled": "annulled"},
    "resolved": {"resolved": "resolved", "annulled": "annulled"},
    "annulled": {"resolved": "resolved"},
}
"""Which events each state allows, and the state they lead to; an answer can be taken back, never erased."""


@dataclass(frozen=True)
class LedgerEntry:
    """Something that happened to a question: what, who, when, why; who and when are what was claimed."""

    number: int
    question: str
    version: int
    kind: str
    who: str
    at: float
    why: str
    content: Mapping[str, Any]
    entered: float | None = None
    """When the ledger was told; None in ledgers of older releases, which kept no separate time."""
    link: str | None = None
    """Hash of this event and the link before it."""

    @property
    def claimed(self) -> bool:
        """Return whether its time is only claimed: it was entered at another one."""
        return self.entered != self.at

    def linked(self, before: str | None) -> str:
        """Return the link that this event should have after another."""
        parts = {key: value for key, value in asdict(self).items() if key not in ("number", "link")}
        return sha256(json.dumps([before, parts], sort_keys=True).encode()).hexdigest()


@dataclass
class Life:
    """A question as its events leave it."""

    question: Question
    state: str = "draft"
    requester: str = ""
    opened: float | None = None
    outcome: Any = None
    resolved: float | None = None
    """When the truth was there, which may be before it was entered; forecasts later than this do not count."""
    forecasts: list[LedgerEntry] = field(default_factory=list)
    history: list[LedgerEntry] = field(default_factory=list)

    def allow(self, kind: str) -> str:
        """Return the state an event leads to, or say why it cannot come now."""
        allowed = NEXT[self.state]
        if kind not in allowed:
            could = ", ".join(sorted(allowed)) or "nothing"
            raise BadParameter(
                f"Question {self.question.name!r} is {self.state}: it cannot be {kind} now. What can come is {could}."
            )
        return allowed[kind]

    def apply(self, event: LedgerEntry) -> None:
        """Take one event into account."""
        self.history.append(event)
        if event.kind == "drafted":
            self.requester = event.who
            return
        if event.kind == "amended":
            self.question = Question.from_json(dict(event.content))
            return
        self.state = self.allow(event.kind)
        if event.kind == "opened":
            self.opened = event.at
        elif event.kind == "forecast":
            self.forecasts.append(event)
        elif event.kind == "annulled":
            self.outcome, self.resolved = None, None
        elif event.kind == "resolved":
            self.outcome, self.resolved = event.content["outcome"], event.content["as_of"]


def live(events: Iterable[LedgerEntry]) -> Life:
    """Replay the events of one question."""
    walked = iter(events)
    first = next(walked)
    life = Life(Question.from_json(dict(first.content)))
    life.apply(first)
    for event in walked:
        life.apply(event)
    return life
