"""Replay: resuming is replaying. The log's answers are given again, and the asks must come out the same."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.dialogue.definition import Instance
from mensura.dialogue.event import Event
from mensura.dialogue.limits import Limits
from mensura.dialogue.log import Trace
from mensura.dialogue.session import Session
from mensura.errors import BrokenTest, Late, ReplayDiffers

DERIVED = frozenset({"ask", "tell", "withdraw", "save", "digest", "end"})
"""Events that follow from the others; replay makes them again and compares."""


def replay(
    instance: Instance,
    events: Sequence[Event],
    *,
    trace: Trace = "full",
    limits: Limits = Limits(),
    from_save: bool = True,
) -> Session:
    """Bring a session to where its log ends, from the last save if there is one.

    Raises
    ------
    ReplayDiffers
        If an ask comes out other than the one recorded; the message names the first difference.
    """
    start = _last_save(events) if from_save else None
    saved = None if start is None else events[start].value
    rest = events if start is None else events[start + 1 :]
    session = Session(instance, trace=trace, limits=limits, saved=saved)
    session.log.recorded = events[-1].number if events else 0
    try:
        session.start()
        _feed(session, rest)
    except (Late, KeyError, BrokenTest) as error:
        raise ReplayDiffers(_difference(instance, rest, limits, saved) or str(error)) from error
    recorded = {event.number: event.value for event in rest if event.kind == "digest"}
    made = session.log.digests
    if any(made.get(number) != value for number, value in recorded.items()) or not _tail_agrees(session, rest):
        raise ReplayDiffers(_difference(instance, rest, limits, saved) or "The digests of the asks differ.")
    return session


def _last_save(events: Sequence[Event]) -> int | None:
    return next((i for i in range(len(events) - 1, -1, -1) if events[i].kind == "save"), None)


def _feed(session: Session, events: Iterable[Event]) -> None:
    """Give the session the inputs of its log again."""
    clock, log = session.clock, session.log
    for event in events:
        kind = event.kind
        if kind == "answer":
            if event.tick != clock.now:
                clock.now = event.tick
            log.number += 1
            session.accept(event.role, event.value)
        elif kind in DERIVED:
            continue
        else:
            _feed_rare(session, event)
    ended = next((event for event in reversed(list(events)) if event.kind == "end"), None)
    if ended is not None and session.status == "open":
        session.stop(ended.value["status"], last_words=ended.value["last_words"])


def _feed_rare(session: Session, event: Event) -> None:
    kind, log = event.kind, session.log
    if kind == "lapse":
        # All roles with this deadline lapse in one go; the first of their events moves them all.
        if event.role in session.open:
            session.advance(event.tick)
        return
    session.clock.now = max(event.tick, session.clock.now)
    if kind == "invalid":
        log.number += 1
        session.count_invalid(event.role)
    elif kind == "refuse":
        log.number += 1
        session.close(event.role)
    elif kind == "pause":
        # A break of the test's own is there already.
        if session.paused is None:
            session.pause()
    elif kind == "unpause":
        session.unpause()
    elif kind == "leave":
        session.leave(event.role, reason=event.value)
    elif kind == "join":
        session.join(event.role, who=event.value)
    else:
        session.replace(event.role, who=event.value)


def _tail_agrees(session: Session, events: Sequence[Event]) -> bool:
    """Compare the asks now open with the last ones recorded, which no digest covers yet."""
    recorded = {event.number: event for event in events if event.kind == "ask"}
    for role, number in session.asked.items():
        event = recorded.get(number)
        ask = session.open[role]
        # The log may have been cut between an answer and the asks that followed it.
        if event is not None and (event.role, event.until, event.value) != (role, ask.until, ask.space.kind):  # type: ignore[union-attr]
            return False
    return True


def _difference(
    instance: Instance, events: Sequence[Event], limits: Limits, saved: dict[str, Any] | None
) -> str | None:
    """Replay once more with a full log, and say where it first differs from the recorded one."""
    session = Session(instance, trace="full", limits=limits, saved=saved)
    made: list[Event] = []
    try:
        session.start()
        for event in events:
            made += session.drain()
            _give(session, event)
    except (Late, KeyError, BrokenTest):
        pass
    made += session.drain()
    recorded = [event for event in events if event.kind in ("ask", "tell")]
    again = [event for event in made if event.kind in ("ask", "tell")]
    for before, after in zip_longest(recorded, again):
        if before is None:
            return None
        if after is None:
            return f"The recorded ask {before.number} ({before.key!r}) does not come any more."
        for name, old in _seen(before).items():
            new = _seen(after)[name]
            if old is not None and old != new:
                return (
                    f"Ask {before.number} ({before.key!r}) differs in {name}: recorded {_short(old)}, "
                    f"replayed {_short(new)}. The test, its version or its parameters have changed."
                )
    return None


def _give(session: Session, event: Event) -> None:
    if event.kind == "answer":
        session.answer(event.value, role=event.role, tick=event.tick)
    elif event.kind not in DERIVED:
        _feed_rare(session, event)


def _seen(event: Event) -> dict[str, Any]:
    seen = {name: value for name, value in asdict(event).items() if name in ("role", "key", "reward", "until")}
    seen["content"] = None if event.content is None else canonical(event.content)
    return seen


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:197] + "..."
