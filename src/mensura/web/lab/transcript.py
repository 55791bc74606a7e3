"""Transcript: what was asked and answered in a session, a page of events at a time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from mensura.dialogue import Event
from mensura.store.schema import contents, events
from mensura.web.lab.words import KINDS

if TYPE_CHECKING:
    from mensura.store import Store

HIDDEN = ("digest", "save")
"""What a reader has no use for; a save also holds the state of chance, which stays secret."""
COLUMNS = ("number", "kind", "role", "key", "tick", "value", "reward", "until", "nonce", "notes")
TIMED = ("answer", "refuse", "abstain", "lapse", "invalid")
"""What is said with how long after its ask it came."""
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
    """Give a page of a transcript; truths only where they are handed in."""
    found = read_events(store, session_id, after=after, limit=limit)
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
    elif event.kind in ("ask", "tell", "pause"):
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


def read_events(
    store: "Store", session_id: str, *, after: int = 0, limit: int = PAGE, up_to: int | None = None
) -> list[Event]:
    """Give some events with their prompts; with `up_to` the last ones up to that number."""
    custody = store._custody(session_id)
    columns = [events.c[name] for name in COLUMNS]
    wanted = select(*columns, contents.c.body, events.c.content, events.c.time, events.c.sealed).outerjoin(
        contents, events.c.content == contents.c.address
    )
    wanted = wanted.where(events.c.session == custody.number, events.c.kind.not_in(HIDDEN), events.c.number > after)
    if up_to is None:
        wanted = wanted.order_by(events.c.number)
    else:
        wanted = wanted.where(events.c.number <= up_to).order_by(events.c.number.desc())
    with store.reading() as connection:
        rows = [store.make_event(custody, tuple(row)) for row in connection.execute(wanted.limit(limit))]
    return rows if up_to is None else rows[::-1]


def count_lines(store: "Store", session_id: str) -> dict[str, int]:
    """Count the events of a session by kind, without those that nobody reads."""
    number = store._session_number(session_id)
    counted = select(events.c.kind, func.count()).where(events.c.session == number, events.c.kind.not_in(HIDDEN))
    with store.reading() as connection:
        rows = connection.execute(counted.group_by(events.c.kind))
        return {str(row[0]): int(row[1]) for row in rows}
