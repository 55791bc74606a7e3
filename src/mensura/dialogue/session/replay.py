"""Replay: resuming is replaying. The log's answers are given again, and the asks must come out the same."""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any

from mensura.dialogue.ask import Ask
from mensura.dialogue.canonical import canonical
from mensura.dialogue.definition import Instance
from mensura.dialogue.reply import Noted, Refused
from mensura.dialogue.session.event import Event
from mensura.dialogue.session.limits import Limits
from mensura.dialogue.session.log import Trace
from mensura.dialogue.session.session import Session
from mensura.errors import BrokenTest, Late, ReplayDiffers

Witness = Callable[[str, Ask, Any], None]
DERIVED = frozenset({"ask", "tell", "withdraw", "forfeit", "save", "digest", "end"})
"""Events that follow from the others; replay makes them again and compares."""
COMPARED = ("role", "key", "reward", "until", "content")
"""The parts of an ask or a tell that must be the same on replay; the expensive part last."""


def replay(
    instance: Instance,
    events: Sequence[Event],
    *,
    trace: Trace = "full",
    limits: Limits = Limits(),
    from_save: bool = True,
    witness: Witness | None = None,
) -> Session:
    """Bring a session to where its log ends, from the last save if there is one.

    Parameters
    ----------
    witness
        Told of every answer and refusal that is given again, with its ask and with what was noted beside it, and of
        what its role was told before, with None as the answer: for subjects that must remember.

    Raises
    ------
    ReplayDiffers
        If an ask comes out other than the one recorded; the message names the first difference.
    """
    start = _last_save(events) if from_save else _first_save(events)
    saved = None if start is None else events[start].value
    start_number = 0 if start is None else events[start].number
    rest = events if start is None else events[start + 1 :]
    session = Session(instance, trace=trace, limits=limits, saved=saved)
    digested = max((event.number for event in rest if event.kind == "digest"), default=start_number)
    session.log.recorded = digested
    try:
        session.start()
        _feed(session, rest, witness)
    except (Late, KeyError, BrokenTest) as error:
        raise ReplayDiffers(_difference(instance, rest, limits, saved) or str(error)) from error
    recorded = {event.number: event.value for event in rest if event.kind == "digest"}
    made = session.log.digests
    # No digest covers the last asks yet, so they are compared one by one.
    tail = session.log.drain(up_to=events[-1].number if events else 0)
    if any(made.get(number) != value for number, value in recorded.items()) or _first_difference(
        [event for event in rest if event.number > digested], tail
    ):
        raise ReplayDiffers(_difference(instance, rest, limits, saved) or "The digests of the asks differ.")
    return session


def catch_up(session: Session, events: Sequence[Event]) -> None:
    """Bring a live session to where another process has taken its log meanwhile."""
    if events:
        session.log.recorded = events[-1].number
        _feed(session, events)


def _last_save(events: Sequence[Event]) -> int | None:
    return next((i for i in range(len(events) - 1, -1, -1) if events[i].kind == "save"), None)


def _first_save(events: Sequence[Event]) -> int | None:
    """Find what an earlier session left for this one to begin with."""
    return 0 if events and events[0].kind == "save" else None


def _feed(session: Session, events: Sequence[Event], witness: Witness | None = None) -> None:
    """Give the session the inputs of its log again."""
    clock, log = session.clock, session.log
    for event in events:
        kind = event.kind
        if kind == "answer":
            if witness is not None:
                _testify(witness, event.role, session.told.get(event.role, ()))
                witness(event.role, session.open[event.role], _with_notes(event.value, event))
            if event.tick != clock.now:
                clock.now = event.tick
            log.number += 1
            session.accept(event.role, event.value)
        elif kind in DERIVED:
            continue
        elif witness is None:
            _feed_rare(session, event)
        else:
            told = dict(session.told)
            if kind == "refuse":
                _testify(witness, event.role, told.pop(event.role, ()))
                witness(event.role, session.open[event.role], _with_notes(Refused(event.value), event))
            _feed_rare(session, event)
            for role, asks in told.items():
                # What was asked of this role is closed, without an answer.
                if session.told.get(role) is not asks:
                    _testify(witness, role, asks)
    ended = next((event for event in reversed(events) if event.kind == "end"), None)
    if ended is not None and session.status == "open":
        session.stop(ended.value["status"], last_words=ended.value["last_words"])


def _with_notes(reply: Any, event: Event) -> Any:
    return Noted(reply, event.notes) if event.notes else reply


def _testify(witness: Witness, role: str, told: Iterable[Ask]) -> None:
    for ask in told:
        witness(role, ask, None)


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
    elif kind == "fail":
        words, roles = event.value["last_words"], event.value.get("roles", ())
        session.fail(event.value["status"], last_words=words, roles=roles)
    elif kind == "revise":
        log.number += 1
        number, answered = (event.notes or {}).get("ask"), session.answered.get(event.role, {})
        # What was asked before the last save cannot be changed any more, so it is not at hand.
        if number in answered:
            answered[number] = answered[number][0], event.value
    elif kind in ("refuse", "abstain"):
        log.number += 1
        session.close(event.role)
    elif kind == "pause":
        # A break of the test's own is there already.
        if event.value or session.paused is None:
            session.pause(by=event.value or "")
    elif kind == "unpause":
        session.unpause(by=event.value or "")
    elif kind == "leave":
        session.leave(event.role, reason=event.value)
    elif kind == "join":
        session.join(event.role, who=event.value)
    else:
        session.replace(event.role, who=event.value)


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
    return _first_difference(events, made)


def _first_difference(recorded: Iterable[Event], made: Iterable[Event]) -> str | None:
    """Compare asks and tells one by one; parts that were not recorded are not compared."""
    before = [event for event in recorded if event.kind in ("ask", "tell")]
    after = [event for event in made if event.kind in ("ask", "tell")]
    for old, new in zip_longest(before, after[: len(before)]):
        where = f"Ask {old.number} ({old.key!r})"
        if new is None:
            return f"{where} was recorded but does not come any more."
        for name in COMPARED:
            value, other = _part(old, name), _part(new, name)
            if value is not None and value != other:
                return (
                    f"{where} differs in {name}: recorded {_short(value)}, replayed {_short(other)}. "
                    "The test, its version or its parameters have changed."
                )
    return None


def _give(session: Session, event: Event) -> None:
    if event.kind == "answer":
        session.answer(event.value, role=event.role, tick=event.tick)
    elif event.kind not in DERIVED:
        _feed_rare(session, event)


def _part(event: Event, name: str) -> Any:
    value = getattr(event, name)
    return canonical(value) if name == "content" and value is not None else value


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:197] + "..."
