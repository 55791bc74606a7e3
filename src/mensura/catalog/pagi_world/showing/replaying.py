"""Replaying: a session again from its log, watched."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mensura.catalog.pagi_world.onlooker import ONLOOKER
from mensura.catalog.pagi_world.protocol.recording import read_events
from mensura.catalog.pagi_world.showing.watching import MOST_FRAMES, MOST_NUMBERS, RoomWatch
from mensura.dialogue import Address, Event, Instance, Limits, replay
from mensura.errors import BadParameter


def watch_events(instance: Instance, events: Sequence[Event], **how: Any) -> RoomWatch:
    """Return a session as frames: replayed once to see how long it is, and again where it is too long for all."""
    watch = _watched(instance, events, RoomWatch(), how)
    every = _every(watch)
    return watch if every == 1 else _watched(instance, events, RoomWatch(every=every), how)


def watch_file(path: Path, session: int | None = None) -> RoomWatch:
    """Return a session of a file that `serve --record` wrote, the last one unless it is said, as frames."""
    from mensura.catalog.pagi_world.dialogue import pagi_world

    kept = read_events(path)
    found = [one for one in kept if session is None or one[0]["number"] == session]
    if not found:
        raise BadParameter(f"{path} holds no session{'' if session is None else f' {session}'}; it has {len(kept)}.")
    head, events = found[-1]
    instance = Instance(pagi_world, pagi_world.fill(head["parameters"]), head["seed"], Address(session=head["number"]))
    return watch_events(instance, events, limits=Limits(answer_seconds=None, turns=10**9), trace="summary")


def _watched(instance: Instance, events: Sequence[Event], watch: RoomWatch, how: dict[str, Any]) -> RoomWatch:
    token = ONLOOKER.set(watch)
    try:
        replay(instance, list(events), from_save=False, **how)
    finally:
        ONLOOKER.reset(token)
    if watch.play is None:
        raise BadParameter("This session has not begun: there is nothing to see yet.")
    return watch


def _every(watch: RoomWatch) -> int:
    assert watch.play is not None
    pool, ticks = watch.play.world.pool, watch.play.world.tick
    numbers = 2 * pool.count if pool is not None else 0
    return max(1, -(-ticks // MOST_FRAMES), -(-ticks * numbers // MOST_NUMBERS))
