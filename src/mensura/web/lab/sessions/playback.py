"""Playback: a session as its subjects saw it, one event forwards or backwards at a time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.web.lab.sessions.transcript import Line, line_of

if TYPE_CHECKING:
    from mensura.store import Store

LOOK_BACK = 300
"""How far back the screen of a role is looked for."""
SHOWING = ("ask", "tell", "pause")
CLOSING = ("answer", "refuse", "abstain", "lapse", "forfeit", "withdraw")


@dataclass(frozen=True)
class Screen:
    """The view of one role."""

    role: str
    line: Line
    """The ask, or the message."""
    told: tuple[Line, ...]
    """The messages since the role last answered."""
    answered: Line | None
    """The answer to it, where it has been given by now."""


@dataclass(frozen=True)
class Moment:
    """A session at one of its events."""

    position: int
    total: int
    number: int
    line: Line | None
    screens: tuple[Screen, ...]
    before: int | None
    after: int | None
    first: int | None
    last: int | None
    elapsed: float | None


def moment_at(store: "Store", session_id: str, number: int | None, *, truths: dict[str, Any] | None) -> Moment:
    """Return what there was to see at an event; None means the first one."""
    at = store.transcript.position(session_id, number)
    if at is None:
        return Moment(0, 0, 0, None, (), None, None, None, None, None)
    found = store.transcript.page(session_id, up_to=at.number, limit=LOOK_BACK)
    lines = [line_of(event, truths=truths) for event in found]
    moment = lines[-1].time
    elapsed = moment - at.began if moment is not None and at.began is not None else None
    screens = _screens(lines)
    return Moment(at.place, at.total, at.number, lines[-1], screens, at.before, at.after, at.first, at.last, elapsed)


def _screens(lines: list[Line]) -> tuple[Screen, ...]:
    """Find what each role has before it after these events."""
    shown: dict[str, Line] = {}
    told: dict[str, list[Line]] = {}
    answered: dict[str, Line] = {}
    for line in lines:
        if line.kind in SHOWING:
            if line.kind != "pause":
                # A break is over when something is asked or told again.
                shown.pop("", None)
            if line.role in answered:
                told.pop(line.role, None)
            elif line.role in shown and shown[line.role].kind == "tell":
                told.setdefault(line.role, []).append(shown[line.role])
            shown[line.role] = line
            answered.pop(line.role, None)
        elif line.kind in CLOSING and line.role in shown:
            answered[line.role] = line
    return tuple(Screen(role, line, tuple(told.get(role, ())), answered.get(role)) for role, line in shown.items())
