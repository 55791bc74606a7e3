"""Transcript: what was asked and answered in a session, a page of events at a time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Event
from mensura.web.lab.words import KINDS

if TYPE_CHECKING:
    from mensura.store import Store

TIMED = ("answer", "revise", "refuse", "abstain", "lapse", "invalid")
"""Kinds of events that are shown with the time since their ask."""
PAGE = 100


@dataclass(frozen=True)
class Line:
    """One event as a reader sees it."""

    number: int
    kind: str
    words: str
    role: str
    key: str
    tick: int
    until: int | None
    time: float | None
    seconds: float | None
    """How long after its ask an answer came."""
    value: Any
    reward: float | None
    notes: dict[str, Any]
    prompt: Any
    space: Any
    truth: Any = None


def read_lines(
    store: "Store", session_id: str, *, after: int = 0, limit: int = PAGE, truths: dict[str, Any] | None = None
) -> list[Line]:
    """Return a page of a transcript; truths only where they are handed in."""
    found = store.transcript.page(session_id, after=after, limit=limit)
    asked: dict[tuple[str, str], float | None] = {}
    lines = []
    for event in found:
        here = (event.role, event.key)
        if event.kind == "ask":
            asked[here] = event.time
        began = asked.get(here) if event.kind in TIMED else None
        took = event.time - began if began is not None and event.time is not None else None
        lines.append(line_of(event, seconds=took, truths=truths))
    return lines


def line_of(event: Event, *, seconds: float | None = None, truths: dict[str, Any] | None = None) -> Line:
    """Make a line of an event."""
    content = event.content or {}
    told = None if truths is None or event.kind not in ("ask", "answer", "tell") else truths.get(event.key)
    value, notes = event.value, dict(event.notes or {})
    prompt = content.get("prompt")
    if event.kind in ("end", "fail"):
        outcome = dict(value or {})
        prompt = (outcome.get("outcome") or {}).get("prompt") or None
        value = outcome.get("status")
        notes |= {"last words": outcome["last_words"]} if outcome.get("last_words") else {}
    elif event.kind in ("ask", "tell"):
        value = None
    return Line(
        event.number,
        event.kind,
        KINDS.get(event.kind, event.kind),
        event.role,
        event.key,
        event.tick,
        event.until,
        event.time,
        seconds,
        value,
        # A reward may tell whether an answer was right: it leaves with the truths.
        event.reward if truths is not None else None,
        notes,
        prompt,
        content.get("space"),
        told,
    )
